// SPDX-License-Identifier: BSD-3-Clause
// The cost of this library's search, in the additive form of Krijgsman, Ogarko and Luding (2014): the whole
// cost of a level depends only on the radii it holds and on those that search it, so levels can be chosen by
// dynamic programming. Unlike the paper's T, look-ups are counted per row of cells (consecutive cells are one
// look-up) and cells are flat boxes whose size is free.
#pragma once

#include <span>

#include "hgrid/core/types.hpp"
#include "hgrid/host/planning/radius_histogram.hpp"

namespace hgrid {

inline constexpr double cells_per_particle =
    8;  ///< hard cap of a dense table; beyond it, tables are compacted

/// Cost of the elementary steps, in nanoseconds or any common unit.
struct SearchCosts {
  double setup = 20;       ///< a particle starting on a level
  double row = 8;          ///< looking up one row of cells
  double candidate = 0.5;  ///< testing one candidate
  double cell = 1.5;       ///< building one cell of a dense table
};

/// Shape of a level's cells, in units of its largest radius: along x, and along the other axes.
struct CellShape {
  double x, other;
};

struct LevelCost {
  double cost;
  CellShape shape;
};

/// What the search of one level takes: elementary steps, to be weighed by `SearchCosts`.
struct LevelWork {
  double setups = 0, rows = 0, candidates = 0, cells = 0;

  double cost(const SearchCosts& c) const {
    return c.setup * setups + c.row * rows + c.candidate * candidates + c.cell * cells;
  }
};

class CostModel {
 public:
  /// `bins` ascending; `volume` is the domain's (area in 2-D).
  CostModel(std::span<const RadiusBin> bins, double volume, int dimension, double skin, Direction direction,
            SearchCosts costs);

  /// Cost of one level that holds bins [first, last), with its best cell shape.
  LevelCost level(int first, int last) const;

  /// The steps of one level that holds bins [first, last) in cells of a given shape.
  LevelWork work(int first, int last, CellShape shape) const { return work_of(parts_of(first, last), shape); }

 private:
  struct Parts {  // of a level, whatever the shape of its cells
    double radius, own[4], searchers[4];
  };
  Parts parts_of(int first, int last) const;
  LevelWork work_of(const Parts& level, CellShape shape) const;
  LevelWork searched(const double* moment, double reach, double density, CellShape side) const;

  std::vector<RadiusBin> prefix_;  // prefix_[b].moment: sums over bins [0, b)
  std::vector<double> radius_max_;
  double volume_, skin_;
  int dimension_;
  Direction direction_;
  SearchCosts costs_;
};

}  // namespace hgrid
