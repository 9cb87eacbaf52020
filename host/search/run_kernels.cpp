// SPDX-License-Identifier: BSD-3-Clause
// This file is compiled once for each instruction set: Highway includes it again and again.
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
namespace hgrid::inline v0_1::detail::HWY_NAMESPACE {

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
V larger_of(V a, V b) {
  return hn::Max(a, b);
}
template <class V>
auto at_most(V a, V b) {
  return hn::Le(a, b);
}
#include "hgrid/core/distance-inl.hpp"

constexpr index_t runs_ahead = 20;  // how far ahead of its test a run is fetched: the runs of a row are near each other
                                    // in memory, but a new row begins after every few hundred

// A test says whether slot p, which is set first, touches candidates q, q + 1, ... q + lanes - 1: a bit for each. This one is
// the predicate, under a shift or none.
template <int D, bool radii_add, bool shifted>
class ByPredicate {
 public:
  static constexpr index_t lanes = static_cast<index_t>(hn::MaxLanes(doubles));

  explicit ByPredicate(const GridView<D>& g) : radius_(g.radius), skin_(hn::Set(doubles, g.skin)) { std::copy_n(g.x, D, x_); }

  void set(index_t p, const Shift<D>* shift) {
    a_ = hn::Set(doubles, radius_[p]);
    for (int k = 0; k < D; ++k) {
      from_[k] = hn::Set(doubles, x_[k][p]);
      if constexpr (shifted) by_[k] = hn::Set(doubles, shift->by[k]);
    }
  }
  void prefetch(index_t q) const {
    for (int k = 0; k < D; ++k) __builtin_prefetch(x_[k] + q);
    __builtin_prefetch(radius_ + q);
  }
  unsigned operator()(index_t q) const {
    Doubles apart[D];
    for (int k = 0; k < D; ++k) {
      const Doubles other = hn::LoadU(doubles, x_[k] + q);
      apart[k] = shifted ? separated(from_[k], other, by_[k]) : sub_rn(from_[k], other);
    }
    const Doubles distance = listing_distance<radii_add>(a_, hn::LoadU(doubles, radius_ + q), skin_);
    return bits_of(doubles, is_within<D>(apart, distance));
  }
  index_t asked() const { return 0; }

 private:
  const double *x_[D], *radius_;  // copies, which stores cannot alias
  Doubles skin_, a_, from_[D], by_[D];
};

// The same by filter columns: where any lane is within the margin, the predicate is asked.
template <int D, bool radii_add, bool shifted>
class ByFilter {
 public:
  static constexpr index_t lanes = static_cast<index_t>(hn::MaxLanes(floats));

  ByFilter(const GridView<D>& g, const Filter<D>& filter)
      : g_(g), columns_(filter.columns), margin_(hn::Set(floats, filter.margin)) {}

  void set(index_t p, const Shift<D>* shift) {
    p_ = p, shift_ = shift;
    a_ = hn::Set(floats, columns_.radius[p]);
    for (int k = 0; k < D; ++k) {
      from_[k] = hn::Set(floats, shifted ? columns_.from_origin(g_.x[k][p], shift->by[k], k) : columns_.x[k][p]);
    }
  }
  void prefetch(index_t q) const {
    for (int k = 0; k < D; ++k) __builtin_prefetch(columns_.x[k] + q);
    __builtin_prefetch(columns_.radius + q);
  }
  unsigned operator()(index_t q) {
    const Floats other = hn::LoadU(floats, columns_.radius + q), distance = radii_add ? hn::Add(a_, other) : hn::Max(a_, other);
    Floats t = hn::Mul(distance, distance);
    for (int k = 0; k < D; ++k) {
      const Floats apart = hn::Sub(from_[k], hn::LoadU(floats, columns_.x[k] + q));
      t = hn::NegMulAdd(apart, apart, t);
    }
    if (HWY_LIKELY(hn::AllFalse(floats, hn::Le(hn::Abs(t), margin_)))) return bits_of(floats, hn::Gt(t, margin_));
    ++asked_;
    return ask(g_, p_, shift_, q);
  }
  index_t asked() const { return asked_; }

