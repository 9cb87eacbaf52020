// SPDX-License-Identifier: BSD-3-Clause
// Cuts long runs to their near parts, by boxes over slots (core/near_runs.hpp). Included inside a namespace, once for each
// instruction set, so this file has no include guard and includes nothing.

#ifdef HGRID_WITH_HIGHWAY
// Finds the children of nodes as NearChildren does, by vectors.
template <int D>
class BoxLanes {
 public:
  BoxLanes(const GridView<D>& asking, const GridView<D>& g, index_t p, index_t begin, const Shift<D>& shift)
      : near_(asking, g, p, begin, shift),
        boxes_(g.boxes),
        extents_(g.has_extents()),
        radii_add_(g.adds_radii()),
        a_(hn::Set(doubles, near_.own.a)),
        scale_(hn::Set(doubles, g.boxes.radius_scale)),
        skin_(hn::Set(doubles, g.skin)) {
    for (int k = 0; k < D; ++k) {
      x_[k] = hn::Set(doubles, near_.own.x[k]), by_[k] = hn::Set(doubles, shift.by[k]);
      if (extents_) farthest_[k] = hn::Set(doubles, listing_extent(g, near_.own.extent[k], near_.level, k));
    }
  }

  unsigned operator()(int height, offset_t node) const {
    const ChildBoxes<D>& box = boxes_.node(height, node);
    const double* const radius = boxes_.facts_of(height, node).radius;
    unsigned bits = 0;
    for (int c = 0; c < ChildBoxes<D>::children; c += static_cast<int>(hn::MaxLanes(doubles))) {
      Doubles away[D];
      for (int k = 0; k < D; ++k) {
        const Doubles below = separated(x_[k], hn::LoadU(doubles, box.lo[k] + c), by_[k]);
        const Doubles above = separated(x_[k], hn::LoadU(doubles, box.hi[k] + c), by_[k]);
        away[k] = hn::Max(hn::Max(hn::Neg(below), above), hn::Zero(doubles));
      }
      bits |= bits_of(doubles, extents_ ? overlapping(away) : touching(away, radius + c)) << c;
    }
    return near_.reported(height, node, bits);
  }

 private:
  hn::Mask<decltype(doubles)> overlapping(const Doubles (&away)[D]) const {
    auto together = hn::Le(away[0], farthest_[0]);
    for (int k = 1; k < D; ++k) together = hn::And(together, hn::Le(away[k], farthest_[k]));
    return together;
  }
  hn::Mask<decltype(doubles)> touching(const Doubles (&away)[D], const double* radius) const {
    const Doubles largest = hn::Mul(scale_, hn::LoadU(doubles, radius));
    return is_within<D>(away,
                        radii_add_ ? listing_distance<true>(a_, largest, skin_) : listing_distance<false>(a_, largest, skin_));
  }

  NearChildren<D, AnyGrid> near_;
  const CrowdBoxesView<D>& boxes_;
  bool extents_, radii_add_;
  Doubles a_, scale_, skin_, x_[D], by_[D], farthest_[D];
};
#else
template <int D>
using BoxLanes = NearChildren<D, AnyGrid>;
#endif

template <int D>
void cut_long_runs(const GridView<D>& asking, const GridView<D>& g, RunList& runs, const Shift<D>* shifts, RunList& near,
                   FunctionRef<void()> test) {
  const Shift<D> in_place{};
  near.count = 0;
  for (index_t r = 0; r < runs.count; ++r) {
    if (runs.length[r] <= longest_plain_run) continue;
    const index_t p = runs.p[r], begin = runs.begin[r], end = begin + runs.length[r];
    const std::int32_t shift = shifts == nullptr ? 0 : runs.shift[r];
    const index_t last = --runs.count;
    runs.p[r] = runs.p[last], runs.begin[r] = runs.begin[last], runs.length[r] = runs.length[last];
    if (shifts != nullptr) runs.shift[r] = runs.shift[last];
    --r;
    const BoxLanes<D> lanes(asking, g, p, begin, shifts == nullptr ? in_place : shifts[shift]);
    for_each_near_part({begin, end}, lanes, [&](index_t from, index_t to) {
      if (near.count == runs_per_batch) test(), near.count = 0;
      near.p[near.count] = p, near.begin[near.count] = from, near.length[near.count] = to - from;
      near.shift[near.count++] = shift;
    });
  }
  if (near.count > 0) test();
}
