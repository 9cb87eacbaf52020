// SPDX-License-Identifier: BSD-3-Clause
// The nearest particles of a grid of one executor and dimension, on the host; unsupported on a device.
#pragma once

#include <algorithm>

#include "c/inputs.hpp"
#include "c/status.hpp"
#include "c/structs.hpp"
#include "hgrid/find/nearest.hpp"

namespace hgrid::c {

template <class Exec, int D>
class NearestOn {
 public:
  NearestOn(const Grid<Exec, D>& grid, const Place& place) : grid_(grid), place_(place), nearest_(grid) {}

  void find(const hgrid_nearest_points& asked, std::int32_t* ids, double* distances, std::int32_t* images) {
    if (asked.by < 0 || asked.by > 1) refuse("by", "is 0 for centres or 1 for surfaces", asked.by);
    NearestOptions options{.k = asked.k, .by = static_cast<NearestBy>(asked.by), .images = images != nullptr};
    if (asked.is_bounded < 0 || asked.is_bounded > 1) refuse("is_bounded", "is 0 or 1", asked.is_bounded);
    if (asked.is_bounded == 1) options.within = asked.within;
    require_zero(asked.reserved, "asked");
    if (is_given(asked.world) && !is_given(asked.x)) refuse("world", "is given, and x is not");
    const NearestResults found = is_given(asked.x) ? of_points(asked, options) : nearest_.of_particles(options);
    const auto n = found.ids.size();
    if (n > 0 && ids == nullptr) refuse("ids", "is null");
    if (n > 0 && distances == nullptr) refuse("distances", "is null");
    std::copy_n(found.ids.data(), n, ids);
    std::copy_n(found.distances.data(), n, distances);
    for (std::size_t i = 0; i < found.images.size(); ++i) std::copy_n(found.images[i].m, D, images + D * i);
  }

 private:
  NearestResults of_points(const hgrid_nearest_points& asked, const NearestOptions& options) {
    auto spheres = hgrid_regions{};
    spheres.struct_size = sizeof(spheres), spheres.lo = asked.x, spheres.world = asked.world;
    const GivenRegions<D> given = regions_of<D>(spheres, place_, "x");
    detail::reserve_all(grid_.exec(), detail::Need{points_, given.count}, detail::Need{worlds_, given.count});
    grid_.exec().for_each("hgrid::copy_points", given.count, [&](offset_t q) {
      const Region<D> at = given[q];
      points_.data()[q] = at.lo, worlds_.data()[q] = at.world;
    });
    const auto n = static_cast<std::size_t>(given.count);
    return nearest_.of_points({points_.data(), n}, options, {worlds_.data(), given.world == nullptr ? 0 : n});
  }

  const Grid<Exec, D>& grid_;
  const Place& place_;
  Nearest<Exec, D> nearest_;
  typename Exec::template Buffer<Vec<double, D>> points_;
  typename Exec::template Buffer<index_t> worlds_;
};

template <class Exec, int D>
requires(!Exec::on_host) class NearestOn<Exec, D> {
 public:
  NearestOn(const Grid<Exec, D>&, const Place&) {}
  void find(const hgrid_nearest_points&, std::int32_t*, double*, std::int32_t*) {
    refuse("grid", "is on a device; the nearest are found on hosts", 0, ErrorCode::unsupported);
  }
};

}  // namespace hgrid::c
