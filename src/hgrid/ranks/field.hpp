// SPDX-License-Identifier: BSD-3-Clause
// Data of users for each particle, as ranks take it.
#pragma once

#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

#include "hgrid/core/error.hpp"
#include "hgrid/inputs/as_particles.hpp"

namespace hgrid::inline v0_2 {

/// An array with `width` elements for each particle: `Field{velocities, 3}`. A vector where a field is expected is a field of
/// width 1; on a device it is a `DeviceVector`. Elements are sent as bytes.
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

/// Throws `size_mismatch` unless a field has entries for exactly these particles.
template <class T, class Values>
void require_size(const Field<T, Values>& field, std::size_t particles) {
  const std::size_t size = field.values.size(), needed = particles * field.width;
  if (field.width > 0 && size == needed) return;
  throw Error(ErrorCode::size_mismatch,
              "a field of width " + std::to_string(field.width) + " has " + counted(size, "element") + " for " +
                  counted(particles, "particle"),
              {.argument = "field", .count = static_cast<std::int64_t>(size), .needed = static_cast<std::int64_t>(needed)});
}

/// Returns how many numbers give a particle's size.
template <class T, class Values>
std::size_t width_of(const Field<T, Values>& sizes) {
  return sizes.width;
}
template <class Radii>
std::size_t width_of(const Radii&) {
  return 1;
}

/// Returns the width of sizes. Throws `size_mismatch` unless they are radii or half extents.
template <int D>
std::size_t checked_width(std::size_t sizes) {
  if (sizes == 1 || sizes == D) return sizes;
  throw Error(ErrorCode::size_mismatch,
              "a particle has one radius or " + std::to_string(D) + " half extents, and not " + counted(sizes, "size"),
              {.argument = "sizes", .count = static_cast<std::int64_t>(sizes), .needed = D});
}

/// Returns a view of particles whose sizes are one radius or D half extents each. The view has boxes even if there are no
/// particles.
template <int D, class Real>
Particles<Real, D> particles_of_width(const Real* x, const Real* sizes, std::size_t width, offset_t count) {
  static constexpr Real of_none[D] = {};
  if (width == 1) return particles<D>(x, sizes, count);
  return extended_particles<D>(x, sizes == nullptr ? of_none : sizes, count);
}

}  // namespace detail

/// Returns the particles of a rank with half extents: `Field{extents, D}`. Throws `size_mismatch`.
template <int D, class Exec, detail::Contiguous Positions, class Real, class Values>
Particles<Real, D> as_particles(const Exec& exec, const Positions& x, const Field<Real, Values>& sizes) {
  if (detail::checked_width<D>(sizes.width) == 1) return as_particles<D>(exec, x, sizes.values);
  const std::size_t count = sizes.values.size() / D;
  detail::require_size(sizes, count);
  if (x.size() != D * count) {
    throw Error(ErrorCode::size_mismatch, detail::counted(x.size(), "coordinate") + " for " +
                                              detail::counted(count, "box", "boxes") + " in " + std::to_string(D) +
                                              " dimensions");
  }
  return detail::particles_of_width<D, Real>(x.data(), sizes.values.data(), D, static_cast<offset_t>(count));
}

}  // namespace hgrid::inline v0_2
