// SPDX-License-Identifier: BSD-3-Clause
// This file is compiled once for each instruction set: Highway includes it again and again.
#include "host/search/run_kernels.hpp"

#include <algorithm>

#include "host/search/lane_numbers.hpp"

// Two instruction sets beside the baseline of the build are worth their code.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "host/search/run_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace hgrid::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#include "host/search/selection-inl.hpp"  // which the others use

#include "host/search/collect-inl.hpp"
#include "host/search/find_ranges-inl.hpp"

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
  const double *const gx = g.x[0], *const gy = g.x[1], *const gz = g.x[D - 1], *const gr = g.radius;
  const index_t count = runs.count;
  index_t hits = 0;
  for (index_t r = from; r < count; ++r) {
    const index_t p = runs.p[r], end = runs.end[r];
    const V x = hn::Set(d, gx[p]), y = hn::Set(d, gy[p]);
    const V z = hn::Set(d, D == 3 ? gz[p] : 0.0), a = hn::Set(d, gr[p]);
    const auto name_of_p = hn::Set(d32, named ? name[p] : p);
    index_t q = runs.begin[r];
    const index_t ahead = runs.begin[r + runs_ahead < count ? r + runs_ahead : r];
    for (const double* column : {gx, gy, gz, gr}) __builtin_prefetch(column + ahead);
    if constexpr (named) __builtin_prefetch(name + ahead);
    do {
      if (hits > hits_per_batch - lanes) {
        runs.begin[r] = q;
        list.count = hits;
        return r;
      }
      V dx = hn::Sub(x, hn::LoadU(d, gx + q)), dy = hn::Sub(y, hn::LoadU(d, gy + q));
      if constexpr (shifted) {
        dx = hn::Sub(dx, hn::Set(d, shifts[runs.shift[r]].by[0]));
        dy = hn::Sub(dy, hn::Set(d, shifts[runs.shift[r]].by[1]));
      }
      V squared = hn::Add(hn::Mul(dx, dx), hn::Mul(dy, dy));
      if constexpr (D == 3) {
        V dz = hn::Sub(z, hn::LoadU(d, gz + q));
        if constexpr (shifted) dz = hn::Sub(dz, hn::Set(d, shifts[runs.shift[r]].by[D - 1]));
        squared = hn::Add(squared, hn::Mul(dz, dz));
      }
      const V distance = hn::Add(hn::Add(a, hn::LoadU(d, gr + q)), skin);
      const unsigned bits = bits_of(d, hn::Le(squared, hn::Mul(distance, distance))) & ((1u << std::min(end - q, lanes)) - 1);
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

void find_ranges_2(const GridView<2>& g, const SlotBatch& slots, SearchRanges<2>& out) { find_ranges_of_all<2>(g, slots, out); }
index_t collect_2(const GridView<2>& g, const SlotBatch& slots, SearchRanges<2>& ranges, RowNumber row, index_t from,
                  RunList& runs) {
  return g.table.kind == TableKind::dense ? collect_dense<2>(g, slots, ranges, row, from, runs)
                                          : collect_compacted<2>(g, slots, ranges, row, runs);
}
index_t test_2(const GridView<2>& g, RunList& runs, index_t from, const Shift<2>* shifts, const index_t* name, HitList& hits) {
  return test_any<2>(g, runs, from, shifts, name, hits);
}
void find_ranges_3(const GridView<3>& g, const SlotBatch& slots, SearchRanges<3>& out) { find_ranges_of_all<3>(g, slots, out); }
index_t collect_3(const GridView<3>& g, const SlotBatch& slots, SearchRanges<3>& ranges, RowNumber row, index_t from,
                  RunList& runs) {
  return g.table.kind == TableKind::dense ? collect_dense<3>(g, slots, ranges, row, from, runs)
                                          : collect_compacted<3>(g, slots, ranges, row, runs);
}
index_t test_3(const GridView<3>& g, RunList& runs, index_t from, const Shift<3>* shifts, const index_t* name, HitList& hits) {
  return test_any<3>(g, runs, from, shifts, name, hits);
}

}  // namespace hgrid::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "host/engine/simd_dispatch.hpp"

namespace hgrid {

const char* simd_target() {
#ifdef HGRID_SIMD_TARGETS
  if (simd_target_in_use == SimdTarget::avx512) return "AVX-512";
  if (simd_target_in_use == SimdTarget::avx2) return "AVX2";
#endif
  return hwy::TargetName(HWY_STATIC_TARGET);
}

template <>
void find_ranges(const GridView<2>& g, const SlotBatch& slots, SearchRanges<2>& ranges) {
  HGRID_DISPATCH(find_ranges_2)(g, slots, ranges);
}
template <>
index_t collect_row(const GridView<2>& g, const SlotBatch& slots, SearchRanges<2>& ranges, RowNumber row, index_t from,
                    RunList& runs) {
  return HGRID_DISPATCH(collect_2)(g, slots, ranges, row, from, runs);
}
template <>
index_t test_runs(const GridView<2>& g, RunList& runs, index_t from, const Shift<2>* shifts, const index_t* name,
                  HitList& hits) {
  return HGRID_DISPATCH(test_2)(g, runs, from, shifts, name, hits);
}
template <>
void find_ranges(const GridView<3>& g, const SlotBatch& slots, SearchRanges<3>& ranges) {
  HGRID_DISPATCH(find_ranges_3)(g, slots, ranges);
}
template <>
index_t collect_row(const GridView<3>& g, const SlotBatch& slots, SearchRanges<3>& ranges, RowNumber row, index_t from,
                    RunList& runs) {
  return HGRID_DISPATCH(collect_3)(g, slots, ranges, row, from, runs);
}
template <>
index_t test_runs(const GridView<3>& g, RunList& runs, index_t from, const Shift<3>* shifts, const index_t* name,
                  HitList& hits) {
  return HGRID_DISPATCH(test_3)(g, runs, from, shifts, name, hits);
}

void write_pairs(const HitList& hits, index_t from, index_t n, Pair* out) {
  HGRID_DISPATCH(write_all_pairs)(hits.p + from, hits.q + from, n, out);
}

}  // namespace hgrid
#endif