 private:
  // Of static storage, so that nothing of this object has to be in memory.
  static HWY_NOINLINE unsigned ask(const GridView<D>& g, index_t p, const Shift<D>* shift, index_t q) {
    ByPredicate<D, radii_add, shifted> predicate(g);
    predicate.set(p, shift);
    unsigned bits = 0;
    for (index_t k = 0; k < lanes; k += predicate.lanes) bits |= predicate(q + k) << k;
    return bits;
  }

  const GridView<D>& g_;
  const FilterColumns<D> columns_;  // a copy, which stores cannot alias
  Floats margin_, a_, from_[D];
  const Shift<D>* shift_;
  index_t p_, asked_ = 0;
};

template <int D, bool shifted, bool named, class Test>
index_t test(Test touching, RunList& runs, index_t from, const Shift<D>* shifts, const index_t* name, HitList& list) {
  constexpr index_t lanes = Test::lanes;
  const hn::CappedTag<std::int32_t, lanes> d32;
  const auto iota = hn::Iota(d32, 0);
  const index_t count = runs.count;
  index_t hits = 0;
  for (index_t r = from; r < count; ++r) {
    const index_t p = runs.p[r];
    index_t q = runs.begin[r], left = runs.length[r];
    touching.set(p, shifted ? shifts + runs.shift[r] : nullptr);
    const auto name_of_p = hn::Set(d32, named ? name[p] : p);
    const index_t ahead = runs.begin[r + runs_ahead < count ? r + runs_ahead : r];
    touching.prefetch(ahead);
    if constexpr (named) __builtin_prefetch(name + ahead);
    const auto keep = [&](unsigned bits) __attribute__((always_inline)) {
      const auto names = named ? hn::LoadU(d32, name + q) : hn::Add(iota, hn::Set(d32, q));
      Selection<decltype(d32)>(d32, bits).store(names, list.q + hits);
      hn::StoreU(name_of_p, d32, list.p + hits);
      if constexpr (shifted) hn::StoreU(hn::Set(d32, runs.shift[r]), d32, list.shift + hits);
      hits += static_cast<index_t>(hwy::PopCount(bits));
    };
    for (; HWY_UNLIKELY(left > lanes); left -= lanes, q += lanes) {
      if (hits > hits_per_batch - lanes) break;
      keep(touching(q));
    }
    if (HWY_UNLIKELY(hits > hits_per_batch - lanes)) {
      runs.begin[r] = q, runs.length[r] = left;
      list.count = hits, list.asked = touching.asked();
      return r;
    }
    keep(touching(q) & ((1u << left) - 1));
  }
  list.count = hits, list.asked = touching.asked();
  return count;
}

template <int D, bool radii_add, bool shifted, bool named>
index_t test_by(const GridView<D>& g, const Filter<D>* filter, RunList& runs, index_t from, const Shift<D>* shifts,
                const index_t* name, HitList& hits) {
  if (filter == nullptr) {
    return test<D, shifted, named>(ByPredicate<D, radii_add, shifted>(g), runs, from, shifts, name, hits);
  }
  return test<D, shifted, named>(ByFilter<D, radii_add, shifted>(g, *filter), runs, from, shifts, name, hits);
}

template <int D, bool radii_add>
index_t test_under(const GridView<D>& g, const Filter<D>* filter, RunList& runs, index_t from, const Shift<D>* shifts,
                   const index_t* name, HitList& hits) {
  if (shifts != nullptr) {
    return name != nullptr ? test_by<D, radii_add, true, true>(g, filter, runs, from, shifts, name, hits)
                           : test_by<D, radii_add, true, false>(g, filter, runs, from, shifts, name, hits);
  }
  return name != nullptr ? test_by<D, radii_add, false, true>(g, filter, runs, from, shifts, name, hits)
                         : test_by<D, radii_add, false, false>(g, filter, runs, from, shifts, name, hits);
}

template <int D>
index_t test_any(const GridView<D>& g, const Filter<D>* filter, RunList& runs, index_t from, const Shift<D>* shifts,
                 const index_t* name, HitList& hits) {
  return g.adds_radii() ? test_under<D, true>(g, filter, runs, from, shifts, name, hits)
                        : test_under<D, false>(g, filter, runs, from, shifts, name, hits);
}

template <int D>
index_t collect(const GridView<D>& g, const SlotBatch& slots, SearchRanges<D>& ranges, RowNumber row, index_t from,
                RunList& runs) {
  return g.table.kind == TableKind::dense ? collect_dense<D>(g, slots, ranges, row, from, runs)
                                          : collect_compacted<D>(g, slots, ranges, row, runs);
}

#include "host/search/brick-inl.hpp"

}  // namespace hgrid::inline v0_1::detail::HWY_NAMESPACE
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

