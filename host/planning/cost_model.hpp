// SPDX-License-Identifier: BSD-3-Clause
// The cost of this library's search, in the additive form of Krijgsman, Ogarko and Luding (2014): the whole
// cost of a level depends only on the radii it holds and on those that search it, so levels can be chosen by
// dynamic programming. Unlike the paper's T, look-ups are counted per row of cells (consecutive cells are one
// look-up) and cells are flat boxes whose size is free.
#pragma once

#include <span>

#include "hgrid/core/types.hpp"
#include "hgrid/host/planning/calibration.hpp"
#include "hgrid/host/planning/radius_histogram.hpp"

namespace hgrid {

/// Hard cap of a dense table; beyond it, tables are compacted.
inline constexpr double cells_per_particle = 8;

/// Shape of a level's cells, in units of its largest radius: along x, and along the other axes.
struct CellShape {
  double x, other;
};

struct LevelCost {
  double cost;
  CellShape shape;
};

class CostModel {
 public:
  /// `bins` ascending; `volume` is the domain's (area in 2-D).
  CostModel(std::span<const RadiusBin> bins, double volume, int dimension, double skin, Direction direction,
            SearchCosts costs);

  /// Cost of one level that holds bins [first, last), with its best cell shape.
  LevelCost level(int first, int last) const;

  /// A lower bound of that cost for a tenth of the work: the candidates of the smallest cells, the rows of the largest.
  double least(int first, int last) const;

  /// The steps of one level that holds bins [first, last) in cells of a given shape.
  SearchWork work(int first, int last, CellShape shape) const {
    return work_of(parts_of(first, last), shape);
  }

  /// Their cost.
  double cost(int first, int last, CellShape shape) const { return work(first, last, shape).cost(costs_); }

 private:
  struct Parts {  // of a level, whatever the shape of its cells
    double radius, own[4], searchers[4];
  };
  Parts parts_of(int first, int last) const;
  SearchWork work_of(const Parts& level, CellShape shape) const;
  SearchWork searched(const double* moment, double reach, double density, CellShape side) const;

  std::vector<RadiusBin> prefix_;  // prefix_[b].moment: sums over bins [0, b)
  std::vector<double> radius_max_;
  double volume_, skin_;
  int dimension_;
  Direction direction_;
  SearchCosts costs_;
};

}  // namespace hgrid
