// SPDX-License-Identifier: BSD-3-Clause
// The cost of this library's search, in the additive form of Krijgsman, Ogarko and Luding (2014): the cost of a level depends
// only on its own radii and on the radii that search it, so levels can be chosen by dynamic programming. It differs from the
// paper's T: visited cells are counted by row (consecutive cells count once), cells are flat boxes of any size, and the density
// of candidates is the density around the searching particles.
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

/// The space that is searched.
struct SearchSpace {
  PairDensity density;
  std::array<double, 3> size;  ///< of the space that has cells, per axis
  int dimension;
  double worlds = 1;          ///< number of worlds with a space of this size each
  double share_of_world = 1;  ///< share of all particles that are in a particle's world
  double rounding = 0;        ///< by how much each search is wider than its distances
};

/// The kind of searches whose cost is added up.
struct SearchKind {
  Direction direction = Direction::top_down;
  KeyOrder keys = KeyOrder::row_major;  ///< with Morton keys each cell counts as a row
  TableKind table = TableKind::dense;
  double share_of_cells = 0.5;  ///< share of all cells that a dense table may have, for one level
  bool radii_add = true;        ///< pairs touch by the sum of their radii, or by the larger one
};

/// Returns the half distance of a level with this largest radius; for a level of points, the one of the smallest radius.
inline double shape_unit(bool radii_add, double radius, double skin) {
  return std::max(radii_add ? radius + 0.5 * skin : 0.5 * (radius + skin), smallest_radius);
}

class CostModel {
 public:
  /// `bins` must ascend; `space` must outlive the model.
  CostModel(std::span<const RadiusBin> bins, const SearchSpace& space, double skin, SearchKind kind, SearchCosts costs);

  /// Returns the best of some shapes, each twice as wide as the last, from the narrowest on: a start for `level`.
  CellShape rough_shape(int first, int last) const;

  /// Returns the cost of one level that holds bins [first, last), with its best cell shape, found by descent from `start`.
  /// Infinite if a dense table may not have that number of cells.
  LevelCost level(int first, int last, CellShape start) const;
  LevelCost level(int first, int last) const { return level(first, last, rough_shape(first, last)); }

  /// Returns the steps of one level that holds bins [first, last) in cells of a given shape. The number of cells along each
  /// axis is `cells` if it is given, or else fills the whole space.
  SearchWork work(int first, int last, CellShape shape, const index_t* cells = nullptr) const;

  double cost(int first, int last, CellShape shape) const { return work(first, last, shape).cost(costs_); }

 private:
  struct Level {  // with its cells
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
  double widest_side(int last) const {  // a wider cell holds everything
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
