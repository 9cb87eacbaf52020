// SPDX-License-Identifier: BSD-3-Clause
// Queries without a particle: which particles lie in a box or a sphere, or at a point. For example walls, with the bounding
// boxes of their triangles.
#pragma once

#include "hgrid/core/near_runs.hpp"
#include "hgrid/core/reach.hpp"

namespace hgrid::inline v0_2 {

/// A box, its ends included, rounded by a radius: all points within `radius` of it. A sphere is a box without extent. A region
/// may lie outside a periodic box, and reach over its faces.
template <int D>
struct Region {
  Vec<double, D> lo, hi;
  double radius = 0;
  index_t world = 0;  ///< the world to search, if there are worlds

  HGRID_HD static constexpr Region box(const Vec<double, D>& lo, const Vec<double, D>& hi) { return {lo, hi}; }
  HGRID_HD static constexpr Region sphere(const Vec<double, D>& centre, double r) { return {centre, centre, r}; }
  HGRID_HD static constexpr Region point(const Vec<double, D>& x) { return {x, x}; }
};

/// Which particles of a region are taken: particles whose sphere (radius with extra distance) touches it, or whose centre is in
/// it.
enum class Take { touching, centres };

namespace detail {

/// How a region takes particles: by their spheres, with a multiple of their radii, or by their centres.
struct Taken {
  Take take;
  double scale;
};

/// A wrapped region: its lower corner lies in the periodic box.
template <int D>
struct WrappedRegion {
  Region<D> region;
  Image periods;  ///< taken off the region
};

template <int D>
HGRID_HD inline WrappedRegion<D> wrap_region(const Box<D>& box, const Region<D>& region) {
  const InBox<D> lo = into_box(box, region.lo);
  const Vec<double, D> hi = less_vectors(box, region.hi, lo.count);
  WrappedRegion<D> w{region, {}};
  for (int k = 0; k < D; ++k) {
    w.region.lo[k] = lo.inside[k];
    w.region.hi[k] = region.lo[k] == region.hi[k] || hi[k] < lo.inside[k] ? lo.inside[k] : hi[k];
    w.periods[k] = static_cast<std::int32_t>(lo.count[k]);
  }
  return w;
}

/// Returns how far centres between lo and hi lie from the box of a region along axis k.
template <int D>
HGRID_HD inline double apart_along(const Region<D>& r, int k, double lo, double hi, const Shift<D>& shift) {
  const double below = separated(r.lo[k], hi, shift.by[k]);
  const double above = separated(lo, r.hi[k], -shift.by[k]);
  return std::fmax(std::fmax(below, above), 0.0);
}

/// Returns the largest distance from the box of a region at which it takes a particle.
template <int D>
HGRID_HD inline double taken_within(const Region<D>& r, const Taken& taken, const double& radius) {
  return taken.take == Take::touching ? add_rn(r.radius, mul_rn(taken.scale, radius)) : r.radius;
}

/// Returns the predicate of regions: the squared distance of a centre from the box of the region is at most (region's radius +
/// scale * particle's radius)^2. For `centres` the particle's radius counts as 0. For a sphere it rounds like the predicate of
/// pairs.
template <int D, class Certain>
HGRID_HD inline bool is_in_region(const GridView<D, Certain>& g, index_t p, const Region<D>& r, const Taken& taken,
                                  const Shift<D>& shift) {
  double d[D];
  for (int k = 0; k < D; ++k) d[k] = apart_along(r, k, g.x[k][p], g.x[k][p], shift);
  const index_t late = known_after(d[D - 1] > 0, p);  // late, because the distance needs all registers of a thread
  return is_within<D>(d, taken_within(r, taken, g.radius[late]));
}

/// Returns how far beyond a region the centres of particles on a level may lie along each axis.
template <int D, class Certain>
HGRID_HD inline Vec<double, D> region_reach(const GridView<D, Certain>& g, const Box<D>& box, const Region<D>& r,
                                            const Taken& taken, int level) {
  const double distance = r.radius + (taken.take == Take::touching ? taken.scale * g.radius_max[level] : 0);
  Vec<double, D> reach;
  for (int k = 0; k < D; ++k) {
    const double far = std::fmax(std::fabs(r.lo[k]), std::fabs(r.hi[k]));
    reach[k] = search_reach(distance, far, 4 * shift_scale(box, k));
  }
  return reach;
}

/// Returns the cells of a level that a region may touch under one periodic image.
template <int D, class Certain>
HGRID_HD inline CellRange<D> region_cells(const GridView<D, Certain>& g, const Region<D>& r, int level,
                                          const Vec<double, D>& reach, const Shift<D>& shift) {
  CellRange<D> range;
  for (int k = 0; k < D; ++k) {
    const CellSpan cells = cells_in_reach(r.lo[k] - shift.by[k], r.hi[k] - shift.by[k], reach[k],
                                          [&](double at) { return g.cell_of(g.level[level], r.world, k, at); });
    range.first[k] = cells.first, range.last[k] = cells.last;
  }
  return range;
}

/// Calls f(begin, end) for the runs of slots of a world on a level that hold all particles in a range of cells, or once for all
/// slots of the level if the range has more runs than the level has slots.
template <int D, class Certain, class F>
HGRID_HD void for_each_run_in(const GridView<D, Certain>& g, int level, index_t world, const CellRange<D>& range, F&& f) {
  const SlotRun all = g.slots_on(level, world);
  if (all.begin == all.end) return;
  if (g.runs(range) > all.end - all.begin) return f(all.begin, all.end);
  index_t hint = 0;
  Vec<index_t, D> row = range.first;
  for (offset_t i = 0; i < range.rows(); ++i) {
    g.for_each_run(level, row, range.last[0], hint, f);
    for (int k = 1; k < D && ++row[k] > range.last[k]; ++k) row[k] = range.first[k];
  }
}

/// Finds the children of nodes that may hold particles of a region under a shift. Each operation of `is_in_region` is monotone,
/// also in its rounding, so a result for a box is true for all its slots (near_runs.hpp).
template <int D, class Certain>
struct ChildrenNearRegion {
  const GridView<D, Certain>& grid;
  const Region<D>& region;
  const Taken& taken;
  const Shift<D>& shift;

