// SPDX-License-Identifier: BSD-3-Clause
// What `Queries` does for each region: inspect it, count and write its particles, call a functor for them.
#pragma once

#include <utility>

#include "hgrid/core/region.hpp"
#include "hgrid/grid.hpp"

namespace hgrid::inline v0_1::detail {

enum class RegionFault : int { none, nonfinite, range, inverted, negative_radius, world, extended, too_large, outside };

/// The first region that cannot be asked.
struct RegionCheck {
  offset_t bad = 0, first = INT64_MAX;
  double value = 0;
  RegionFault fault = RegionFault::none;
  int of_radius = 0;  ///< the value is the region's radius, and no coordinate

  HGRID_HD void join(const RegionCheck& o) {
    bad += o.bad;
    if (o.first < first) first = o.first, value = o.value, fault = o.fault, of_radius = o.of_radius;
  }
};

template <int D, class View = GridView<D>>
struct InspectRegion {
  const Region<D>* regions;
  View grid;
  Taken taken;
  double largest;  // of particles that other ranks hold, or 0

  HGRID_HD void operator()(offset_t q, RegionCheck& check) const {
    const Region<D>& r = regions[q];
    double value = r.radius;
    RegionFault fault = !is_finite(value)        ? RegionFault::nonfinite
                        : value > largest_length ? RegionFault::range
                        : value < 0              ? RegionFault::negative_radius
                                                 : RegionFault::none;
    const bool of_radius = fault != RegionFault::none;
    if (r.world < 0 || (grid.has_worlds() ? r.world >= grid.worlds : r.world > 0)) fault = RegionFault::world, value = r.world;
    if (fault == RegionFault::none) grid.with_box(r.world, [&](const Box<D>& box) { look_at_axes(box, r, fault, value); });
    if (fault == RegionFault::none) return;
    ++check.bad;
    if (q < check.first)
      check.first = q, check.value = value, check.fault = fault, check.of_radius = fault != RegionFault::world && of_radius;
  }

 private:
  HGRID_HD void look_at_axes(const Box<D>& box, const Region<D>& r, RegionFault& fault, double& value) const {
    for (int k = 0; k < D && fault == RegionFault::none; ++k) {
      value = std::fabs(r.lo[k]) <= largest_length ? r.hi[k] : r.lo[k];
      if (!is_finite(value))
        fault = RegionFault::nonfinite;
      else if (std::fabs(value) > largest_length)
        fault = RegionFault::range;
      else if (r.lo[k] > r.hi[k])
        fault = RegionFault::inverted;
      else if (box.turned && r.lo[k] != r.hi[k])
        fault = RegionFault::extended;
      else if (box.wraps[k] && !fits(box, r, k))
        fault = RegionFault::too_large;
      else if (box.wraps[k] && std::fabs(into_box(box, r.lo).count[k]) > most_outside(box))
        fault = RegionFault::outside, value = r.lo[largest_coordinate(r.lo)];
    }
  }

  HGRID_HD bool fits(const Box<D>& box, const Region<D>& r, int k) const {
    double radius = largest;
    for (int h = 0; h < grid.level_count; ++h) radius = std::fmax(radius, grid.radius_max[h]);
    if (taken.take != Take::touching) radius = 0;
    return has_few_images(box, k, r.hi[k] - r.lo[k] + 2 * (r.radius + taken.scale * radius));
  }
};

struct AllTouch {
  HGRID_HD bool operator()(index_t, index_t, const Image&) const { return true; }
};

template <int D, class Touches, class View = GridView<D>>
struct CountInRegion {
  View grid;
  const Region<D>* regions;
  Taken taken;
  Touches touches;
  offset_t* counts;
  const RegionCheck* check = nullptr;  // of regions that the host has not looked at: none is counted if one is bad

  template <class Kind>
  auto in(const Kind& view) const {
    return CountInRegion<D, Touches, Kind>{view, regions, taken, touches, counts, check};
  }

  HGRID_HD void operator()(offset_t q) const {
    offset_t n = 0;
    if (check == nullptr || check->bad == 0) n = count(q);
    counts[q] = n;
  }
  HGRID_HD offset_t count(offset_t q) const {
    offset_t n = 0;
    for_each_in_region(grid, regions[q], taken,
                       [&](index_t id, const Image& image) { n += touches(static_cast<index_t>(q), id, image); });
    return n;
  }
};

/// Whether rows have been counted that have room; null: the host knows.
struct RowsHaveRoom {
  const offset_t* found = nullptr;
  offset_t room = 0;

  HGRID_HD bool operator()() const { return found == nullptr || (*found >= 0 && *found <= room); }
};

/// The number of all entries, or -1 if a region is bad.
struct KeepFound {
  const RegionCheck* check;
  const offset_t* total;
  offset_t* found;

  HGRID_HD void operator()(offset_t) const { *found = check->bad > 0 ? -1 : *total; }
};

/// No rows where there is no room.
struct EmptyRows {
  RowsHaveRoom have_room;
  offset_t* offsets;

  HGRID_HD void operator()(offset_t q) const {
    if (!have_room()) offsets[q] = 0;
  }
};

template <int D, class Touches, class View = GridView<D>>
struct WriteInRegion {
  View grid;
  const Region<D>* regions;
  Taken taken;
  Touches touches;
  const offset_t* offsets;
  index_t* ids;
  Image* images;  // or null
  RowsHaveRoom have_room = {};

  template <class Kind>
  auto in(const Kind& view) const {
    return WriteInRegion<D, Touches, Kind>{view, regions, taken, touches, offsets, ids, images, have_room};
  }

  HGRID_HD void operator()(offset_t q) const {
    if (!have_room()) return;
    offset_t to = offsets[q];
    for_each_in_region(grid, regions[q], taken, [&](index_t id, const Image& image) {
      if (!touches(static_cast<index_t>(q), id, image)) return;
      ids[to] = id;
      if (images != nullptr) images[to] = image;
      ++to;
    });
  }
};

template <int D, class F, class View = GridView<D>>
struct VisitInRegion {
  View grid;
  const Region<D>* regions;
  Taken taken;
  F f;
  const RegionCheck* check = nullptr;  // as for CountInRegion

  template <class Kind>
  auto in(const Kind& view) const {
    return VisitInRegion<D, F, Kind>{view, regions, taken, f, check};
  }

  HGRID_HD void operator()(offset_t q) const {
    if (check != nullptr && check->bad > 0) return;
    for_each_in_region(grid, regions[q], taken, [&](index_t id, const Image& image) { f(static_cast<index_t>(q), id, image); });
  }
};

/// StageByKind for items of unequal cost.
struct ItemsByKind {
  template <class Exec, class Stage>
  void operator()(const Exec& exec, const char* name, offset_t n, const Stage& stage) const {
    for_worlds(stage.grid, [&](const auto& view) { exec.for_each_item(name, n, stage.in(view)); });
  }
};

}  // namespace hgrid::inline v0_1::detail