namespace hgrid::inline v0_1::detail {

template <int D>
void find_ranges(const GridView<D>& g, const SlotBatch& slots, SearchRanges<D>& ranges) {
  HGRID_DISPATCH(find_ranges_of_all<D>)(g, slots, ranges);
}

template <int D>
void find_ranges(const GridView<D>& g, const SlotBatch& slots, const Shift<D>& shift, SearchRanges<D>& ranges) {
  HGRID_DISPATCH(find_ranges_under<D>)(g, slots, shift, ranges);
}

template <int D>
index_t collect_row(const GridView<D>& g, const SlotBatch& slots, SearchRanges<D>& ranges, RowNumber row, index_t from,
                    RunList& runs) {
  return HGRID_DISPATCH(collect<D>)(g, slots, ranges, row, from, runs);
}

template <int D>
index_t test_runs(const GridView<D>& g, const Filter<D>* filter, RunList& runs, index_t from, const Shift<D>* shifts,
                  const index_t* name, HitList& hits) {
  return HGRID_DISPATCH(test_any<D>)(g, filter, runs, from, shifts, name, hits);
}

template <int D>
index_t gather_slots(const GridView<D>& g, const BrickBox<D>& box, index_t begin, index_t end, index_t* slot, index_t* id,
                     index_t n) {
  return HGRID_DISPATCH(gather<D>)(g, box, begin, end, slot, id, n);
}

template <int D>
index_t sweep_brick(const GridView<D>& g, const Brick<D>& brick, index_t p, index_t from, const index_t* column, index_t* out,
                    const std::uint32_t* other, std::uint32_t* other_out) {
  return HGRID_DISPATCH(sweep<D>)(g, brick, p, from, column, out, other, other_out);
}

index_t candidates_at_once(bool filtered) { return HGRID_DISPATCH(at_once)(filtered); }

void write_pairs(const HitList& hits, index_t from, index_t n, Pair* out) {
  HGRID_DISPATCH(write_all_pairs)(hits.p + from, hits.q + from, n, out);
}

template void find_ranges(const GridView<2>&, const SlotBatch&, SearchRanges<2>&);
template void find_ranges(const GridView<2>&, const SlotBatch&, const Shift<2>&, SearchRanges<2>&);
template void find_ranges(const GridView<3>&, const SlotBatch&, SearchRanges<3>&);
template void find_ranges(const GridView<3>&, const SlotBatch&, const Shift<3>&, SearchRanges<3>&);
template index_t collect_row(const GridView<2>&, const SlotBatch&, SearchRanges<2>&, RowNumber, index_t, RunList&);
template index_t collect_row(const GridView<3>&, const SlotBatch&, SearchRanges<3>&, RowNumber, index_t, RunList&);
template index_t test_runs(const GridView<2>&, const Filter<2>*, RunList&, index_t, const Shift<2>*, const index_t*, HitList&);
template index_t test_runs(const GridView<3>&, const Filter<3>*, RunList&, index_t, const Shift<3>*, const index_t*, HitList&);

template index_t gather_slots(const GridView<2>&, const BrickBox<2>&, index_t, index_t, index_t*, index_t*, index_t);
template index_t gather_slots(const GridView<3>&, const BrickBox<3>&, index_t, index_t, index_t*, index_t*, index_t);
template index_t sweep_brick(const GridView<2>&, const Brick<2>&, index_t, index_t, const index_t*, index_t*,
                             const std::uint32_t*, std::uint32_t*);
template index_t sweep_brick(const GridView<3>&, const Brick<3>&, index_t, index_t, const index_t*, index_t*,
                             const std::uint32_t*, std::uint32_t*);

}  // namespace hgrid::inline v0_1::detail
#endif
