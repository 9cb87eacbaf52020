// SPDX-License-Identifier: BSD-3-Clause
// The rule by which ranks share regions (docs/scale-out.md). A region is known on the ranks whose boxes it meets. The owner of
// a point where a particle meets the region reports the particle.
#pragma once

#include "hgrid/core/region.hpp"
#include "hgrid/ranks/rank_rules.hpp"

namespace hgrid::inline v0_2::detail {

/// Calls f(box) for the images of a region that meet the box of the system, each widened by the region's radius and by the
/// rounding of its points.
template <int D, class F>
void for_each_image_of(const Box<D>& box, const Region<D>& asked, const F& f) {
  const Region<D> r = wrap_region(box, asked).region;
  double lengths = r.radius;
  for (int k = 0; k < D; ++k) lengths += std::fabs(r.lo[k]) + std::fabs(r.hi[k]) + shift_scale(box, k);
  Vec<double, D> beyond;
  for (int k = 0; k < D; ++k) beyond[k] = r.radius + lengths * 0x1p-44 + 0x1p-500;
  for (int number = 0, images = 1; number < images; ++number) {
    const Shift<D> shift = image_in_reach(box, r.lo, r.hi, beyond, number, images);
    RankBox<D> image;
    for (int k = 0; k < D; ++k)
      image.lo[k] = r.lo[k] - beyond[k] - shift.by[k], image.hi[k] = r.hi[k] + beyond[k] - shift.by[k];
    f(image);
  }
}

/// Returns the point, in the box, whose owner reports a particle under an image in a region. It lies on the line from the
/// centre to the nearest point of the region's box, in the particle and in the region. It is computed from the smaller of the
/// two, so rounding moves it little, and is equal on all ranks.
template <int D>
HGRID_HD Vec<double, D> region_point(const Box<D>& box, const Region<D>& asked, const Vec<double, D>& x, double radius,
                                     const Image& image) {
  const WrappedPosition<D> at = wrap(box, x);
  const WrappedRegion<D> wrapped = wrap_region(box, asked);
  const Region<D>& r = wrapped.region;
  const Vec<double, D> by = shift_between(box, image, wrapped.periods, at.periods);
  const bool from_particle = radius <= r.radius;
  Vec<double, D> start;    // the centre, or the nearest point of the region's box
  Vec<double, D> towards;  // from the centre to that point
  double squared = 0;
  for (int k = 0; k < D; ++k) {
    const double below = separated(r.lo[k], at.inside[k], by[k]), above = separated(at.inside[k], r.hi[k], -by[k]);
    const double nearest = below > 0 ? r.lo[k] : above > 0 ? r.hi[k] : add_rn(at.inside[k], by[k]);
    start[k] = from_particle ? at.inside[k] : nearest;
    towards[k] = below > 0 ? below : above > 0 ? -above : 0;
    squared = add_rn(squared, mul_rn(towards[k], towards[k]));
  }
  const double distance = std::sqrt(squared), both = add_rn(radius, r.radius), own = from_particle ? radius : r.radius;
  const double share = distance > 0 ? std::fmin(own / both, own / distance) : 0;
  Vec<double, D> point;
  for (int k = 0; k < D; ++k) {
    const double part = mul_rn(share, towards[k]);
    point[k] = from_particle ? add_rn(start[k], part) : sub_rn(start[k], part);
  }
  return into_brick(box, point).inside;
}

/// Calls take(record) for the particles of regions, which must be spheres, that a rank reports. A record has the number of the
/// region.
template <int D, class Take>
struct IfAnswered {
  HeldView<D> held;
  const Region<D>* regions;
  Take take;

  HGRID_HD void operator()(index_t region, index_t id, const Image& image) const {
    const Vec<double, D> at = region_point(held.box, regions[region], held.position(id), held.size[id], image);
    if (held.own.owns(at)) take(NeighbourRecord{region, image, held.id[id]});
  }
};

/// Calls f(region, id, image) only for owned particles. F may be a reference.
template <class F>
struct IfOwned {
  index_t owned;
  F f;

  HGRID_HD void operator()(index_t region, index_t id, const Image& image) const {
    if (id < owned) f(region, id, image);
  }
};

/// Writes records, in any order, as far as there is room, and counts all.
template <class Exec>
struct CollectRecords {
  NeighbourRecord* out;
  offset_t room;
  offset_t* count;

  HGRID_HD void operator()(const NeighbourRecord& record) const {
    const offset_t to = Exec::atomic_add(count, offset_t{1});
    if (to < room) out[to] = record;
  }
};

}  // namespace hgrid::inline v0_2::detail
