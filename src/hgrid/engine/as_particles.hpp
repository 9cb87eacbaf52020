// SPDX-License-Identifier: BSD-3-Clause
// What turns a user's containers into a view of particles; an executor's door adds its own overloads.
#pragma once

#include <ranges>
#include <string>

#include "hgrid/core/error.hpp"
#include "hgrid/core/types.hpp"

namespace hgrid {

/// Interleaved coordinates (D per particle) and radii in host containers. Throws `size_mismatch`.
template <int D, class Exec, std::ranges::contiguous_range Positions, std::ranges::contiguous_range Radii>
auto as_particles(const Exec&, const Positions& positions, const Radii& radii) {
  static_assert(Exec::on_host, "host containers cannot be read on a device; pass memory of its space");
  if (std::ranges::size(positions) != D * std::ranges::size(radii)) {
    throw Error(ErrorCode::size_mismatch,
                std::to_string(std::ranges::size(positions)) + " coordinates do not fit " +
                    std::to_string(std::ranges::size(radii)) + " radii in " + std::to_string(D) + " dimensions");
  }
  return particles<D>(std::ranges::data(positions), std::ranges::data(radii),
                      static_cast<std::int64_t>(std::ranges::size(radii)));
}

}  // namespace hgrid
