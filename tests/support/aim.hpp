// SPDX-License-Identifier: BSD-3-Clause
// Particles aimed at where rounding hurts.
#pragma once

#include "hgrid/inputs/extents.hpp"
#include "hgrid/threads/serial_exec.hpp"
#include "support/case.hpp"
#include "support/user_arrays.hpp"

namespace support {

/// Moves particles to where rounding hurts: onto the first or last number of a cell that the library really
/// uses, and pairs, also across periodic faces, to their distance of touching, give or take a few ulp.
template <class Real, int D>
class Aim {
 public:
  Aim(Case& c, Random& random) : c_(c), s_(c.system), random_(random) {
    auto grid = grid_in<hgrid::Grid<hgrid::SerialExec, D>>(hgrid::SerialExec{}, s_, options_of(c));
    const UserArrays<Real, D> arrays(s_);
    grid.build(arrays.view(), {.skin = s_.skin});
    plan_ = grid.plan();
  }

  void operator()() {
    const int kind = c_.choice[aim];
    turn_all(oracle::along_axes);
    const bool part_easily = s_.extended || c_.choice[positions] == values::far_clusters;  // boxes along any axis
    for (oracle::Particle& p : s_.particles) {
      for (int k = 0; k < D && kind != values::kissing; ++k) {
        if (random_.chance(part_easily ? 0.2 : 0.6)) p.x[k] = at_border(p, k);
      }
    }
    for (int i = 1; i < static_cast<int>(s_.particles.size()) && kind != values::borders; ++i) {
      if (random_.chance(0.5)) kiss(s_.particles[random_.integer(0, i - 1)], s_.particles[i]);
    }
    turn_all(oracle::from_axes);
    bring_back<Real>(s_);
  }

 private:
  // Borders and periods are along the axes of the box.
  void turn_all(std::array<double, 3> (&turn)(const oracle::Domain&, const double*)) {
    for (oracle::Particle& p : s_.particles) {
      const oracle::Domain& box = oracle::domain_of(s_, p);
      const std::array<double, 3> x = turn(box, p.x);
      for (int k = 0; k < D && box.turned; ++k) p.x[k] = as_stored<Real>(x[static_cast<std::size_t>(k)]);
    }
  }

  double reach(const oracle::Particle& p) const { return s_.radius_scale * p.radius + p.extra; }

  double nudged(double x, int most) {
    return static_cast<double>(ulps_away(static_cast<Real>(x), random_.integer(-most, most)));
  }

  int level_of(const oracle::Particle& p) const {
    const auto extent = [&](int k) { return s_.radius_scale * p.extent[k] + p.extra; };
    if (s_.extended) return hgrid::detail::ExtentBounds<D>(plan_).level_of(extent);
    return hgrid::detail::level_of_radius(plan_.levels.level, plan_.levels.count, reach(p) + 0.5 * s_.skin);
  }

  double at_border(const oracle::Particle& p, int k) {
    const hgrid::Levels<D>& levels = plan_.levels;
    const int own = level_of(p);
    const hgrid::Level<D>& level = levels.level[random_.chance(0.7) ? own : random_.integer(0, levels.count - 1)];
    const oracle::Domain& box = oracle::domain_of(s_, p);
    const double x = p.x[k];
    const double of_world = s_.worlds > 0 ? plan_.origins[static_cast<std::size_t>(p.world)][k] : 0;
    const double origin =
        level.islands[k] > 0 ? hgrid::detail::island_of(level, plan_.islands.data(), k, x)->begin : level.origin[k] + of_world;
    const auto cell_of = [&](double at) {
      return hgrid::detail::cell_coordinate(level, plan_.islands.data(), k, s_.worlds > 0 ? at - of_world : at);
    };
    const double within = (x - origin) / level.cell_size[k];
    if (!std::isfinite(x) || std::fabs(within) > 1e6 * level.cells[k]) return x;
    const double periods = c_.choice[tilt] == values::many_periods ? 1e3 : 1e6;  // keeps the image number in range
    if (box.periodic[k] && level.cell_size[k] > periods * (box.hi[k] - box.lo[k])) return x;
    const double border = origin + (std::round(within) + random_.integer(-1, 1)) * level.cell_size[k];
    Real last = static_cast<Real>(border - 0.3 * level.cell_size[k]),
         first = static_cast<Real>(border + 0.3 * level.cell_size[k]);
    const hgrid::index_t cell = cell_of(last);
    if (cell == cell_of(first)) return nudged(border, 4);
    while (ulps_away(last, 1) < first) {
      const Real middle = last + (first - last) / 2;
      (cell_of(middle) == cell ? last : first) = middle;
    }
    return nudged(random_.chance(0.7) ? first : last, random_.chance(0.2) ? 4 : 0);
  }

  void kiss(const oracle::Particle& p, oracle::Particle& q) {
    constexpr double unit[4][3] = {{1, 0, 0}, {0, 1, 0}, {0.6, 0.8, 0}, {0.64, 0.6, 0.48}};
    double e[3];
    const int direction = random_.integer(0, D), turn = random_.integer(0, 2);
    for (int k = 0; k < 3; ++k) e[(k + (D == 3 ? turn : 0)) % 3] = unit[direction][k];
    const double own = reach(p) + s_.skin, of_both = oracle::detail::contact_distance(s_, p, q, reach(p), reach(q));
    const bool gathers = s_.rule == oracle::Rule::gather && random_.chance(0.5);  // at the border of either
    const double distance = random_.sign() * (gathers ? own : of_both);
    if (!std::isfinite(distance)) return;
    if (random_.chance(0.8)) q.world = p.world;
    const oracle::Domain& box = oracle::domain_of(s_, p);
    for (int k = 0; k < D && s_.extended; ++k) {
      const double both = s_.radius_scale * (p.extent[k] + q.extent[k]) + p.extra + q.extra + s_.skin;
      e[k] = (direction == D || k == direction ? random_.sign() : random_.real(-1, 1)) * both / distance;
      if (!std::isfinite(e[k])) return;
    }
    for (int k = 0; k < D; ++k) {
      if (!std::isfinite(p.x[k])) return;
      const double periods = box.periodic[k] ? random_.integer(-1, 1) * (box.hi[k] - box.lo[k]) : 0;
      q.x[k] = nudged(p.x[k] + distance * e[k] + periods, random_.chance(0.5) ? 3 : 0);
    }
  }

  Case& c_;
  oracle::System& s_;
  Random& random_;
  hgrid::Plan<D> plan_;
};

}  // namespace support
