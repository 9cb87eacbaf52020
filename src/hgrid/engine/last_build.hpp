// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <vector>

#include "hgrid/core/types.hpp"
#include "hgrid/memory/generation.hpp"

namespace hgrid::inline v0_2::detail {

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
