// SPDX-License-Identifier: BSD-3-Clause
// Tests candidates of runs by vectors. Included inside a namespace, once for each instruction set, so this file has no include
// guard and includes only the predicate.

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

constexpr index_t runs_ahead = 20;  // how far ahead of its test a run is prefetched: the runs of a row are near each other in
                                    // memory, but a new row begins after every few hundred

// How particles touch: spheres by the sum of their radii or by the larger radius, or boxes by their extents.
enum class Shape { adding, larger, boxes };

// Which slots search: slots of the grid itself, in place or under shifts, or slots of another grid, under shifts that may be 0.
enum class Slots { in_place, shifted, others };

// Returns whether slot p, which is set first, touches candidates q, q + 1, ... q + lanes - 1: a bit for each. This test is the
// predicate.
template <int D, Shape shape, Slots who>
class ByPredicate {
  static constexpr bool shifted = who != Slots::in_place, boxes = shape == Shape::boxes;
  static constexpr int sizes = boxes ? D : 1;

 public:
  static constexpr index_t lanes = static_cast<index_t>(hn::MaxLanes(doubles));

  ByPredicate(const GridView<D>& asking, const GridView<D>& g) : asking_(asking), skin_(hn::Set(doubles, g.skin)) {
    std::copy_n(g.x, D, x_);
    for (int k = 0; k < sizes; ++k) size_[k] = boxes ? g.extent[k] : g.radius;
  }

  void set(index_t p, const Shift<D>* shift) {
    for (int k = 0; k < sizes; ++k) {
      const double* const of_asking = boxes ? asking_.extent[k] : asking_.radius;
      a_[k] = hn::Set(doubles, who == Slots::others ? of_asking[p] : size_[k][p]);
    }
    for (int k = 0; k < D; ++k) {
      from_[k] = hn::Set(doubles, who == Slots::others ? asking_.x[k][p] : x_[k][p]);
      if constexpr (shifted) by_[k] = hn::Set(doubles, shift->by[k]);
    }
  }
  void prefetch(index_t q) const {
    for (int k = 0; k < D; ++k) __builtin_prefetch(x_[k] + q);
    for (int k = 0; k < sizes; ++k) __builtin_prefetch(size_[k] + q);
  }
  unsigned operator()(index_t q) const {
    Doubles apart[D];
    for (int k = 0; k < D; ++k) {
      const Doubles other = hn::LoadU(doubles, x_[k] + q);
      apart[k] = shifted ? separated(from_[k], other, by_[k]) : sub_rn(from_[k], other);
    }
    if constexpr (boxes) {
      auto together = hn::Le(hn::Abs(apart[0]), distance(0, q));
      for (int k = 1; k < D; ++k) together = hn::And(together, hn::Le(hn::Abs(apart[k]), distance(k, q)));
      return bits_of(doubles, together);
    } else {
      return bits_of(doubles, is_within<D>(apart, distance(0, q)));
    }
  }
  index_t asked() const { return 0; }

 private:
  Doubles distance(int k, index_t q) const {
    return listing_distance<shape != Shape::larger>(a_[k], hn::LoadU(doubles, size_[k] + q), skin_);
  }

  const GridView<D>& asking_;
  const double *x_[D], *size_[sizes];  // copies, which stores cannot alias
  Doubles skin_, a_[sizes], from_[D], by_[D];
};

// Tests by filter columns, which the query slots of another grid lack. If any lane is within the margin, the predicate decides.
template <int D, Shape shape, Slots who>
class ByFilter {
  static constexpr bool shifted = who != Slots::in_place, boxes = shape == Shape::boxes;
  static constexpr int sizes = boxes ? D : 1;

 public:
  static constexpr index_t lanes = static_cast<index_t>(hn::MaxLanes(floats));

  ByFilter(const GridView<D>& asking, const GridView<D>& g, const Filter<D>& filter)
      : asking_(asking), g_(g), columns_(filter.columns), margin_(hn::Set(floats, filter.margin)) {}

  void set(index_t p, const Shift<D>* shift) {
    p_ = p, shift_ = shift;
    const GridView<D>& of_p = who == Slots::others ? asking_ : g_;  // each grid has its part of the skin
    for (int k = 0; k < sizes; ++k) {
      const double* const size = boxes ? of_p.extent[k] : of_p.radius;
      a_[k] =
          hn::Set(floats, who == Slots::others ? filter_radius(size[p], of_p.skin, shape != Shape::larger) : this->size(k)[p]);
    }
    for (int k = 0; k < D; ++k) {
      from_[k] = hn::Set(floats, shifted ? columns_.from_origin(of_p.x[k][p], shift->by[k], k) : columns_.x[k][p]);
    }
  }
  void prefetch(index_t q) const {
    for (int k = 0; k < D; ++k) __builtin_prefetch(columns_.x[k] + q);
    for (int k = 0; k < sizes; ++k) __builtin_prefetch(size(k) + q);
  }
  unsigned operator()(index_t q) {
    const Floats t = boxes ? overlap(q) : squared_overlap(q);
    if (HWY_LIKELY(hn::AllFalse(floats, hn::Le(hn::Abs(t), margin_)))) return bits_of(floats, hn::Gt(t, margin_));
    ++asked_;
    if constexpr (who == Slots::others) return ask(asking_, g_, p_, shift_, q);
    return ask(g_, p_, shift_, q);
  }
  index_t asked() const { return asked_; }

