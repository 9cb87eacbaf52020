// SPDX-License-Identifier: BSD-3-Clause
// What the host knows of a build: facts about its particles, and facts that the next build needs.
#pragma once

#include <algorithm>
#include <type_traits>
#include <vector>

#include "hgrid/core/types.hpp"
#include "hgrid/memory/generation.hpp"

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

/// Facts of the last build that the next one needs, if the grid was restored from a checkpoint and its slots are missing.
struct LastBuild {
  ClearedByMove<bool> known;
  bool astray = false;               ///< many of its particles lay between islands
  std::vector<index_t> level_begin;  ///< [levels + 1], or empty if it had no slots

  template <class A>
  void archive(A& a) {
    bool is_known = known;
    a(is_known, astray, level_begin);
    known = is_known;
    a.require("where levels began", [&] {
      return level_begin.empty() || (level_begin.front() == 0 && std::is_sorted(level_begin.begin(), level_begin.end()));
    });
  }
};

}  // namespace hgrid::inline v0_2::detail
