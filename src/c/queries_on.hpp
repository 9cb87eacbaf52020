// SPDX-License-Identifier: BSD-3-Clause
// Queries of regions, and of other grids' particles, on a grid of one executor and dimension.
#pragma once

#include <memory>

#include "c/inputs.hpp"
#include "c/listed.hpp"
#include "c/results.hpp"
#include "c/structs.hpp"
#include "hgrid/queries.hpp"

namespace hgrid::c {

template <class Exec, int D>
class QueriesOn {
 public:
  /// `last` is the owner of the grid's last list, which can be kept until there is another.
  QueriesOn(Grid<Exec, D>& grid, const Place& place, Owner& last) : grid_(grid), place_(place), last_(last) {}

  hgrid_neighbour_list of_regions(const hgrid_regions& given) {
    const Take take = choice<Take>(given.take, "take");
    const GivenRegions<D> regions = regions_of<D>(given, place_);
    detail::reserve_all(grid_.exec(), detail::Need{regions_, regions.count});
    grid_.exec().for_each("hgrid::copy_regions", regions.count, CopyRegion<D>{regions, regions_.data()});
    const double scale = given.radius_scale == 0 ? 1 : given.radius_scale;
    return given_by(Regions<D>{regions_.data(), regions.count, take, scale});
  }
  hgrid_neighbour_list of_grid(Grid<Exec, D>& asking, const GivenExclusions& excluded) {
    asking.view();  // throws `not_built`
    const Exclusions exclusions = exclusions_of(excluded, asking.particle_count(), place_);
    if (exclusions.size == 0) return given_by(asking);
    return given_by(Excluding(grid_, asking, exclusions));
  }

 private:
  template <class Asker>
  hgrid_neighbour_list given_by(Asker&& asker) {
    last_.reset();
    NeighbourList<Exec>& list =
        lists_.next([this] { return std::make_unique<NeighbourList<Exec>>(grid_.exec(), ListKind::full); });
    grid_.find(list, asker);
    last_ = lists_.last();
    return list_of(list);
  }

  Grid<Exec, D>& grid_;
  const Place& place_;
  Owner& last_;
  typename Exec::template Buffer<Region<D>> regions_;
  Results<NeighbourList<Exec>> lists_;
};

}  // namespace hgrid::c
