// SPDX-License-Identifier: BSD-3-Clause
// The inner loops of the SIMD path, compiled for each instruction set and chosen at run time.
#pragma once

#include "hgrid/core/contact.hpp"
#include "hgrid/core/function_ref.hpp"
#include "hgrid/core/grid_view.hpp"
#include "hgrid/core/near_runs.hpp"
#include "hgrid/threads/simd_target.hpp"
#include "host/search/filter_columns.hpp"
#include "host/search/work_items.hpp"

namespace hgrid::inline v0_2::detail {

inline constexpr index_t runs_per_batch = 1024;
inline constexpr index_t hits_per_batch = 1024;
inline constexpr index_t vector_room = 16;  ///< a vector store may write this number of elements beyond the last

/// Runs of candidates: slots [begin[k], begin[k] + length[k]) may hold partners of slot p[k]. Most runs are cut to the length
/// that is tested at once, so that their test needs no branch. Some 16 KiB, which stay in the first-level cache.
struct RunList {
  index_t count = 0;
  index_t cut;  ///< length to which most are cut
  index_t p[runs_per_batch + vector_room];
  index_t begin[runs_per_batch + vector_room];
  index_t length[runs_per_batch + vector_room];
  std::int32_t shift[runs_per_batch];  ///< number of its shift in the batch; valid if there are any but number 0
};

/// Candidates that touch: p[k] and q[k], under shift number shift[k], which is valid as in RunList.
struct HitList {
  index_t count = 0;
  index_t asked = 0;  ///< how often the filter left candidates to the predicate
  index_t p[hits_per_batch + vector_room];
  index_t q[hits_per_batch + vector_room];
  std::int32_t shift[hits_per_batch + vector_room];
};

/// The ranges of a batch of slots in a search of one level, and the number of rows of the widest along axes 1 and 2.
template <int D>
struct SearchRanges {
  alignas(64) index_t low[D][slots_per_item];  ///< range of cells, both ends included
  index_t high[D][slots_per_item];
  index_t own[slots_per_item];           ///< the slot's own cell along axis 1
  index_t segment[slots_per_item];       ///< compacted tables, ascending slots: the segment of the slot, or the next
  index_t last_segment;                  ///< a segment near the last row's
  index_t away;                          ///< its distance from the slot's segment, when last found
  std::uint8_t crosses[slots_per_item];  ///< which images reach into the box: bits of `side_bit`, or `far_images`
  std::uint8_t scans[slots_per_item];    ///< 1 if the level has fewer particles than the range has rows
  index_t rows[2];
  std::uint8_t any_crosses;  ///< bits of some slot
  bool any_scans;

  /// Returns the bit of images one period behind the slot along an axis (m = -1), or before it (m = 1).
  static constexpr int side_bit(int axis, int m) { return 1 << (2 * axis + (m > 0)); }
  /// Images are farther away than one period, or also move along other axes.
  static constexpr int far_images = 1 << 6;
};

/// The images with numbers -1, 0 and 1 along each axis, in lexicographic order, that may reach into the box, for each set of
/// sides over which images reach.
template <int D>
struct ImagesOfSides {
  static constexpr int images = D == 3 ? 27 : 9, middle = images / 2;
  std::uint8_t count[1 << 2 * D], image[1 << 2 * D][images];

  static constexpr Vec<int, D> of(int image) {
    Vec<int, D> m{};
    for (int k = D - 1; k >= 0; --k, image /= 3) m[k] = image % 3 - 1;
    return m;
  }

  constexpr ImagesOfSides() : count{}, image{} {
    for (int sides = 0; sides < 1 << 2 * D; ++sides) {
      for (int n = 0; n < images; ++n) {
        int needed = 0;
        for (int k = 0; k < D; ++k) needed |= of(n)[k] == 0 ? 0 : SearchRanges<D>::side_bit(k, of(n)[k]);
        if (n != middle && (sides & needed) == needed) image[sides][count[sides]++] = static_cast<std::uint8_t>(n);
      }
    }
  }
};

/// Slots of a batch that search one level.
struct SlotBatch {
  int target;
  index_t first, count;  ///< the slots from `first` on, except under a shift
  bool once;             ///< the slots search their own level, and only later slots are candidates
  bool ascending;        ///< `once` with row-major keys: later slots are in no earlier layer or row
  const index_t* slot;   ///< the slots: [count], and arbitrary values up to a whole vector
};

/// Returns the end of the slots from `slot` on, up to `end`, that are of one world.
template <int D>
index_t end_of_world(const GridView<D>& g, index_t slot, index_t end) {
  const index_t world = g.world_of(slot);
  while (g.has_worlds() && slot < end && g.world[slot] == world) ++slot;
  return g.has_worlds() ? slot : end;
}

/// A row of the slots' search ranges, counted from the first row of each slot.
struct RowNumber {
  index_t y, z;
};

/// The filter of a search: columns, or empty ones; the length to which runs are cut; the margin for the current runs.
template <int D>
struct Filter {
  FilterColumns<D> columns;
  index_t cut = 4;
  float margin = 0;
};

/// Fills the ranges of the slots, which are of `asking`, among the cells of a grid: the same one, or another one in the same
/// box.
template <int D>
void find_ranges(const GridView<D>& asking, const GridView<D>& grid, const SlotBatch& slots, SearchRanges<D>& ranges);

/// Fills the ranges under a shift, for the slots in `slots.slot`, all of one world. Does not find images.
template <int D>
void find_ranges(const GridView<D>& asking, const GridView<D>& grid, const SlotBatch& slots, const Shift<D>& shift,
                 SearchRanges<D>& ranges);

/// Appends the runs of one row for slots from number `from` on, except slots that scan. For row-major keys, and levels for
/// which `rows_fit_int32`. Returns the slot number to continue from when the list is full, or else the number of slots.
template <int D>
index_t collect_row(const GridView<D>& grid, const SlotBatch& slots, SearchRanges<D>& ranges, RowNumber row, index_t from,
                    RunList& runs);

/// Returns how many candidates `test_runs` tests at once, by filter columns or without. Columns pay if they raise this number.
index_t candidates_at_once(bool filtered);

/// Tests the candidates of the runs from number `from` on by the predicate, with the rounded operations of `in_contact`, and
/// lists the candidates that touch, in order. Returns the run to continue from when the list is full; that run then begins
/// where the test stopped. Slots p are of `asking`, and q of `grid`. `filter` may be null. `shifts` may be null if all runs
/// have shift 0 and both grids are one. `name` is null for hits as slots, and for two grids, or else has the names of the
/// slots.
template <int D>
index_t test_runs(const GridView<D>& asking, const GridView<D>& grid, const Filter<D>* filter, RunList& runs, index_t from,
                  const Shift<D>* shifts, const index_t* name, HitList& hits);

/// Takes the runs that are longer than `longest_plain_run` out of a list, and puts their near parts into the list `near`, for a
/// grid with boxes over its slots. Calls `test` when `near` is full, and in the end. `shifts` is as in `test_runs`.
template <int D>
void test_long_runs(const GridView<D>& asking, const GridView<D>& grid, RunList& runs, const Shift<D>* shifts, RunList& near,
                    FunctionRef<void()> test);

/// Writes the first n hits from number `from` on as pairs, the smaller id first.
void write_pairs(const HitList& hits, index_t from, index_t n, Pair* out);

}  // namespace hgrid::inline v0_2::detail
