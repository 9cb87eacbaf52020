// SPDX-License-Identifier: BSD-3-Clause
// What classes beside a grid ask its engine for.
#pragma once

namespace hgrid::inline v0_2::detail {

/// The engine of a grid.
struct EngineOf {
  template <class Grid>
  static auto& of(Grid& grid) {
    return grid.engine_;
  }
};

}  // namespace hgrid::inline v0_2::detail
