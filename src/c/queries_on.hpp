// SPDX-License-Identifier: BSD-3-Clause
// Regions, and the particles of other grids, asked of a grid of one executor and dimension.
#pragma once

#include <memory>

#include "c/inputs.hpp"
#include "c/listed.hpp"
#include "c/results.hpp"
#include "c/structs.hpp"
#include "hgrid/find/queries.hpp"

namespace hgrid::c {

template <class Exec, int D>
class QueriesOn {
 public:
  /// `last` is what the grid's last list lies in, which can be kept until there is another.
  QueriesOn(Grid<Exec, D>& grid, const Place& place, Owner& last) : grid_(grid), place_(place), last_(last) {}

  hgrid_neighbour_list of_regions(const hgrid_regions& given) {
    const Take take = choice<Take>(given.take, "take");
    const GivenRegions<D> regions = regions_of<D>(given, place_);
    detail::reserve_all(grid_.exec(), detail::Need{regions_, regions.count});
    grid_.exec().for_each("hgrid::copy_regions", regions.count, CopyRegion<D>{regions, regions_.data()});
    const double scale = given.radius_scale == 0 ? 1 : given.radius_scale;
    return given_by([&](auto& queries) -> auto& { return queries.find(regions_.data(), regions.count, take, scale); });
  }
  hgrid_neighbour_list of_grid(Grid<Exec, D>& asking, const GivenExclusions& excluded) {
    asking.view();  // throws `not_built`
    const Exclusions exclusions = exclusions_of(excluded, asking.particle_count(), place_);
    excludes_ = excludes_ || exclusions.size > 0;
    return given_by([&](auto& queries) -> auto& {
      if (excludes_) queries.exclude(asking, exclusions);  // none: those of a call before are forgotten
      return queries.find(asking);
    });
  }

 private:
  template <class Find>
  hgrid_neighbour_list given_by(const Find& find) {
    last_.reset();
    Queries<Exec, D>& queries = queries_.next([this] { return std::make_unique<Queries<Exec, D>>(grid_); });
    const NeighbourList<Exec>& found = find(queries);
    last_ = queries_.last();
    return list_of(found);
  }

  Grid<Exec, D>& grid_;
  const Place& place_;
  Owner& last_;
  typename Exec::template Buffer<Region<D>> regions_;
  Results<Queries<Exec, D>> queries_;
  bool excludes_ = false;  // since some call
};

}  // namespace hgrid::c
