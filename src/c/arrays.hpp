// SPDX-License-Identifier: BSD-3-Clause
// Arrays of the caller: checked once, then used as plain pointers with strides.
#pragma once

#include <type_traits>

#include "c/structs.hpp"
#include "hgrid/core/macros.hpp"
#include "hgrid/core/types.hpp"

namespace hgrid::c {

/// DLPack's code, and the hgrid_type, of T.
template <class T>
inline constexpr int code_of = std::is_floating_point_v<T> ? 2
                               : std::is_unsigned_v<T>     ? 1
                                                           : 0;
template <class T>
inline constexpr int type_of = HGRID_TYPE(code_of<T>, static_cast<int>(8 * sizeof(T)), 1);

/// Where a grid works, in DLPack's terms. Its arrays must be there.
struct Place {
  enum Type : std::int32_t { unset = 0, host = 1, cuda = 2, pinned = 3, managed = 13 };
  std::int32_t type = host, id = 0;

  bool operator==(const Place&) const = default;
  /// Returns whether the array can be read there.
  bool reads(const hgrid_array& array) const {
    const std::int32_t at = array.device_type;
    return at == unset || at == pinned || (at == managed && type == cuda) ||
           (at == type && (type == host || array.device_id == id));
  }
};

/// Real numbers of either type. Without data, each is `otherwise`.
struct RealColumn {
  const void* data;
  std::ptrdiff_t stride;
  bool is_single;
  double otherwise = 0;

  HGRID_HD double operator[](offset_t i) const {
    if (data == nullptr) return otherwise;
    return is_single ? static_cast<const float*>(data)[i * stride] : static_cast<const double*>(data)[i * stride];
  }
};

/// An array in memory of its place with valid indices. Errors: `invalid_argument` (no array, wrong number of indices or type,
/// null or badly aligned data), `size_mismatch` (shape), `unsupported` (in other memory, or strides where none are possible).
/// The caller's struct must live as long.
class Array {
 public:
  Array(const hgrid_array& given, const char* name, int ndim, const Place& place);

  std::int64_t size(int k) const { return array_.shape[k]; }
  std::int64_t stride(int k) const { return stride_[k]; }
  int type() const { return array_.type; }
  /// Returns the bytes of a number, or 0 for numbers without whole bytes.
  int bytes_of_number() const { return array_.type > 0 && array_.type % 8 == 0 ? array_.type % 256 / 8 : 0; }

  /// Throws `size_mismatch` unless index k has size n.
  const Array& require(int k, std::int64_t n) const {
    if (size(k) != n) refuse_size(k, n);
    return *this;
  }

  /// Returns a pointer to element 0, of type T; uint8 may be bool.
  template <class T>
  T* data() const {
    const bool flags = type_of<T> == HGRID_UINT8 && array_.type == HGRID_BOOL;
    if (array_.type != type_of<T> && !flags) refuse_type(type_of<T>);
    return static_cast<T*>(array_.data);
  }
  /// Returns a pointer to element 0 of an array without gaps.
  template <class T>
  T* contiguous() const {
    require_contiguous();
    return data<T>();
  }

  /// Returns a pointer to element 0 of an array of any type without gaps.
  void* any() const {
    require_contiguous();
    return array_.data;
  }

  /// Returns the elements (i, k) of an array of float64 or float32, or the elements i if it has one index.
  RealColumn column(std::int64_t k = 0) const;
  void require_real() const;

 private:
  [[noreturn]] void refuse_size(int k, std::int64_t needed) const;
  [[noreturn]] void refuse_type(int needed) const;
  void require_contiguous() const;

  const hgrid_array& array_;
  std::int64_t stride_[3];
  const char* name_;
};

bool is_given(const hgrid_array& array);

inline const std::int32_t* numbers_of(const Image* images) {
  static_assert(sizeof(Image) == 3 * sizeof(std::int32_t) && alignof(Image) == alignof(std::int32_t));
  return reinterpret_cast<const std::int32_t*>(images);
}

/// Returns images from an array [n][3] of int32.
inline Image* images_of(const Array& numbers) { return reinterpret_cast<Image*>(numbers.contiguous<std::int32_t>()); }

/// Calls f(T{}) with the type of an array of ids.
template <class F>
auto with_integer(const Array& ids, const F& f) {
  return ids.type() == HGRID_INT64 ? f(std::int64_t{}) : f(std::int32_t{});
}

}  // namespace hgrid::c
