// SPDX-License-Identifier: BSD-3-Clause
// What a built grid costs, by its counted steps: two runs count the same, whatever the clock says.
#pragma once

#include "hgrid/engine/neighbours.hpp"
#include "hgrid/options.hpp"
#include "hgrid/plan.hpp"

namespace hgrid::inline v0_1::detail {

/// The nanoseconds that the particle of a slot takes in a build and a search, by the shipped costs.
template <int D>
class CountedCost {
 public:
  CountedCost(const GridView<D>& grid, const Plan<D>& plan, offset_t slots)
      : grid_(grid),
        of_table_(plan.table == TableKind::dense
                      ? costs_.cell * static_cast<double>(plan.levels.cells) / static_cast<double>(slots)
                      : costs_.compacted_slot),
        of_row_(plan.table == TableKind::dense ? costs_.row : costs_.compacted_row) {}

  HGRID_HD index_t particle(index_t slot) const { return grid_.id[slot]; }
  HGRID_HD Vec<double, D> place(index_t slot) const { return grid_.position(slot); }
  HGRID_HD double operator()(index_t slot) const {
    const int level = grid_.level_of_slot(slot), searched = grid_.is_top_down() ? level + 1 : grid_.level_count - level;
    WorkCount work;
    CountWork<D>{grid_}(slot, work);
    return of_table_ + searched * costs_.setup + static_cast<double>(work.rows) * of_row_ +
           static_cast<double>(work.candidates) * costs_.candidate;
  }

 private:
  GridView<D> grid_;
  SearchCosts costs_;
  double of_table_, of_row_;
};

/// A weight at a place in the box.
template <int D>
struct Weighed {
  Vec<double, D> x;
  double weight;
};

/// Tells the cost of each particle, at its place.
template <int D>
struct PlaceWork {
  CountedCost<D> cost;
  Weighed<D>* out;

  HGRID_HD void operator()(offset_t k) const {
    const auto slot = static_cast<index_t>(k);
    out[cost.particle(slot)] = {cost.place(slot), cost(slot)};
  }
};

}  // namespace hgrid::inline v0_1::detail
