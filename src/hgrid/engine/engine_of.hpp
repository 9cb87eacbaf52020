// SPDX-License-Identifier: BSD-3-Clause
// Gives classes other than the grid access to its engine.
#pragma once

namespace hgrid::inline v0_2::detail {

/// Returns the engine of a grid.
struct EngineOf {
  template <class Grid>
  static auto& of(Grid& grid) {
    return grid.engine_;
  }
};

}  // namespace hgrid::inline v0_2::detail
