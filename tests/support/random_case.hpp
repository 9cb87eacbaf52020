// SPDX-License-Identifier: BSD-3-Clause
// A random system with the configuration in which it is searched, and with particles aimed at where rounding
// hurts.
#pragma once

#include "hgrid/build/grid.hpp"
#include "hgrid/host/serial_exec.hpp"
#include "support/random_system.hpp"
#include "support/user_arrays.hpp"

namespace support {

struct Case {
  std::uint64_t seed = 0;
  Choice choice{};
  oracle::System warm_up;  ///< built first, so that the plan is the one that was aimed at; may be empty
  oracle::System system;
  std::vector<hgrid::LevelSpec> levels;
};

inline hgrid::GridOptions options_of(const Case& c) {
  hgrid::GridOptions options;
  options.levels = c.levels;
  options.direction = c.choice[direction] == 0 ? hgrid::Direction::top_down : hgrid::Direction::bottom_up;
  options.keys = c.choice[keys] == 0 ? hgrid::KeyOrder::row_major : hgrid::KeyOrder::morton;
  if (c.choice[table] == 1) options.table = hgrid::TableKind::dense;
  if (c.choice[table] == 2) options.table = hgrid::TableKind::compacted;
  options.sort = c.choice[cell_sort] == 0 ? hgrid::SortKind::radix : hgrid::SortKind::counting;
  options.schedule = c.choice[schedule] == 0 ? hgrid::Schedule::fast : hgrid::Schedule::plain;
  return options;
}

/// Levels as a user might state them: fitting the radii, wrong for them, or with far too many cells.
inline std::vector<hgrid::LevelSpec> draw_levels(const oracle::System& s, int kind, Random& random) {
  double smallest = HUGE_VAL, largest = 0;
  for (const oracle::Particle& p : s.particles) {
    const double a = s.radius_scale * p.radius + p.extra + 0.5 * s.skin;
    if (!std::isfinite(a)) continue;
    if (a > 0) smallest = std::fmin(smallest, a);
    largest = std::fmax(largest, a);
  }
  std::vector<hgrid::LevelSpec> levels;
  if (kind == values::planned || !(largest > 0)) return levels;
  const int count = random.integer(1, 6);
  const double from = kind == values::wrong ? largest * random.log_real(1e-3, 1e3) : smallest;
  const double to =
      kind == values::wrong ? from * random.log_real(2, 1e3) : std::fmax(largest, 1.01 * smallest);
  const double fineness = kind == values::fine ? random.log_real(1e-8, 1e-2) : 1;
  for (int h = 0; h < count; ++h) {
    const double bound = count == 1 ? to : from * std::pow(to / from, h / (count - 1.0));
    hgrid::LevelSpec spec{bound, {}};
    for (double& size : spec.cell_size) {
      const double fitting = 2 * bound * (random.chance(0.3) ? 1 : random.real(0.2, 2));
      size =
          std::fmax(1e-12, fineness * (kind == values::wrong ? largest * random.log_real(0.02, 6) : fitting));
    }
    if (h == 0 || spec.radius_max > levels.back().radius_max) levels.push_back(spec);
  }
  return levels;
}

/// Moves particles to where rounding hurts: onto the first or last number of a cell that the library really
/// uses, and pairs, also across periodic faces, to their distance of touching, give or take a few ulp.
template <class Real, int D>
class Aim {
 public:
  Aim(Case& c, Random& random) : c_(c), s_(c.system), random_(random) {
    hgrid::Grid<hgrid::SerialExec, D> grid(hgrid::SerialExec{}, box_of<D>(s_), options_of(c));
    const UserArrays<Real, D> arrays(s_);
    grid.build(arrays.view(), {.skin = s_.skin});
    levels_ = grid.plan().levels;
  }

  void operator()() {
    const int kind = c_.choice[aim];
    for (oracle::Particle& p : s_.particles) {
      for (int k = 0; k < D && kind != values::kissing; ++k) {
        if (random_.chance(0.6)) p.x[k] = at_border(p, k);
      }
    }
    for (int i = 1; i < static_cast<int>(s_.particles.size()) && kind != values::borders; ++i) {
      if (random_.chance(0.5)) kiss(s_.particles[random_.integer(0, i - 1)], s_.particles[i]);
    }
  }

 private:
  double reach(const oracle::Particle& p) const { return s_.radius_scale * p.radius + p.extra; }

  double nudged(double x, int most) {
    return static_cast<double>(ulps_away(static_cast<Real>(x), random_.integer(-most, most)));
  }

  double at_border(const oracle::Particle& p, int k) {
    const int own = hgrid::level_of_radius(levels_.level, levels_.count, reach(p) + 0.5 * s_.skin);
    const hgrid::Level<D>& level =
        levels_.level[random_.chance(0.7) ? own : random_.integer(0, levels_.count - 1)];
    const double x = p.x[k], within = (x - level.origin[k]) / level.cell_size[k];
    if (!std::isfinite(x) || std::fabs(within) > 1e6 * level.cells[k]) return x;
    const double border =
        level.origin[k] + (std::round(within) + random_.integer(-1, 1)) * level.cell_size[k];
    Real last = static_cast<Real>(border - 0.3 * level.cell_size[k]),
         first = static_cast<Real>(border + 0.3 * level.cell_size[k]);
    const hgrid::index_t cell = hgrid::cell_coordinate(level, k, last);
    if (cell == hgrid::cell_coordinate(level, k, first)) return nudged(border, 4);
    while (ulps_away(last, 1) < first) {
      const Real middle = last + (first - last) / 2;
      (hgrid::cell_coordinate(level, k, middle) == cell ? last : first) = middle;
    }
    return nudged(random_.chance(0.7) ? first : last, random_.chance(0.2) ? 4 : 0);
  }

  void kiss(const oracle::Particle& p, oracle::Particle& q) {
    constexpr double unit[4][3] = {{1, 0, 0}, {0, 1, 0}, {0.6, 0.8, 0}, {0.64, 0.6, 0.48}};
    double e[3];
    const int direction = random_.integer(0, D), turn = random_.integer(0, 2);
    for (int k = 0; k < 3; ++k) e[(k + (D == 3 ? turn : 0)) % 3] = unit[direction][k];
    const double distance = random_.sign() * ((reach(p) + reach(q)) + s_.skin);
    if (!std::isfinite(distance)) return;
    for (int k = 0; k < D; ++k) {
      if (!std::isfinite(p.x[k])) return;
      const double periods = s_.periodic[k] ? random_.integer(-1, 1) * (s_.hi[k] - s_.lo[k]) : 0;
      q.x[k] = nudged(p.x[k] + distance * e[k] + periods, random_.chance(0.5) ? 3 : 0);
    }
  }

  Case& c_;
  oracle::System& s_;
  Random& random_;
  hgrid::Levels<D> levels_;
};

template <int D>
void aim_at_cells(Case& c, Random& random) {
  c.choice[real] == 0 ? Aim<double, D>(c, random)() : Aim<float, D>(c, random)();
}

inline Case make_case(std::uint64_t seed) {
  Random random(seed);
  Case c;
  c.seed = seed;
  c.choice = draw_choice(random);
  c.system = SystemGenerator(c.choice, random).make();
  c.levels = draw_levels(c.system, c.choice[levels], random);
  if (c.choice[aim] == values::nothing) return c;
  c.warm_up = c.system;
  c.choice[dimension] == 0 ? aim_at_cells<2>(c, random) : aim_at_cells<3>(c, random);
  return c;
}

}  // namespace support
