// SPDX-License-Identifier: BSD-3-Clause
// Searches in two phases, with the geometry and predicate of core/search.hpp. For a batch of slots and a target level, it first
// collects the runs of candidates in a list that stays in the first-level cache, then tests them with vector instructions.
#include "host/search/fast_search.hpp"

#include <numeric>

#include "host/search/run_batch.hpp"

namespace hgrid::inline v0_2::detail {
namespace {

constexpr unsigned hints = 16;

/// Collects the rows of slot number i of a batch one by one: for tables that need more than two reads per row.
template <int D>
void collect_slot(const GridView<D>& g, const SlotBatch& slots, const SearchRanges<D>& ranges, index_t i, index_t* hint,
                  const Shift<D>* shift, RunBatch<D>& batch) {
  const index_t p = slots.slot[i], from = slots.once ? p + 1 : 0;
  Vec<index_t, D> row, last;
  for (int k = 0; k < D; ++k) row[k] = ranges.low[k][i], last[k] = ranges.high[k][i];
  if (last[1] < 0) return;
  if (slots.ascending) row[1] = ranges.own[i];
  for (unsigned number = 0;; ++number) {
    g.for_each_run(slots.target, row, last[0], hint[number % hints],
                   [&](index_t begin, index_t end) { batch.add(p, begin < from ? from : begin, end, shift); });
    if (++row[1] <= last[1]) continue;
    row[1] = ranges.low[1][i];
    if (D == 2 || ++row[D - 1] > last[D - 1]) break;
  }
}

/// Returns whether an index_t can count the rows of a search range from any cell of a level on, and in a dense table the
/// level's cells.
template <int D>
bool rows_fit_int32(const GridView<D>& g, const Level<D>& level) {
  double cells = 1, most = 0;
  for (int k = 0; k < D; ++k) {
    const double along = k == D - 1 && g.has_worlds() ? 1.0 * g.worlds * level.cells[k] : level.cells[k];
    cells *= along, most = std::max(most, along);
  }
  return most <= 0x1p30 && (g.table.kind == TableKind::compacted || cells < INT32_MAX);
}

/// Collects the rows of a batch of slots, under a shift unless it is null.
template <int D>
void collect_rows(const GridView<D>& g, const SlotBatch& slots, SearchRanges<D>& ranges, const Shift<D>* shift,
                  RunBatch<D>& batch) {
  if (g.keys == KeyOrder::row_major && rows_fit_int32(g, g.level[slots.target])) {
    for (RowNumber row{0, 0}; row.z < ranges.rows[1]; ++row.z) {
      for (row.y = 0; row.y < ranges.rows[0]; ++row.y) batch.add_row(slots, ranges, row, shift);
    }
  } else {
    index_t hint[hints] = {};  // consecutive slots have neighboring rows, so each search starts near the last result
    for (index_t i = 0; i < slots.count; ++i) collect_slot(g, slots, ranges, i, hint, shift, batch);
  }
}

/// Collects the runs of a query of slot p that the rows left out.
template <int D>
void collect_query(const GridView<D>& g, index_t p, int target, const Query<D>& query, RunBatch<D>& batch) {
  for_each_run_of_query(g, target, query,
                        [&](index_t begin, index_t end, const Shift<D>& shift) { batch.add(p, begin, end, &shift); });
}

/// Collects the rows under the image m for the `chosen` slots of a batch that it reaches, all of one world.
template <int D>
void collect_image(const GridView<D>& asking, const GridView<D>& g, const SlotBatch& chosen, const Vec<int, D>& m,
                   SearchRanges<D>& ranges, RunBatch<D>& batch) {
  const index_t world = asking.world_of(chosen.slot[0]);
  const Shift<D> shift = shift_of(g.box_of(world), m);
  find_ranges(asking, g, chosen, shift, ranges);
  collect_rows(g, chosen, ranges, &shift, batch);
  const SlotRun all = g.slots_on(chosen.target, world);
  for (index_t i = 0; i < chosen.count && ranges.any_scans; ++i) {
    if (ranges.scans[i]) batch.add(chosen.slot[i], all.begin, all.end, &shift);
  }
}

/// Collects the images with numbers -1, 0 and 1 for slots [first, end) of a batch, all of one world. Images are numbered in
/// order, so the ones after the middle are lexicographically positive.
template <int D>
void collect_images(const GridView<D>& asking, const GridView<D>& g, const SlotBatch& slots, const SearchRanges<D>& found,
                    index_t first, index_t end, SearchRanges<D>& ranges, RunBatch<D>& batch) {
  using Sides = ImagesOfSides<D>;
  static constexpr Sides images_of;
  std::uint8_t listed[Sides::images][slots_per_item];  // for each image, its slots by number in the batch
  index_t counts[Sides::images] = {};
  const int from = slots.once ? Sides::middle + 1 : 0;
  for (index_t i = first; i < end; ++i) {
    const int sides = found.crosses[i];
    if (sides == 0 || (sides & SearchRanges<D>::far_images) != 0 || found.scans[i]) continue;
    for (int k = 0; k < images_of.count[sides]; ++k) {
      const int image = images_of.image[sides][k];
      listed[image][counts[image]] = static_cast<std::uint8_t>(i);
      counts[image] += image >= from;
    }
  }
  alignas(64) index_t slot[slots_per_item];
  for (int image = from; image < Sides::images; ++image) {
    if (counts[image] == 0) continue;
    for (index_t k = 0; k < counts[image]; ++k) slot[k] = slots.first + listed[image][k];
    collect_image(asking, g, {slots.target, 0, counts[image], false, false, slot}, Sides::of(image), ranges, batch);
  }
}

/// Collects the runs of slot p of level `own` one by one. Runs under no shift have been collected already, unless the slot
/// `scans`.
template <Visit visit, int D>
void collect_alone(const OneGrid<D>& grids, int own, index_t p, int target, bool scans, RunBatch<D>& batch) {
  for_each_query<visit>(grids.asked, p, own, target, [&](const Query<D>& query) {
    if (lexicographic_sign(query.shift.m) != 0 || scans) collect_query(grids.asked, p, target, query, batch);
  });
}
template <Visit visit, int D>
void collect_alone(const TwoGrids<D>& grids, int, index_t p, int target, bool scans, RunBatch<D>& batch) {
  const index_t world = grids.world_of(p);
  grids.for_each_run(grids.asked.box_of(world), asker(grids.asking, p), world, target,
                     [&](index_t begin, index_t end, const Shift<D>& shift) {
                       if (lexicographic_sign(shift.m) != 0 || scans) batch.add(p, begin, end, &shift);
                     });
}

/// Runs phase one for a batch of slots of level `own`; `shifted` is room for ranges under images.
template <Visit visit, int D, class Grids>
void collect_runs(const Grids& grids, int own, const SlotBatch& slots, SearchRanges<D>& ranges, SearchRanges<D>& shifted,
                  RunBatch<D>& batch) {
  const GridView<D>&asking = grids.asking, &g = grids.asked;
  if (tests_all_pairs(g)) {
    for (index_t p = slots.first; p < slots.first + slots.count; ++p) batch.add(p, slots.once ? p + 1 : 0, g.slots(), nullptr);
    return;
  }
  find_ranges(asking, g, slots, ranges);
  collect_rows<D>(g, slots, ranges, nullptr, batch);
  if (ranges.any_crosses == 0 && !ranges.any_scans) return;
  for (index_t first = 0, end; first < slots.count; first = end) {
    end = end_of_world(asking, slots.first + first, slots.first + slots.count) - slots.first;
    if ((ranges.any_crosses & ~SearchRanges<D>::far_images) != 0)
      collect_images(asking, g, slots, ranges, first, end, shifted, batch);
  }
  for (index_t i = 0; i < slots.count; ++i) {  // the few that need another way
    const bool far = (ranges.crosses[i] & SearchRanges<D>::far_images) != 0;
    if (far || ranges.scans[i]) collect_alone<visit>(grids, own, slots.first + i, slots.target, ranges.scans[i] != 0, batch);
  }
}

/// Runs both phases for one item.
template <Visit visit, int D, class Grids>
void search_item(const Grids& grids, const WorkItem& item, SearchRanges<D>& ranges, SearchRanges<D>& shifted,
                 RunBatch<D>& batch) {
  const GridView<D>& g = grids.asked;
  const int begin = item.target < 0 ? 0 : item.target, end = item.target < 0 ? g.level_count : item.target + 1;
  double farthest = 0;
  for (int target = begin; target < end; ++target) {
    for (int k = 0; k < (g.has_extents() ? D : 1); ++k)
      farthest = std::max(farthest, distance_of_levels(grids.asking, item.own, g, target, k));
  }
  batch.expect(farthest);
  alignas(64) index_t slot[slots_per_item];
  std::iota(slot, slot + (item.last - item.first), item.first);
  for (int target = begin; target < end; ++target) {
    if (g.level_begin[target] == g.level_begin[target + 1]) continue;
    const bool once = visit == Visit::once && item.own == target;  // of one grid
    const SlotBatch slots{target, item.first, item.last - item.first, once, once && g.keys == KeyOrder::row_major, slot};
    collect_runs<visit>(grids, item.own, slots, ranges, shifted, batch);
  }
  batch.flush();
}

}  // namespace

template <Visit visit, int D, class Grids>
void search_items(const Grids& grids, const Filter<D>& filter, ItemsLeft<D>& left, offset_t worker, HitSink<D>& sink) {
  SearchRanges<D> ranges, shifted;
  RunBatch<D> batch(grids.asking, grids.asked, filter, sink);
  const offset_t items = left.items.size();
  for (offset_t item; (item = left.next.fetch_add(1, std::memory_order_relaxed)) < items;) {
    left.watch.ask();
    sink.begin(item);
    search_item<visit>(grids, left.items[item], ranges, shifted, batch);
    sink.end(item);
    if (worker == 0) left.watch.tell(static_cast<double>(item + 1) / static_cast<double>(items));
  }
}

#define HGRID_INSTANCES(D)                                                                                            \
  template void search_items<Visit::once>(const OneGrid<D>&, const Filter<D>&, ItemsLeft<D>&, offset_t, HitSink<D>&); \
  template void search_items<Visit::all>(const OneGrid<D>&, const Filter<D>&, ItemsLeft<D>&, offset_t, HitSink<D>&);  \
  template void search_items<Visit::all>(const TwoGrids<D>&, const Filter<D>&, ItemsLeft<D>&, offset_t, HitSink<D>&);
HGRID_INSTANCES(2)
HGRID_INSTANCES(3)

}  // namespace hgrid::inline v0_2::detail
