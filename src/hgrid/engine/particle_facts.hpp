// SPDX-License-Identifier: BSD-3-Clause
// Facts about the particles of a build that the host knows before its stages run.
#pragma once

#include <type_traits>

#include "hgrid/core/types.hpp"

namespace hgrid::inline v0_2::detail {

/// Kernels are enqueued by these facts, also in captured graphs. So a graph is stale for particles with other facts.
struct ParticleFacts {
  offset_t count = 0;
  index_t owned = 0, types = 0, worlds = 0;
  bool has_groups = false, has_exclusions = false, has_extents = false;
  bool has_floats = false;

  bool operator==(const ParticleFacts&) const = default;

  template <class Real, int D>
  static ParticleFacts of(const Particles<Real, D>& p) {
    return {.count = p.count,
            .owned = static_cast<index_t>(p.owned < 0 ? p.count : p.owned),
            .types = p.cutoffs.types,
            .worlds = p.worlds.count,
            .has_groups = p.group != nullptr,
            .has_exclusions = p.exclusions.size > 0,
            .has_extents = p.has_extents(),
            .has_floats = std::is_same_v<Real, float>};
  }
};

}  // namespace hgrid::inline v0_2::detail
