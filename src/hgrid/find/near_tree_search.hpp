// SPDX-License-Identifier: BSD-3-Clause
// Nearest particles of a point, on hosts, if that is less work than a search by cells. Particles are ordered by a key (the
// squared distance of centres or the distance from the surface), then by id. Keys are doubles, each operation is rounded once,
// and only a particle's nearest image counts, so the result depends on nothing else.
//
// The search visits boxes around consecutive particles in a spatial order (near_tree.hpp), nearest box first, and no box beyond
// the k-th key found so far. Boxes hold equally many particles, so no density makes it slow.
//
// Points are also in a spatial order. The k nearest particles of the previous point are within its k-th distance plus the
// distance between both points. This bounds the search from the start.
//
// No nearer particle is missed: a box is skipped if the key of its nearest point is beyond the bound. This key is no larger
// than the keys of particles inside, because it is computed by the same operations, all of which are monotone. The images are
// the images within `reach` of the point, whose margins exceed the rounding of an image's frame (contract, rule 3).
#pragma once

#include "hgrid/core/near_kernels.hpp"
#include "hgrid/find/near_point.hpp"

namespace hgrid::inline v0_2::detail {

/// The ranges of one world's particles on each level. The range with the most particles is first.
template <int D>
class NearRanges {
 public:
  NearRanges() = default;
  NearRanges(const GridView<D>& g, index_t world) : world_(world) {
    for (int h = 0; h < g.level_count; ++h) {
      const SlotRun there = g.slots_on(h, world);
      if (there.begin >= there.end) continue;
      NearRange& range = range_[count_++];
      range = {there.begin, there.end, g.radius_max[h]};
      particles_ += there.end - there.begin, radius_ = std::max(radius_, range.radius);
      if (range.end - range.begin > range_[0].end - range_[0].begin) std::swap(range, range_[0]);
    }
  }

  index_t world() const { return world_; }
  index_t particles() const { return particles_; }
  double radius() const { return radius_; }  ///< the largest radius
  const NearRange* begin() const { return range_; }
  const NearRange* end() const { return range_ + count_; }

 private:
  index_t world_ = -1, particles_ = 0;
  int count_ = 0;
  double radius_ = 0;
  NearRange range_[max_levels];
};

/// Uses memory of one thread.
template <bool surfaces, int D>
class NearTreeSearch {
 public:
  using Point = NearPoint<surfaces, D>;

  /// `found` must have memory for k particles.
  NearTreeSearch(const GridView<D>& g, const NearTreeView<D>& tree, index_t k, double within, const NearFound& found)
      : g_(g), tree_(tree), k_(k), limit_(Point::limit_of(within)), found_(found) {}

  /// Finds the nearest particles of a point, in order. Entries after the k-th do not count.
  const NearTreeSearch& operator()(const Point& p) {
    if (p.world != ranges_.world()) ranges_ = {g_, p.world}, last_distance_ = HUGE_VAL;
    found_.k = std::min(k_, ranges_.particles() - (p.itself < 0 ? 0 : 1)), found_.count = 0;
    found_.bound = std::min(limit_, bound_by_last(p)), found_.bound_id = INT32_MAX;
    const NearQuery<D> query = query_of(p);
    for (const NearRange& range : ranges_) look(p, query, range, {});
    if (g_.periodic) {
      for (const NearRange& range : ranges_) look_at_images(p, query, range);
    }
    order_near(found_.columns, found_.count, std::min(found_.k, found_.count), tree_.id);
    last_ = p.x, last_distance_ = HUGE_VAL;
    if (found_.k > 0 && found_.count >= found_.k)
      last_distance_ = Point::distance_of(found_.columns.key[found_.columns.order[found_.k - 1]]);
    return *this;
  }

  /// Calls f(place, key, slot, image) for the nearest particles found, in order.
  template <class F>
  void for_each(const F& f) const {
    const NearColumns& c = found_.columns;
    for (index_t e = 0; e < std::min(found_.k, found_.count); ++e) {
      f(e, c.key[c.order[e]], tree_.slot[c.slot[c.order[e]]], c.image[c.order[e]]);
    }
  }

 private:
  // Returns a bound from the previous point. Its rounding error is far below the margins.
  double bound_by_last(const Point& p) const {
    if (last_distance_ == HUGE_VAL) return HUGE_VAL;
    double squared = 0, slack = 0;
    for (int k = 0; k < D; ++k) squared += (p.x[k] - last_[k]) * (p.x[k] - last_[k]);
    // The particle of the previous point is not its own nearest, but may be one of the nearest here, at distance `way` or less.
    const double way = std::sqrt(squared), distance = (p.itself < 0 ? last_distance_ : std::max(last_distance_, 0.0)) + way;
    for (int k = 0; k < D && g_.periodic; ++k) slack += 4 * p.margin(k, std::fabs(distance) + ranges_.radius());
    if (surfaces) slack += (std::fabs(last_distance_) + way + ranges_.radius()) * 0x1p-40;
    return Point::limit_of(distance * (1 + (surfaces ? 0 : 0x1p-40)) + slack);
  }

  NearQuery<D> query_of(const Point& p) const {
    NearQuery<D> query{p.x, p.itself, {}, HUGE_VAL};
    for (int k = 0; k < D; ++k) {
      query.farthest[k] = p.box->wraps[k] && !p.box->tilted ? p.reach(k, 0.5 * p.box->length(k) * (1 + 0x1p-40)) : HUGE_VAL;
    }
    if (g_.periodic) {
      const double distance = 0.5 * p.shortest * (1 - 0x1p-30);
      query.certain = surfaces ? distance - ranges_.radius() : distance * distance;
    }
    return query;
  }

  void look(const Point& p, const NearQuery<D>& query, const NearRange& range, const Shift<D>& shift) {
    const auto is_nearest = [&](index_t place, double key) { return p.is_nearest_image(tree_, place, shift, key); };
    const NearImage<D> image{shift.by, g_.periodic ? image_of(*p.box, shift) : Image{}, is_nearest};
    look_below<surfaces>(tree_, range, query, image, found_);
  }

  // Looks at all images except the one without a shift.
  void look_at_images(const Point& p, const NearQuery<D>& query, const NearRange& range) {
    const double squared = Point::squared_reach(found_.bound, range.radius);
    if (squared < 0) return;
    p.for_each_image_within(p.x, p.x, std::sqrt(squared), [&](const Shift<D>& shift) {
      if (lexicographic_sign(shift.m) != 0) look(p, query, range, shift);
    });
  }

  const GridView<D>& g_;
  const NearTreeView<D>& tree_;
  const index_t k_;
  const double limit_;
  NearFound found_;
  NearRanges<D> ranges_;
  Vec<double, D> last_{};            // the previous point
  double last_distance_ = HUGE_VAL;  // distance of the previous point's k-th particle; infinite: unknown
};

}  // namespace hgrid::inline v0_2::detail
