// SPDX-License-Identifier: BSD-3-Clause
// The user's choices for a grid and for a build, and the watch that can stop them.
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
  double compacted_slot = 10;  ///< per particle in a compacted table: the additional cost of its build over a dense table
  double island = 60;          ///< per particle of a dense table on islands, which are searched: a fifth for up to two per axis
  friend bool operator==(const SearchCosts&, const SearchCosts&) = default;
};

/// A level that a user specifies. Lengths are in the unit of the positions.
struct LevelSpec {
  double radius_max;    ///< largest radius (with extra distance and half the skin) to insert on this level
  double cell_size[3];  ///< per axis
};

/// The planner makes the choices that are left open.
struct GridOptions {
  std::vector<LevelSpec> levels = {};  ///< finest first; empty: planned from the radii
  std::optional<Direction> direction = {};
  std::optional<KeyOrder> keys = {};
  std::optional<TableKind> table = {};
  Schedule schedule = Schedule::fast;     ///< for host executors
  std::optional<SearchCosts> costs = {};  ///< for planning the levels; if not set, the executor's own costs
  /// How particles are sorted into cells. The default on hosts is counting, into buckets of cells that are then sorted
  /// (fastest, 24 bytes per particle more than radix). The default on devices is radix, which has run on an H100; counting by
  /// CUDA has not run on one yet. If counting is impossible, as for Morton keys and on devices by Kokkos, particles are sorted
  /// by keys.
  std::optional<SortKind> sort = {};
  Rule rule = Rule::sum;  ///< which particles are in contact
};

/// Options that may differ from build to build.
struct BuildOptions {
  double skin = 0;         ///< pairs up to this far from touching are also listed (contract C5); a length, like radii
  bool check_now = false;  ///< on a device: wait, and throw bad input here instead of at the next read-back
};

/// Options of a search.
struct FindOptions {
  Order order = Order::fixed;      ///< of the contacts in a list of pairs
  ListKind kind = ListKind::full;  ///< of the lists in a matrix
};

/// Selects the contacts that a search takes: `grid.find(list, only(touches))`. Refers to the predicate.
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

/// Watches a host executor build or search: it is consulted between blocks of particles and between batches of candidates. With
/// a device it is consulted before work is enqueued.
struct Watch {
  /// Once this is true (set by another thread or a signal handler), the current work throws `stopped`: a build leaves the grid
  /// unchanged, a search leaves its list empty. A build that has begun to write slots runs to its end. Null: cannot be stopped.
  const std::atomic<bool>* stop = nullptr;
  /// Called with the share of the current work that is done, in [0, 1], from one thread at a time. Must not throw. May be null.
  void (*progress)(void* context, double share) = nullptr;
  void* context = nullptr;  ///< passed to `progress`

  /// Throws `stopped` if `stop` is set.
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
