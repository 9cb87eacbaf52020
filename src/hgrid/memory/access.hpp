// SPDX-License-Identifier: BSD-3-Clause
// The library's own code that reads and writes the private state of its public classes.
#pragma once

namespace hgrid::inline v0_2::detail {

/// The friend of the public classes: its functions, and the classes that it declares, see their private members.
struct Access {
  /// Returns the engine of a grid.
  template <class Grid>
  static auto& engine(Grid& grid) {
    return grid.engine_;
  }
  /// Returns the visitors of a grid, for other classes that call functors for its particles.
  template <class Grid>
  static auto& visitors(const Grid& grid) {
    return grid.visitors_;
  }
  /// Throws unless the grid can fill lists of this kind.
  template <class Grid, class Kind>
  static void require_lists(const Grid& grid, Kind kind) {
    grid.require_lists(kind);
  }
  /// Returns the arrays of a list.
  template <class List>
  static auto& arrays(List& list) {
    return list.a_;
  }

  struct Checkpoints;      // loop/checkpoint.hpp
  struct CapturedLoop;     // loop/captured_loop.hpp
  struct WrappedLoop;      // loop/wrapped_loop.hpp
  struct RankSkin;         // ranks/rank_skin.hpp
  struct RankWraps;        // ranks/rank_wraps.hpp
  struct RankCheckpoints;  // ranks/rank_checkpoint.hpp
  template <class Grid>
  class GhostFields;  // ranks/field_traffic.hpp
  template <class Grid>
  class HeldOfGrid;  // ranks/held.hpp
  template <class Grid, class Exec, int D>
  class NeighboursOfGrid;  // ranks/neighbours_of_ranks.hpp
};

}  // namespace hgrid::inline v0_2::detail
