// SPDX-License-Identifier: BSD-3-Clause
// Arrays of Python as hgrid.h takes them, and memory of a grid as arrays.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "python/door.hpp"

namespace nb = nanobind;

namespace hgrid::python {

/// An array on the host or on a device, as its framework describes it.
using Array = nb::ndarray<nb::ro>;

template <class T>
inline constexpr std::int32_t type_of = HGRID_TYPE(nb::dtype<T>().code, nb::dtype<T>().bits, 1);

/// Returns the array for hgrid.h: all zeros if there is none.
inline hgrid_array array_of(const Array& given) {
  if (!given.is_valid()) return {};
  const std::size_t most = 3, ndim = std::min(given.ndim(), most);  // with more axes, the library only sees their number
  std::int64_t shape[3]{}, stride[3]{};
  for (std::size_t k = 0; k < ndim; ++k) shape[k] = static_cast<std::int64_t>(given.shape(k)), stride[k] = given.stride(k);
  const nb::dlpack::dtype type = given.dtype();
  hgrid_array array =
      hgrid_array_of(given.data(), HGRID_TYPE(type.code, type.bits, type.lanes), static_cast<int>(ndim), shape, stride);
  array.ndim = static_cast<std::int32_t>(given.ndim());
  return hgrid_array_on(array, given.device_type(), given.device_id());
}

/// Returns the largest absolute value of real numbers on the host, in any layout of one or two axes; NaN if one of them is NaN.
inline double largest_of(const Array& given) {
  const auto largest = [&](auto number) {
    using Number = decltype(number);
    const auto rows = given.ndim() > 0 ? given.shape(0) : 1, columns = given.ndim() > 1 ? given.shape(1) : 1;
    double most = 0;
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t k = 0; k < columns; ++k) {
        const auto at = static_cast<std::int64_t>(i) * (given.ndim() > 0 ? given.stride(0) : 0) +
                        static_cast<std::int64_t>(k) * (given.ndim() > 1 ? given.stride(1) : 0);
        const double size = std::fabs(static_cast<double>(static_cast<const Number*>(given.data())[at]));
        if (!(size <= most)) most = size;
      }
    }
    return most;
  };
  return given.dtype() == nb::dtype<float>() ? largest(0.0f) : largest(0.0);
}

/// Memory of a grid, which lives as long as any array over it.
using Memory = std::shared_ptr<hgrid_memory>;

/// Where a grid works, and its arrays are.
struct Place {
  const Door& door;
  int device_type = 1, device_id = 0;
  Memory nothing = {};  // for arrays without numbers, because some frameworks do not accept null pointers

  /// Returns n numbers in rows of `shape`, over that memory. Strides are in numbers; without them rows have no gaps. On the
  /// host it is an array of numpy; on a device, of any framework with DLPack. Some frameworks do not accept gaps: on a device,
  /// rows that are longer than the shown part are returned whole, with the number shown.
  nb::object give(const void* data, nb::dlpack::dtype type, std::vector<std::size_t> shape, const Memory& memory,
                  const std::vector<std::int64_t>& strides = {}) const {
    const std::size_t row = strides.empty() ? shape.back() : static_cast<std::size_t>(strides[strides.size() - 2]);
    if (device_type != 1 && shape.back() < row) {
      const std::size_t shown = std::exchange(shape.back(), row);
      return nb::make_tuple(give(data, type, std::move(shape), memory), shown);
    }
    const nb::capsule owner(new Memory(data != nullptr ? memory : nothing),
                            [](void* p) noexcept { delete static_cast<Memory*>(p); });
    void* const at = data != nullptr ? const_cast<void*>(data) : nothing_at;
    const std::int64_t* const steps = strides.empty() ? nullptr : strides.data();
    if (device_type == 1) return nb::cast(nb::ndarray<nb::numpy>(at, shape.size(), shape.data(), owner, steps, type, 1, 0));
    return nb::cast(nb::ndarray<nb::array_api>(at, shape.size(), shape.data(), owner, steps, type, device_type, device_id));
  }
  template <class T>
  nb::object give(const T* data, std::initializer_list<std::int64_t> shape, const Memory& memory) const {
    return give(data, nb::dtype<T>(), sizes(shape), memory);
  }
  /// Returns rows of `columns` numbers, of which `shown` are visible.
  template <class T>
  nb::object table(const T* data, std::int64_t rows, std::int64_t columns, std::int64_t shown, const Memory& memory) const {
    return give(data, nb::dtype<T>(), sizes({rows, shown}), memory, {columns, 1});
  }

  void* nothing_at = nullptr;

 private:
  static std::vector<std::size_t> sizes(std::initializer_list<std::int64_t> shape) { return {shape.begin(), shape.end()}; }
};

}  // namespace hgrid::python