 private:
  const float* size(int k) const { return boxes ? columns_.extent_of[k] : columns_.radius; }
  Floats apart(int k, index_t q) const { return hn::Sub(from_[k], hn::LoadU(floats, columns_.x[k] + q)); }

  // FilterColumns proves the margins for this.
  Floats squared_overlap(index_t q) const {
    const Floats other = hn::LoadU(floats, size(0) + q);
    const Floats distance = shape == Shape::adding ? hn::Add(a_[0], other) : hn::Max(a_[0], other);
    Floats t = hn::Mul(distance, distance);
    for (int k = 0; k < D; ++k) {
      const Floats d = apart(k, q);
      t = hn::NegMulAdd(d, d, t);
    }
    return t;
  }
  Floats overlap(index_t q) const {
    Floats least = along(0, q);
    for (int k = 1; k < D; ++k) least = hn::Min(least, along(k, q));
    return least;
  }
  Floats along(int k, index_t q) const {
    return hn::Sub(hn::Add(a_[k % sizes], hn::LoadU(floats, size(k) + q)), hn::Abs(apart(k, q)));
  }

  // Static, so that no part of this object has to be in memory; with as few arguments as possible.
  static HWY_NOINLINE unsigned ask(const GridView<D>& g, index_t p, const Shift<D>* shift, index_t q) {
    return bits_by(ByPredicate<D, shape, who>(g, g), p, shift, q);
  }
  static HWY_NOINLINE unsigned ask(const GridView<D>& asking, const GridView<D>& g, index_t p, const Shift<D>* shift,
                                   index_t q) {
    return bits_by(ByPredicate<D, shape, who>(asking, g), p, shift, q);
  }
  [[gnu::always_inline]] static unsigned bits_by(ByPredicate<D, shape, who> predicate, index_t p, const Shift<D>* shift,
                                                 index_t q) {
    predicate.set(p, shift);
    unsigned bits = 0;
    for (index_t k = 0; k < lanes; k += predicate.lanes) bits |= predicate(q + k) << k;
    return bits;
  }

  const GridView<D>&asking_, &g_;
  const FilterColumns<D> columns_;  // a copy, which stores cannot alias
  Floats margin_, a_[sizes], from_[D];
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

template <int D, Shape shape, Slots who, bool named>
index_t test_by(const GridView<D>& asking, const GridView<D>& g, const Filter<D>* filter, RunList& runs, index_t from,
                const Shift<D>* shifts, const index_t* name, HitList& hits) {
  constexpr bool shifted = who != Slots::in_place;
  if (filter == nullptr) {
    return test<D, shifted, named>(ByPredicate<D, shape, who>(asking, g), runs, from, shifts, name, hits);
  }
  return test<D, shifted, named>(ByFilter<D, shape, who>(asking, g, *filter), runs, from, shifts, name, hits);
}

template <int D, Shape shape>
index_t test_under(const GridView<D>& asking, const GridView<D>& g, const Filter<D>* filter, RunList& runs, index_t from,
                   const Shift<D>* shifts, const index_t* name, HitList& hits) {
  const bool others = &asking != &g, shifted = shifts != nullptr, named = name != nullptr;
  const auto test = others             ? test_by<D, shape, Slots::others, false>
                    : shifted && named ? test_by<D, shape, Slots::shifted, true>
                    : shifted          ? test_by<D, shape, Slots::shifted, false>
                    : named            ? test_by<D, shape, Slots::in_place, true>
                                       : test_by<D, shape, Slots::in_place, false>;
  return test(asking, g, filter, runs, from, shifts, name, hits);
}

template <int D>
index_t test_any(const GridView<D>& asking, const GridView<D>& g, const Filter<D>* filter, RunList& runs, index_t from,
                 const Shift<D>* shifts, const index_t* name, HitList& hits) {
  const auto test = g.has_extents()  ? test_under<D, Shape::boxes>
                    : g.adds_radii() ? test_under<D, Shape::adding>
                                     : test_under<D, Shape::larger>;
  return test(asking, g, filter, runs, from, shifts, name, hits);
}
