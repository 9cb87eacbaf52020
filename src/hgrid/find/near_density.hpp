// SPDX-License-Identifier: BSD-3-Clause
// A guess how far away the k nearest particles of a point may be, so that a search begins well.
#pragma once

#include <algorithm>

#include "hgrid/core/grid_view.hpp"
#include "hgrid/core/near_kernels.hpp"

namespace hgrid::inline v0_2::detail {

/// Returns the D-th root.
template <int D>
double near_root(double volume) {
  return D == 2 ? std::sqrt(volume) : std::cbrt(volume);
}

/// Returns the cube (in 2-D the square) of the radius of a ball that hardly ever holds fewer than k particles, at one particle
/// per unit volume and without voids. For a particle and its nearest neighbor k is 2: in the densest lattice of spheres they
/// are 1.1225 apart, and the ball is larger than that.
template <int D>
double near_volume(index_t k) {
  return (k + 2 * std::sqrt(k) + 1.5) / (D == 2 ? 3.14 : 4.19);
}

/// Density of the particles of a world, as if they were spread evenly over its cells.
template <int D>
class NearDensity {
 public:
  NearDensity() = default;
  NearDensity(const GridView<D>& g, index_t world, index_t k) : world_(world) {
    index_t most = 0;
    for (int h = 0; h < g.level_count; ++h) {
      const SlotRun there = g.slots_on(h, world_);
      const index_t here = there.end - there.begin;
      particles_ += here;
      if (here > most) most = here, level_ = h;
    }
    const Level<D>& level = g.level[level_];
    double volume = 1, cells = 1;
    for (int a = 0; a < D; ++a) volume *= level.cells[a] * level.cell_size[a], cells *= level.cells[a];
    usual_ = most / cells;
    const double wanted = near_volume<D>(k);
    distance_ = near_root<D>(wanted * volume / std::max(particles_, 1));
    widest_ = near_root<D>(together / wanted);
    const auto cells_along = [&](int a) { return 2 * distance_ / level.cell_size[a] + 1; };
    pieces_ = 1 + usual_ * cells_along(0) / NearPiece::most;
    for (int a = 1; a < D; ++a) pieces_ *= cells_along(a);
  }

  index_t world() const { return world_; }
  index_t particles() const { return particles_; }
  /// Returns the particles per cell, if they are spread evenly.
  double usual() const { return usual_; }
  /// Returns the level with the most particles.
  int level() const { return level_; }

  /// Returns the radius of a ball that hardly ever holds fewer than k particles, if they are spread evenly.
  double distance() const { return distance_; }
  /// Returns about how many pieces of slots are in the cells that such a ball reaches on that level.
  double pieces() const { return pieces_; }

  /// Returns the width, in units of `distance`, of a cube whose points are searched together; some two dozen particles lie in
  /// it. In a larger cube more points share cells, but each looks at more slots.
  double widest() const { return widest_; }

  /// Returns the largest block such that 2^block cells along each axis are no wider than this cube.
  int block(const GridView<D>& g) const {
    double side = 0;
    for (int a = 0; a < D; ++a) side = std::fmax(side, g.level[level_].cell_size[a]);
    int block = 0;
    while (block < 20 && side * (2 << block) <= widest_ * distance_) ++block;
    return block;
  }

  /// Returns the radius of a ball that hardly ever holds fewer than k particles, if there are no voids. It is smaller if the
  /// cell of the point has far more particles than average.
  double distance_around(const GridView<D>& g, const Vec<double, D>& x) const {
    Vec<index_t, D> home;
    for (int k = 0; k < D; ++k) home[k] = g.cell_of(g.level[level_], world_, k, x[k]);
    index_t hint = 0;
    const SlotRun run = g.run(level_, home, home[0], hint);
    const double here = run.end - run.begin;
    return here > 8 * usual_ + 8 ? distance_ * near_root<D>(usual_ / here) : distance_;
  }

 private:
  static constexpr double together = 24;

  index_t world_ = -1, particles_ = 0;
  int level_ = 0;
  double usual_ = 0;  // particles per cell
  double distance_ = 0, widest_ = 0, pieces_ = 0;
};

}  // namespace hgrid::inline v0_2::detail
