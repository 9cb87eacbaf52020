// SPDX-License-Identifier: BSD-3-Clause
// The two inner loops of the fast schedule, compiled for each instruction set and chosen at run time.
#pragma once

#include "hgrid/core/grid_view.hpp"
#include "hgrid/core/predicate.hpp"
#include "hgrid/host/search/work_items.hpp"

namespace hgrid {

/// Candidates of one particle: slots [begin, end) under shift number `shift` of the batch.
struct Run {
  index_t p, begin, end;
  std::int32_t shift;
};

/// What a search of one level needs of each slot of a block.
template <int D>
struct SearchRanges {
  alignas(64) index_t low[D][slots_per_item];  ///< range of cells, both ends included
  index_t high[D][slots_per_item];
  index_t own[slots_per_item];                 ///< the slot's own cell along axis 1
  std::uint8_t crosses[slots_per_item];        ///< 1 where a periodic image reaches into the box
};

/// Fills the ranges of `count` slots from `first` on that look into level j. `ascending`: they look for later slots
/// of their own level, under row-major keys, so ranges begin at the own cell along the last axis.
template <int D>
void find_ranges(const GridView<D>& grid, int j, bool ascending, index_t first, index_t count,
                 SearchRanges<D>& ranges);

/// Tests all candidates of `count` runs by the predicate (the same rounded operations as `in_contact`, so the
/// same answers) and writes run number and slot of each that touches, in order. Returns their number. Room for
/// all candidates plus `slot_padding` is needed. `shifts` may be null when all runs have shift 0.
template <int D>
index_t test_runs(const GridView<D>& grid, const Run* runs, index_t count, const Shift<D>* shifts,
                  index_t* hit_run, index_t* hit_slot);

/// Name of the instruction set in use, e.g. "AVX-512".
const char* simd_target();

}  // namespace hgrid
