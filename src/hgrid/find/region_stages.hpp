// SPDX-License-Identifier: BSD-3-Clause
// Regions as queries (find/asked_lists.hpp), and the checks of regions.
#pragma once

#include <string>
#include <type_traits>

#include "hgrid/core/region.hpp"
#include "hgrid/find/asked_grid.hpp"
#include "hgrid/grid.hpp"
#include "hgrid/inputs/input_error.hpp"

namespace hgrid::inline v0_2::detail {

/// Throws `invalid_argument` for a bad scale.
inline Taken checked(Take take, double radius_scale) {
  if (radius_scale >= 0 && radius_scale <= largest_length) return {take, radius_scale};
  throw Error(ErrorCode::invalid_argument, "radius_scale is " + to_text(radius_scale) + "; it must be from 0 to 1e15",
              {.argument = "radius_scale", .value = radius_scale});
}

/// Throws if a region is bad.
inline void throw_bad_region(const RegionCheck& found) {
  if (found.bad == 0) return;
  static constexpr struct {
    ErrorCode code;
    const char* what;
  } faults[] = {
      {ErrorCode::invalid_argument, ""},
      {ErrorCode::nonfinite, "is not finite"},
      {ErrorCode::range_error, "is not within 1e15"},
      {ErrorCode::invalid_argument, "is an upper end below the lower one"},
      {ErrorCode::invalid_argument, "is negative"},
      {ErrorCode::range_error, "is none of the worlds"},
      {ErrorCode::unsupported, "ends a region with an extent; in a turned box only points and spheres are supported"},
      {ErrorCode::box_too_small, "ends a region that is over seven periods wide (five if tilted), particles included"},
      {ErrorCode::range_error, "is more than 2^30 periods outside the box (2^29 if tilted)"}};
  const auto& fault = faults[static_cast<int>(found.fault)];
  throw Error(fault.code,
              "region " + std::to_string(found.first) + ": " + (found.of_radius != 0 ? "radius " : "") + to_text(found.value) +
                  " " + fault.what,
              {.argument = "regions", .index = found.first, .value = found.value, .count = found.bad});
}

/// Throws `size_mismatch`, `capacity` or `invalid_argument` unless the number of regions and the pointer are valid.
template <int D>
void check_regions(const Region<D>* regions, offset_t count) {
  const auto fail = [&](ErrorCode code, const char* what) {
    throw Error(code, std::to_string(count) + what, {.argument = "regions", .value = static_cast<double>(count)});
  };
  if (count < 0) fail(ErrorCode::size_mismatch, " regions: the number is negative");
  if (count > most_particles) fail(ErrorCode::capacity, " regions: their numbers have 32 bits, ask for some at a time");
  if (count > 0 && regions == nullptr) fail(ErrorCode::invalid_argument, " regions, and the pointer to them is null");
}

template <int D, class View = GridView<D>>
struct InspectRegion {
  const Region<D>* regions;
  View grid;
  Taken taken;
  double largest;  // largest radius of particles on other ranks, or 0

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

/// Regions as queries. Item q is region q, and so is its list.
template <int D, class View = GridView<D>>
struct AskingRegions {
  static constexpr bool skips_lists = false;
  View grid;
  const Region<D>* regions;
  Taken taken;
  const RegionCheck* check = nullptr;  // check of regions that the host has not seen: if one is bad, no region has contacts

  /// Calls f(this) with a view of the grid's kind.
  template <class F>
  void by_kind(const F& f) const {
    for_worlds(grid, [&](const auto& view) { f(AskingRegions<D, std::decay_t<decltype(view)>>{view, regions, taken, check}); });
  }

  /// Calls f(list, id, image) for the particles in region q.
  template <class F>
  HGRID_HD void for_each(offset_t q, F&& f) const {
    if (check != nullptr && check->bad > 0) return;
    for_each_in_region(grid, regions[q], taken, [&](index_t id, const Image& image) { f(static_cast<index_t>(q), id, image); });
  }
  HGRID_HD index_t list_of(offset_t q) const { return static_cast<index_t>(q); }
  HGRID_HD bool asks(offset_t) const { return true; }
};

}  // namespace hgrid::inline v0_2::detail
