// SPDX-License-Identifier: BSD-3-Clause
// What turns a user's containers into a view of particles; an executor's door adds its own overloads.
#pragma once

#include <string>
#include <type_traits>

#include "hgrid/core/error.hpp"
#include "hgrid/core/types.hpp"

namespace hgrid::inline v0_1 {

namespace detail {

/// A container or array whose elements lie one after the other. (std::ranges has the like, for 0.3 s of each compilation.)
template <class C>
concept Contiguous = requires(const C& c) {
  requires std::is_pointer_v<decltype(std::data(c))>;
  std::size(c);
};

}  // namespace detail

/// Interleaved coordinates (D per particle) and radii in host containers. Throws `size_mismatch`.
template <int D, class Exec, detail::Contiguous Positions, detail::Contiguous Radii>
auto as_particles(const Exec&, const Positions& positions, const Radii& radii) {
  static_assert(Exec::on_host, "host containers cannot be read on a device; pass memory of its space");
  if (std::size(positions) != D * std::size(radii)) {
    throw Error(ErrorCode::size_mismatch, std::to_string(std::size(positions)) + " coordinates do not fit " +
                                              std::to_string(std::size(radii)) + " radii in " + std::to_string(D) +
                                              " dimensions");
  }
  return particles<D>(std::data(positions), std::data(radii), static_cast<std::int64_t>(std::size(radii)));
}

}  // namespace hgrid::inline v0_1
