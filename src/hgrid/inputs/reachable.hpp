// SPDX-License-Identifier: BSD-3-Clause
// Refuses pointers to memory that the executor cannot reach, and names the array, if the machine can tell.
#pragma once

#include <array>
#include <string>
#include <utility>

#include "hgrid/core/error.hpp"
#include "hgrid/core/types.hpp"

namespace hgrid::inline v0_2::detail {

/// Throws `invalid_argument` with the name of the array if it lies in memory that the executor cannot reach. Only an executor
/// with `can_reach(pointer)` can tell.
template <class Exec>
void require_reachable(const Exec& exec, const char* name, const void* array) {
  if constexpr (requires { exec.can_reach(array); }) {
    if (array == nullptr || exec.can_reach(array)) return;
    throw Error(ErrorCode::invalid_argument,
                std::string(name) + " lie in the host's memory, which the device cannot reach; copy them there",
                {.argument = name});
  }
}

/// Checks each set of arrays once, because there are many builds and most use the same arrays.
class ReachableArrays {
 public:
  template <class Exec, class Real, int D>
  void require(const Exec& exec, const Particles<Real, D>& p) {
    if (p.count == 0) return;
    const Exclusions e = p.exclusions.size > 0 ? p.exclusions : Exclusions{};
    const Cutoffs c = p.cutoffs.types > 0 ? p.cutoffs : Cutoffs{};
    const Arrays now{{{"positions", p.position[0]},
                      {"positions", p.position[1]},
                      {"positions", p.position[D - 1]},
                      {"radii", p.radius},
                      {"extents", p.extent[0]},
                      {"extents", p.extent[1]},
                      {"extents", p.extent[D - 1]},
                      {"extra", p.extra},
                      {"group", p.group},
                      {"active", p.active},
                      {"exclusions", e.begin},
                      {"exclusions", e.ids},
                      {"exclusions", e.pairs},
                      {"cutoffs", c.type},
                      {"cutoffs", c.distance},
                      {"worlds", p.worlds.count > 0 ? p.worlds.of : nullptr}}};
    if (now == asked_) return;
    for (const auto& [name, array] : now) require_reachable(exec, name, array);
    asked_ = now;
  }

 private:
  using Arrays = std::array<std::pair<const char*, const void*>, 16>;
  Arrays asked_{};
};

}  // namespace hgrid::inline v0_2::detail
