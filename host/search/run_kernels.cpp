// SPDX-License-Identifier: BSD-3-Clause
// This file is compiled once for each instruction set: Highway includes it again and again.
#include "host/search/run_kernels.hpp"

#include <algorithm>

#include "host/engine/simd_targets.hpp"
#include "host/search/lane_numbers.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "host/search/run_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace hgrid::inline v0_1::detail::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#include "host/search/selection-inl.hpp"  // which the others use

#include "host/search/collect-inl.hpp"
#include "host/search/find_ranges-inl.hpp"

// The predicate on vectors.
template <class V>
V add_rn(V a, V b) {
  return hn::Add(a, b);
}
template <class V>
V sub_rn(V a, V b) {
  return hn::Sub(a, b);
}
template <class V>
V mul_rn(V a, V b) {
  return hn::Mul(a, b);
}
template <class V>
auto at_most(V a, V b) {
  return hn::Le(a, b);
}
#include "hgrid/core/distance-inl.hpp"

constexpr index_t runs_ahead = 12;  // how far ahead of its test a run is fetched: the runs of a row are near each other
                                    // in memory, but a new row begins after every few hundred

template <int D, bool shifted, bool named>
index_t test(const GridView<D>& g, RunList& runs, index_t from, const Shift<D>* shifts, const index_t* name, HitList& list) {
  const hn::CappedTag<double, vector_room / 2> d;  // the bits of a mask then fit a byte
  const hn::Rebind<std::int32_t, decltype(d)> d32;
  using V = hn::Vec<decltype(d)>;
  const index_t lanes = static_cast<index_t>(hn::Lanes(d));
  const V skin = hn::Set(d, g.skin);
  const auto iota = hn::Iota(d32, 0);
  const double* column[D];  // copies, which the stores below cannot alias
  std::copy_n(g.x, D, column);
  const double* const radius = g.radius;
  const index_t count = runs.count;
  index_t hits = 0;
  for (index_t r = from; r < count; ++r) {
    const index_t p = runs.p[r], end = runs.end[r];
    const V a = hn::Set(d, radius[p]);
    V x[D], by[D];
    for (int k = 0; k < D; ++k) {
      x[k] = hn::Set(d, column[k][p]);
      if constexpr (shifted) by[k] = hn::Set(d, shifts[runs.shift[r]].by[k]);
    }
    const auto name_of_p = hn::Set(d32, named ? name[p] : p);
    index_t q = runs.begin[r];
    const index_t ahead = runs.begin[r + runs_ahead < count ? r + runs_ahead : r];
    for (int k = 0; k < D; ++k) __builtin_prefetch(column[k] + ahead);
    __builtin_prefetch(radius + ahead);
    if constexpr (named) __builtin_prefetch(name + ahead);
    do {
      if (hits > hits_per_batch - lanes) {
        runs.begin[r] = q;
        list.count = hits;
        return r;
      }
      V apart[D];
      for (int k = 0; k < D; ++k) {
        const V other = hn::LoadU(d, column[k] + q);
        apart[k] = shifted ? separated(x[k], other, by[k]) : sub_rn(x[k], other);
      }
      const V distance = listing_distance(a, hn::LoadU(d, radius + q), skin);
      const unsigned bits = bits_of(d, is_within<D>(apart, distance)) & ((1u << std::min(end - q, lanes)) - 1);
      const auto names = named ? hn::LoadU(d32, name + q) : hn::Add(iota, hn::Set(d32, q));
      Selection<decltype(d32)>(d32, bits).store(names, list.q + hits);
      hn::StoreU(name_of_p, d32, list.p + hits);
      if constexpr (shifted) hn::StoreU(hn::Set(d32, runs.shift[r]), d32, list.shift + hits);
      hits += static_cast<index_t>(hwy::PopCount(bits));
      q += lanes;
    } while (q < end);
  }
  list.count = hits;
  return count;
}

template <int D>
index_t test_any(const GridView<D>& g, RunList& runs, index_t from, const Shift<D>* shifts, const index_t* name,
                 HitList& hits) {
  if (shifts != nullptr) {
    return name != nullptr ? test<D, true, true>(g, runs, from, shifts, name, hits)
                           : test<D, true, false>(g, runs, from, shifts, name, hits);
  }
  return name != nullptr ? test<D, false, true>(g, runs, from, shifts, name, hits)
                         : test<D, false, false>(g, runs, from, shifts, name, hits);
}

template <int D>
index_t collect(const GridView<D>& g, const SlotBatch& slots, SearchRanges<D>& ranges, RowNumber row, index_t from,
                RunList& runs) {
  return g.table.kind == TableKind::dense ? collect_dense<D>(g, slots, ranges, row, from, runs)
                                          : collect_compacted<D>(g, slots, ranges, row, runs);
}

}  // namespace hgrid::inline v0_1::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "host/engine/simd_dispatch.hpp"

const char* hgrid::simd_target() {
  using namespace detail;
#ifdef HGRID_SIMD_TARGETS
  if (simd_target_in_use == SimdTarget::avx512) return "AVX-512";
  if (simd_target_in_use == SimdTarget::avx2) return "AVX2";
#endif
  return hwy::TargetName(HWY_STATIC_TARGET);
}

namespace hgrid::inline v0_1::detail {

template <int D>
void find_ranges(const GridView<D>& g, const SlotBatch& slots, SearchRanges<D>& ranges) {
  HGRID_DISPATCH(find_ranges_of_all<D>)(g, slots, ranges);
}

template <int D>
index_t collect_row(const GridView<D>& g, const SlotBatch& slots, SearchRanges<D>& ranges, RowNumber row, index_t from,
                    RunList& runs) {
  return HGRID_DISPATCH(collect<D>)(g, slots, ranges, row, from, runs);
}

template <int D>
index_t test_runs(const GridView<D>& g, RunList& runs, index_t from, const Shift<D>* shifts, const index_t* name,
                  HitList& hits) {
  return HGRID_DISPATCH(test_any<D>)(g, runs, from, shifts, name, hits);
}

void write_pairs(const HitList& hits, index_t from, index_t n, Pair* out) {
  HGRID_DISPATCH(write_all_pairs)(hits.p + from, hits.q + from, n, out);
}

template void find_ranges(const GridView<2>&, const SlotBatch&, SearchRanges<2>&);
template void find_ranges(const GridView<3>&, const SlotBatch&, SearchRanges<3>&);
template index_t collect_row(const GridView<2>&, const SlotBatch&, SearchRanges<2>&, RowNumber, index_t, RunList&);
template index_t collect_row(const GridView<3>&, const SlotBatch&, SearchRanges<3>&, RowNumber, index_t, RunList&);
template index_t test_runs(const GridView<2>&, RunList&, index_t, const Shift<2>*, const index_t*, HitList&);
template index_t test_runs(const GridView<3>&, RunList&, index_t, const Shift<3>*, const index_t*, HitList&);

}  // namespace hgrid::inline v0_1::detail
#endif
