// SPDX-License-Identifier: BSD-3-Clause
// The inner loops of the search without a vector library, for builds without Highway.
#include "host/search/brick.hpp"
#include "host/search/run_kernels.hpp"

namespace hgrid::inline v0_2::detail {

namespace {
#include "host/search/cell_of-inl.hpp"  // which the next uses

#include "host/search/find_ranges-inl.hpp"
#include "host/search/near_parts-inl.hpp"
}  // namespace

template <int D>
void find_ranges(const GridView<D>& asking, const GridView<D>& g, const SlotBatch& slots, SearchRanges<D>& ranges) {
  find_ranges_of_all<D>(asking, g, slots, ranges);
}

template <int D>
void find_ranges(const GridView<D>& asking, const GridView<D>& g, const SlotBatch& slots, const Shift<D>& shift,
                 SearchRanges<D>& ranges) {
  find_ranges_under<D>(asking, g, slots, shift, ranges);
}

template <int D>
index_t collect_row(const GridView<D>& g, const SlotBatch& slots, SearchRanges<D>& ranges, RowNumber row, index_t from,
                    RunList& runs) {
  const index_t* const first_y = slots.ascending && row.z == 0 ? ranges.own : ranges.low[1];
  for (index_t i = from; i < slots.count; ++i) {
    if (runs.count == runs_per_batch) return i;
    Vec<index_t, D> cell;
    cell[0] = ranges.low[0][i], cell[1] = first_y[i] + row.y;
    if (D == 3) cell[D - 1] = ranges.low[D - 1][i] + row.z;
    if (cell[1] > ranges.high[1][i] || (D == 3 && cell[D - 1] > ranges.high[D - 1][i])) continue;
    const SlotRun run = g.run(slots.target, cell, ranges.high[0][i], ranges.last_segment);
    const index_t p = slots.slot[i], k = runs.count;
    runs.p[k] = p;
    runs.begin[k] = slots.once && run.begin <= p ? p + 1 : run.begin;
    runs.length[k] = run.end - runs.begin[k];
    runs.count += runs.length[k] > 0;
  }
  return slots.count;
}

index_t candidates_at_once(bool) { return 1; }

template <int D>
index_t test_runs(const GridView<D>& asking, const GridView<D>& g, const Filter<D>*, RunList& runs, index_t from,
                  const Shift<D>* shifts, const index_t* name, HitList& list) {
  const Shift<D> in_place{};
  index_t hits = 0;
  for (index_t r = from; r < runs.count; ++r) {
    const index_t p = runs.p[r];
    const std::int32_t number = shifts == nullptr ? 0 : runs.shift[r];
    const Shift<D>& shift = shifts == nullptr ? in_place : shifts[number];
    for (index_t q = runs.begin[r], end = q + runs.length[r]; q < end; ++q) {
      if (hits == hits_per_batch) {
        runs.begin[r] = q, runs.length[r] = end - q;
        list.count = hits;
        return r;
      }
      list.p[hits] = name == nullptr ? p : name[p];
      list.q[hits] = name == nullptr ? q : name[q];
      list.shift[hits] = number;
      hits += in_contact(g, asker(asking, p), q, shift);
    }
  }
  list.count = hits;
  return runs.count;
}

template <int D>
void test_long_runs(const GridView<D>& asking, const GridView<D>& g, RunList& runs, const Shift<D>* shifts, RunList& near,
                    FunctionRef<void()> test) {
  cut_long_runs(asking, g, runs, shifts, near, test);
}

void write_pairs(const HitList& hits, index_t from, index_t n, Pair* out) {
  write_all_pairs(hits.p + from, hits.q + from, n, out);
}

template <int D>
index_t gather_slots(const GridView<D>& g, const BrickBox<D>& box, index_t begin, index_t end, index_t* slot, index_t* id,
                     index_t n) {
  for (index_t q = begin; q < end; ++q) {
    const double distance = box.reach + g.radius[q];
    double squared = 0;
    for (int k = 0; k < D; ++k) {
      const double beyond = std::max(std::fabs(g.x[k][q] - box.centre[k]) - box.half[k], 0.0);
      squared += beyond * beyond;
    }
    slot[n] = q, id[n] = g.id[q];
    n += squared <= distance * distance;
  }
  return n;
}

template <int D>
index_t sweep_brick(const GridView<D>& g, const Brick<D>& brick, const Asker<D>& p, index_t from, const index_t* column,
                    index_t* out, const std::uint32_t* other, std::uint32_t* other_out) {
  index_t n = 0;
  for (index_t c = from; c < brick.candidates; ++c) {
    out[n] = column[c];
    if (other != nullptr) other_out[n] = other[c];
    n += !brick.left_out(c) && in_contact(g, p, brick.slot[c], brick.by[brick.shift[c]]);
  }
  return n;
}

template void find_ranges(const GridView<2>&, const GridView<2>&, const SlotBatch&, SearchRanges<2>&);
template void find_ranges(const GridView<2>&, const GridView<2>&, const SlotBatch&, const Shift<2>&, SearchRanges<2>&);
template index_t collect_row(const GridView<2>&, const SlotBatch&, SearchRanges<2>&, RowNumber, index_t, RunList&);
template index_t test_runs(const GridView<2>&, const GridView<2>&, const Filter<2>*, RunList&, index_t, const Shift<2>*,
                           const index_t*, HitList&);
template void test_long_runs(const GridView<2>&, const GridView<2>&, RunList&, const Shift<2>*, RunList&, FunctionRef<void()>);
template void find_ranges(const GridView<3>&, const GridView<3>&, const SlotBatch&, SearchRanges<3>&);
template void find_ranges(const GridView<3>&, const GridView<3>&, const SlotBatch&, const Shift<3>&, SearchRanges<3>&);
template index_t collect_row(const GridView<3>&, const SlotBatch&, SearchRanges<3>&, RowNumber, index_t, RunList&);
template index_t test_runs(const GridView<3>&, const GridView<3>&, const Filter<3>*, RunList&, index_t, const Shift<3>*,
                           const index_t*, HitList&);
template void test_long_runs(const GridView<3>&, const GridView<3>&, RunList&, const Shift<3>*, RunList&, FunctionRef<void()>);

template index_t gather_slots(const GridView<2>&, const BrickBox<2>&, index_t, index_t, index_t*, index_t*, index_t);
template index_t gather_slots(const GridView<3>&, const BrickBox<3>&, index_t, index_t, index_t*, index_t*, index_t);
template index_t sweep_brick(const GridView<2>&, const Brick<2>&, const Asker<2>&, index_t, const index_t*, index_t*,
                             const std::uint32_t*, std::uint32_t*);
template index_t sweep_brick(const GridView<3>&, const Brick<3>&, const Asker<3>&, index_t, const index_t*, index_t*,
                             const std::uint32_t*, std::uint32_t*);

}  // namespace hgrid::inline v0_2::detail

const char* hgrid::simd_target() { return "none"; }
