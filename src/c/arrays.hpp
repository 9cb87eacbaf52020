// SPDX-License-Identifier: BSD-3-Clause
// Arrays of the caller's: looked at once, and then plain pointers with strides.
#pragma once

#include <type_traits>

#include "c/structs.hpp"
#include "hgrid/core/types.hpp"

namespace hgrid::c {

template <class T>
inline constexpr int type_of = 0;
template <>
inline constexpr int type_of<std::int32_t> = HGRID_INT32;
template <>
inline constexpr int type_of<std::int64_t> = HGRID_INT64;
template <>
inline constexpr int type_of<std::uint8_t> = HGRID_UINT8;
template <>
inline constexpr int type_of<float> = HGRID_FLOAT32;
template <>
inline constexpr int type_of<double> = HGRID_FLOAT64;

/// An array of the host's with valid indices. Errors: `invalid_argument` (no array, its number of indices, its type, null or
/// badly aligned data), `size_mismatch` (its shape), `unsupported` (a device, strides where none can be).
class Array {
 public:
  Array(const hgrid_array& given, const char* name, int ndim);

  std::int64_t size(int k) const { return array_.shape[k]; }
  std::int64_t stride(int k) const { return array_.stride[k]; }
  int type() const { return array_.type; }
  const char* name() const { return name_; }

  /// Throws `size_mismatch` unless there are n of index k.
  const Array& require(int k, std::int64_t n) const;

  /// Element 0, of type T; uint8 may be bool.
  template <class T>
  T* data() const {
    require_type(type_of<T>);
    return static_cast<T*>(array_.data);
  }
  /// The same if all elements lie one after the other.
  template <class T>
  T* contiguous() const {
    require_contiguous();
    return data<T>();
  }

  /// Element (i, k), or i of an array with one index, of float64 or float32.
  double real(std::int64_t i, std::int64_t k = 0) const;
  void require_real() const;

 private:
  void require_type(int type) const;
  void require_contiguous() const;

  hgrid_array array_;  // whose strides are set
  const char* name_;
};

bool is_given(const hgrid_array& array);

/// f(T{}) for the type of an array of ids.
template <class F>
auto with_integer(const Array& ids, const F& f) {
  return ids.type() == HGRID_INT64 ? f(std::int64_t{}) : f(std::int32_t{});
}

}  // namespace hgrid::c
