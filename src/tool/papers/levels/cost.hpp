// SPDX-License-Identifier: BSD-3-Clause
// The cost of a hierarchical grid, per particle and in pair tests, after Krijgsman, Ogarko and Luding (2014),
// section 3: homogeneous, infinitely many particles, no excluded volume. Readings that the paper leaves open:
// s_0 = 2 r_min with r_min itself on the first level, s_L = 2 r_max, and K the cost of a cell access in pair
// tests.
#pragma once

#include <span>
#include <vector>

#include "hgrid/core/types.hpp"
#include "papers/levels/distribution.hpp"

namespace hgrid::paper {

struct ModelOptions {
  int dimension = 3;
  double packing = 0.62;   ///< nu, volume of the particles over the volume of the domain
  double cell_cost = 0.2;  ///< K, a cell access in pair tests
  Direction direction = Direction::top_down;
};

/// Work per particle.
struct Work {
  double tests = 0;  ///< T^cd, pair tests
  double cells = 0;  ///< T^ca, cell accesses
  double total = 0;  ///< T = T^cd + K T^ca, Eq. 27
};

/// One level of a grid in the model.
struct LevelEstimate {
  double size = 0;       ///< s_h, side of its cells
  double particles = 0;  ///< N_h / N, Eq. 9
  double cells = 0;      ///< N_h^c / N, Eq. 10
  double occupancy = 0;  ///< m_h, particles per cell, Eq. 11
};

/// Sizes are cell sides s_1 < ... < s_L = 2 r_max in the unit of the distribution's radii. The distribution
/// must outlive the model.
class CostModel {
 public:
  /// Throws `invalid_argument` for a dimension other than 2 and 3, a packing outside (0, 1e6] or a K outside
  /// [0, 1e6].
  CostModel(const Distribution& radii, const ModelOptions& options);

  const Distribution& radii() const { return radii_; }
  const ModelOptions& options() const { return options_; }

  /// Returns T by the additive form: the sum of `level` over the levels.
  Work work(std::span<const double> sizes) const;
  /// Returns T in the paper's form, Eq. 16 and 23 to 27: for each level the searches of its particles. Equal to `work` except
  /// for rounding; O(L^2).
  Work work_by_searcher(std::span<const double> sizes) const;
  std::vector<LevelEstimate> levels(std::span<const double> sizes) const;

  /// Returns particles per cell of size b, if the level holds 2 a < 2 r <= b, Eq. 11.
  double occupancy(double a, double b) const { return occupancy_of(radii_.share(a / 2, b / 2), b); }
  /// Returns all the work on the level of a < 2 r <= b: searches of its own particles, and of others on it.
  Work level(double a, double b) const;
  /// Returns this work from parts: the level's share of the particles, and the moments of the particles on other levels that
  /// search it.
  Work level_of(double share, double size, const Moments& searchers) const;

 private:
  double occupancy_of(double share, double size) const;
  double cells_searched(double size, const Moments& searchers) const;
  void check(std::span<const double> sizes) const;
  Work total(double tests, double cells) const { return {tests, cells, tests + options_.cell_cost * cells}; }

  const Distribution& radii_;
  ModelOptions options_;
  double particle_volume_, own_cells_;
};

}  // namespace hgrid::paper
