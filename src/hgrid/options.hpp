// SPDX-License-Identifier: BSD-3-Clause
// What a user may choose: for a grid, for a build, and who may look on.
#pragma once

#include <atomic>
#include <optional>
#include <vector>

#include "hgrid/core/contact.hpp"

namespace hgrid::inline v0_2 {

/// Cost of the elementary steps, in nanoseconds or any common unit.
struct SearchCosts {
  double setup = 25;           ///< a particle starting on a level
  double row = 4;              ///< looking up one row of cells in a dense table
  double candidate = 0.6;      ///< testing one candidate
  double cell = 2.5;           ///< building one cell of a dense table
  double compacted_row = 28;   ///< looking up one row of cells in a compacted table
  double compacted_slot = 10;  ///< a particle in a compacted table: what its build takes more than that of a dense one
  double island = 60;          ///< a particle of a dense table on islands, which is looked for: a fifth for up to two an axis
  friend bool operator==(const SearchCosts&, const SearchCosts&) = default;
};

/// A level as a user states it. Lengths in the units of the positions.
struct LevelSpec {
  double radius_max;    ///< largest radius (with extra distance and half the skin) to insert on this level
  double cell_size[3];  ///< per axis
};

/// Choices left open are made by the planner.
struct GridOptions {
  std::vector<LevelSpec> levels = {};  ///< finest first; empty: planned from the radii
  std::optional<Direction> direction = {};
  std::optional<KeyOrder> keys = {};
  std::optional<TableKind> table = {};
  Schedule schedule = Schedule::fast;     ///< of host executors
  std::optional<SearchCosts> costs = {};  ///< for planning the levels; else those of the executor
  /// Default: on hosts counting, into buckets of cells that are then sorted (fastest, 24 bytes per particle more than radix).
  /// On devices it is radix, which ran on an H100; counting by CUDA has not run on one yet. Where counting cannot be, as for
  /// Morton keys and on devices by Kokkos, particles are sorted by keys.
  std::optional<SortKind> sort = {};
  Rule rule = Rule::sum;  ///< which particles are in contact
};

/// Options that may differ from build to build.
struct BuildOptions {
  double skin = 0;         ///< pairs up to this much beyond touching are listed too (contract C5); a length, as radii
  bool check_now = false;  ///< on a device: wait, and throw bad input here instead of at the next read-back
};

/// Options of a search.
struct FindOptions {
  Order order = Order::fixed;      ///< of the contacts in a list of pairs
  ListKind kind = ListKind::full;  ///< of the lists in a matrix
};

/// Says which contacts a search takes: `grid.find(list, only(touches))`. Refers to the predicate.
template <class Touches>
struct Only {
  const Touches& touches;
};
template <class Touches>
Only<Touches> only(const Touches& touches) {
  return {touches};
}

namespace detail {
struct AllTouch {
  HGRID_HD bool operator()(index_t, index_t, const Image&) const { return true; }
};
inline constexpr AllTouch all_touch;
}  // namespace detail

/// Looks on while a host executor builds or searches: asked between blocks of particles and between batches of candidates. A
/// device is asked before it is given work.
struct Watch {
  /// Once true, whoever sets it (another thread, a signal handler), the work at hand throws `stopped`: a build leaves the
  /// grid as it was, a search its list empty. A build that has begun to write slots runs to its end. Null: nobody stops it.
  const std::atomic<bool>* stop = nullptr;
  /// Told the share of the work at hand that is done, in [0, 1], from one thread at a time; it must not throw. Null: nobody
  /// is told.
  void (*progress)(void* context, double share) = nullptr;
  void* context = nullptr;  ///< passed on

  /// Throws `stopped`.
  void ask() const {
    if (stop != nullptr && stop->load(std::memory_order_relaxed)) throw_stopped();
  }
  void tell(double share) const {
    if (progress != nullptr) progress(context, share);
  }

 private:
  [[noreturn]] static void throw_stopped();
};

}  // namespace hgrid::inline v0_2