  HGRID_HD unsigned operator()(int height, offset_t node) const {
    const ChildBoxes<D>& its = grid.boxes.node(height, node);
    unsigned bits = 0;
    for (int c = 0; c < ChildBoxes<D>::children; ++c) {
      double d[D];
      for (int k = 0; k < D; ++k) d[k] = apart_along(region, k, its.lo[k][c], its.hi[k][c], shift);
      const double within = taken_within(region, taken, grid.boxes.facts_of(height, node).radius[c]);
      bits |= unsigned{is_within<D>(d, within)} << c;
    }
    return bits;
  }
};

/// Calls f(begin, end) for the runs of slots on a level that a region may touch under a shift; on hosts, of long runs for their
/// near parts.
template <int D, class Certain, class F>
HGRID_HD void for_each_run_near(const GridView<D, Certain>& g, const Region<D>& r, const Taken& taken, int level,
                                const Vec<double, D>& reach, const Shift<D>& shift, F&& f) {
  for_each_run_in(g, level, r.world, region_cells(g, r, level, reach, shift), [&](index_t begin, index_t end) {
    if constexpr (takes_items_in_turn()) {  // on hosts
      if (has_near_parts(g.boxes, begin, end)) {
        for_each_near_part({begin, end}, ChildrenNearRegion<D, Certain>{g, r, taken, shift}, f);
        return;
      }
    }
    f(begin, end);
  });
}

/// Calls f(id, image) as the overload below, in the box of the region's world.
template <int D, class Certain, class F>
HGRID_HD void for_each_in_region(const GridView<D, Certain>& g, const Box<D>& box, const Region<D>& asked, const Taken& taken,
                                 F&& f) {
  const WrappedRegion<D> wrapped = wrap_region(box, asked);
  const Region<D>& r = wrapped.region;
  for (int level = 0; level < g.level_count; ++level) {
    const Vec<double, D> reach = region_reach(g, box, r, taken, level);
    for_each_image(box, r.lo, r.hi, reach, [&](const Shift<D>& shift) {
      const auto take = [&](index_t begin, index_t end) {
        for (index_t p = begin; p < end; ++p) {
          if (!is_in_region(g, p, r, taken, shift)) continue;
          Image image = image_of(box, shift);
          for (int k = 0; k < D; ++k) image[k] += wrapped.periods[k] - g.periods(p, k);
          f(g.id[p], image);
        }
      };
      for_each_run_near(g, r, taken, level, reach, shift, take);
    });
  }
}

/// Calls f(id, image) for each particle of a region and each of its images there: the centre, as the user passed it, lies in
/// the region at x + image * L (as in contract C3, with the region as i and the particle as j). The region must be one that
/// `Regions` accepts: finite, lo <= hi, and at most seven periods (five if tilted) wide including the largest particle.
template <int D, class Certain, class F>
HGRID_HD void for_each_in_region(const GridView<D, Certain>& g, const Region<D>& asked, const Taken& taken, F&& f) {
  g.with_box(asked.world, [&](const Box<D>& box) { for_each_in_region(g, box, asked, taken, f); });
}

}  // namespace detail

}  // namespace hgrid::inline v0_2
