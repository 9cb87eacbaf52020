// SPDX-License-Identifier: BSD-3-Clause
// Compiled once for each instruction set: Highway includes this file again for each.
#include "host/search/run_kernels.hpp"

#include <algorithm>

#include "host/search/brick.hpp"
#include "host/search/lane_numbers.hpp"
#include "host/search/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "host/search/run_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace hgrid::inline v0_2::detail::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// At most eight lanes: the bits of a mask then fit a byte.
constexpr hn::CappedTag<double, vector_room / 2> doubles;
constexpr hn::CappedTag<float, vector_room / 2> floats;
using Doubles = hn::Vec<decltype(doubles)>;
using Floats = hn::Vec<decltype(floats)>;

index_t at_once(bool filtered) { return static_cast<index_t>(filtered ? hn::MaxLanes(floats) : hn::MaxLanes(doubles)); }

#include "host/search/cell_of-inl.hpp"
#include "host/search/selection-inl.hpp"  // which the others use, and the one above

#include "host/search/collect-inl.hpp"
#include "host/search/find_ranges-inl.hpp"

#include "host/search/test-inl.hpp"

#include "host/search/near_parts-inl.hpp"

template <int D>
index_t collect(const GridView<D>& g, const SlotBatch& slots, SearchRanges<D>& ranges, RowNumber row, index_t from,
                RunList& runs) {
  return g.table.kind == TableKind::dense ? collect_dense<D>(g, slots, ranges, row, from, runs)
                                          : collect_compacted<D>(g, slots, ranges, row, runs);
}

#include "host/search/brick-inl.hpp"

}  // namespace hgrid::inline v0_2::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "host/search/simd_dispatch.hpp"

const char* hgrid::simd_target() {
  using namespace detail;
#ifdef HGRID_SIMD_TARGETS
  if (simd_target_in_use == SimdTarget::avx512) return "AVX-512";
  if (simd_target_in_use == SimdTarget::avx2) return "AVX2";
#endif
  return hwy::TargetName(HWY_STATIC_TARGET);
}

namespace hgrid::inline v0_2::detail {

template <int D>
void find_ranges(const GridView<D>& asking, const GridView<D>& g, const SlotBatch& slots, SearchRanges<D>& ranges) {
  HGRID_DISPATCH(find_ranges_of_all<D>)(asking, g, slots, ranges);
}

template <int D>
void find_ranges(const GridView<D>& asking, const GridView<D>& g, const SlotBatch& slots, const Shift<D>& shift,
                 SearchRanges<D>& ranges) {
  HGRID_DISPATCH(find_ranges_under<D>)(asking, g, slots, shift, ranges);
}

template <int D>
index_t collect_row(const GridView<D>& g, const SlotBatch& slots, SearchRanges<D>& ranges, RowNumber row, index_t from,
                    RunList& runs) {
  return HGRID_DISPATCH(collect<D>)(g, slots, ranges, row, from, runs);
}

template <int D>
index_t test_runs(const GridView<D>& asking, const GridView<D>& g, const Filter<D>* filter, RunList& runs, index_t from,
                  const Shift<D>* shifts, const index_t* name, HitList& hits) {
  return HGRID_DISPATCH(test_any<D>)(asking, g, filter, runs, from, shifts, name, hits);
}

template <int D>
void test_long_runs(const GridView<D>& asking, const GridView<D>& g, RunList& runs, const Shift<D>* shifts, RunList& near,
                    FunctionRef<void()> test) {
  HGRID_DISPATCH(cut_long_runs<D>)(asking, g, runs, shifts, near, test);
}

template <int D>
index_t gather_slots(const GridView<D>& g, const BrickBox<D>& box, index_t begin, index_t end, index_t* slot, index_t* id,
                     index_t n) {
  return HGRID_DISPATCH(gather<D>)(g, box, begin, end, slot, id, n);
}

template <int D>
index_t sweep_brick(const GridView<D>& g, const Brick<D>& brick, const Asker<D>& p, index_t from, const index_t* column,
                    index_t* out, const std::uint32_t* other, std::uint32_t* other_out) {
  return HGRID_DISPATCH(sweep<D>)(g, brick, p, from, column, out, other, other_out);
}

index_t candidates_at_once(bool filtered) { return HGRID_DISPATCH(at_once)(filtered); }

void write_pairs(const HitList& hits, index_t from, index_t n, Pair* out) {
  HGRID_DISPATCH(write_all_pairs)(hits.p + from, hits.q + from, n, out);
}

#define HGRID_INSTANCES(D)                                                                                                 \
  template void find_ranges(const GridView<D>&, const GridView<D>&, const SlotBatch&, SearchRanges<D>&);                   \
  template void find_ranges(const GridView<D>&, const GridView<D>&, const SlotBatch&, const Shift<D>&, SearchRanges<D>&);  \
  template index_t collect_row(const GridView<D>&, const SlotBatch&, SearchRanges<D>&, RowNumber, index_t, RunList&);      \
  template index_t test_runs(const GridView<D>&, const GridView<D>&, const Filter<D>*, RunList&, index_t, const Shift<D>*, \
                             const index_t*, HitList&);                                                                    \
  template void test_long_runs(const GridView<D>&, const GridView<D>&, RunList&, const Shift<D>*, RunList&,                \
                               FunctionRef<void()>);                                                                       \
  template index_t gather_slots(const GridView<D>&, const BrickBox<D>&, index_t, index_t, index_t*, index_t*, index_t);    \
  template index_t sweep_brick(const GridView<D>&, const Brick<D>&, const Asker<D>&, index_t, const index_t*, index_t*,    \
                               const std::uint32_t*, std::uint32_t*);
HGRID_INSTANCES(2)
HGRID_INSTANCES(3)

}  // namespace hgrid::inline v0_2::detail
#endif
