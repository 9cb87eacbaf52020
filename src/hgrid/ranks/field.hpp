// SPDX-License-Identifier: BSD-3-Clause
// That which a user holds for each particle, as ranks take it.
#pragma once

#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

#include "hgrid/core/error.hpp"

namespace hgrid::inline v0_2 {

/// An array with `width` elements for each particle: `Field{velocities, 3}`. Where a field is asked for, a vector itself is one
/// of width 1; on a device it is a `DeviceVector`. Elements go to other ranks as bytes.
template <class T, class Values = std::vector<T>>
struct Field {
  static_assert(std::is_trivially_copyable_v<T>);
  Values& values;
  std::size_t width = 1;
};
template <class T>
Field(std::vector<T>&) -> Field<T>;
template <class T, class Width>
Field(std::vector<T>&, Width) -> Field<T>;

namespace detail {

/// Throws `size_mismatch` unless a field has entries for all of these particles, and no more.
template <class T, class Values>
void require_size(const Field<T, Values>& field, std::size_t particles) {
  const std::size_t size = field.values.size(), needed = particles * field.width;
  if (field.width > 0 && size == needed) return;
  throw Error(ErrorCode::size_mismatch,
              "a field of width " + std::to_string(field.width) + " has " + counted(size, "element") + " for " +
                  counted(particles, "particle"),
              {.argument = "field", .count = static_cast<std::int64_t>(size), .needed = static_cast<std::int64_t>(needed)});
}

}  // namespace detail

}  // namespace hgrid::inline v0_2
