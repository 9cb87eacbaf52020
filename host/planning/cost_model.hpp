// SPDX-License-Identifier: BSD-3-Clause
// The cost of this library's search, in the additive form of Krijgsman, Ogarko and Luding (2014): the whole
// cost of a level depends only on the radii it holds and on those that search it, so levels can be chosen by
// dynamic programming. Unlike the paper's T, cells that are looked at are counted by row (consecutive cells
// count once), cells are flat boxes whose size is free, and candidates are as dense as the particles that search see them.
#pragma once

#include <algorithm>
#include <array>
#include <span>

#include "hgrid/core/types.hpp"
#include "hgrid/plan/plan_bounds.hpp"
#include "host/planning/calibration.hpp"
#include "host/planning/pair_density.hpp"
#include "host/planning/radius_histogram.hpp"

namespace hgrid::inline v0_2::detail {

/// Shape of a level's cells, in units of half the distance at which two of its largest particles are listed: along x, and along
/// the other axes.
struct CellShape {
  double x, other;
};

struct LevelCost {
  double cost;
  CellShape shape;
};

/// The space that a search goes through.
struct SearchSpace {
  PairDensity density;
  std::array<double, 3> size;  ///< of the space that has cells, per axis
  int dimension;
  double worlds = 1;          ///< that have a space of this size each
  double share_of_world = 1;  ///< that a particle's world has of all particles
  double rounding = 0;        ///< length by which each search is wider than its distances
};

/// Which searches the model adds up.
struct SearchKind {
  Direction direction = Direction::top_down;
  KeyOrder keys = KeyOrder::row_major;  ///< under Morton keys each cell counts as a row
  TableKind table = TableKind::dense;
  double share_of_cells = 0.5;  ///< of those that a dense table may have, for one level
  bool radii_add = true;        ///< pairs touch by the sum of their radii, or by the larger one
};

/// Returns the half distance of a level with this largest radius; for a level of points, the one of the smallest radius.
inline double shape_unit(bool radii_add, double radius, double skin) {
  return std::max(radii_add ? radius + 0.5 * skin : 0.5 * (radius + skin), smallest_radius);
}

class CostModel {
 public:
  /// `bins` ascending; `space` must outlive the model.
  CostModel(std::span<const RadiusBin> bins, const SearchSpace& space, double skin, SearchKind kind, SearchCosts costs);

  /// The best of cells twice as wide each, from the narrowest on: where to begin.
  CellShape rough_shape(int first, int last) const;

  /// Cost of one level that holds bins [first, last), with its best cell shape, which is sought from `start` downhill.
  /// Infinite if a dense table may not have that number of cells.
  LevelCost level(int first, int last, CellShape start) const;
  LevelCost level(int first, int last) const { return level(first, last, rough_shape(first, last)); }

  /// The steps of one level that holds bins [first, last) in cells of a given shape. As many cells along each axis as all space
  /// has room for, or as were laid out.
  SearchWork work(int first, int last, CellShape shape, const index_t* cells = nullptr) const;

  /// Their cost.
  double cost(int first, int last, CellShape shape) const { return work(first, last, shape).cost(costs_); }

 private:
  struct Level {  // and its cells
    int first, last;
    double x, other, inverse_other;
    std::array<double, 3> cells;  // along each axis
  };
  struct Width {  // of a search by a particle of radius r: fixed + slope r
    double fixed, slope;
  };
  Width width(double radius, bool by_larger) const;
  SearchWork searched(const Level& level, Width width, int size_class, int from, int to) const;
  double most_cells() const {
    return kind_.share_of_cells * cells_per_particle * prefix_.back().moment[0] + 64;
  }  // of one level
  LevelCost weigh(int first, int last, CellShape shape) const;
  double unit(int last) const { return shape_unit(kind_.radii_add, radius_max_[static_cast<std::size_t>(last - 1)], skin_); }
  double least_side(int last) const;
  double widest_side(int last) const {  // beyond which a cell holds all
    return *std::max_element(space_.size.begin(), space_.size.end()) / unit(last);
  }

  std::vector<RadiusBin> prefix_;  // prefix_[b].moment: sums over bins [0, b)
  std::vector<double> radius_max_;
  const SearchSpace& space_;
  double skin_;
  SearchKind kind_;
  SearchCosts costs_;
};

}  // namespace hgrid::inline v0_2::detail
