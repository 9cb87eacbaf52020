// SPDX-License-Identifier: BSD-3-Clause
// 004, Fig. 5: how the time of detection depends on the number of extents that fit into a cell, without
// refinement.
#include <random>

#include "experiments.hpp"

namespace papers {
namespace {

using namespace hgrid::reference;

// About 11,000 balls of radius 1 that 100,000 tries place without overlap in a cube, then enlarged by 1.5.
std::vector<Piece<3>> enlarged_balls(double side) {
  std::mt19937_64 engine(1);
  std::uniform_real_distribution<double> place(0, side), speed(-1, 1);
  const int n = static_cast<int>(side / 2);
  std::vector<std::vector<hgrid::Vec<double, 3>>> cell(static_cast<std::size_t>(n) * n * n);
  std::vector<Piece<3>> balls;
  for (int attempt = 0; attempt < 100000; ++attempt) {
    const hgrid::Vec<double, 3> x = {place(engine), place(engine), place(engine)};
    int at[3];
    for (int k = 0; k < 3; ++k) at[k] = std::min(n - 1, static_cast<int>(x[k] / side * n));
    bool free = true;
    for (int c = 0; c < 27 && free; ++c) {
      const int cx = at[0] + c % 3 - 1, cy = at[1] + c / 3 % 3 - 1, cz = at[2] + c / 9 - 1;
      if (std::min({cx, cy, cz}) < 0 || std::max({cx, cy, cz}) >= n) continue;
      for (const auto& y : cell[static_cast<std::size_t>((cz * n + cy) * n + cx)]) {
        free = free && std::hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2]) >= 2;
      }
    }
    if (!free) continue;
    cell[static_cast<std::size_t>((at[2] * n + at[1]) * n + at[0])].push_back(x);
    balls.push_back(ball(x, 1.5));
    balls.back().velocity = {speed(engine), speed(engine), speed(engine)};
  }
  return balls;
}

// Times 250 cycles of free flight: remapping, and for dirty pieces the search for partners whose extents overlap.
double detection_time(std::vector<Piece<3>> balls, const CellSpaceOptions<3>& options, std::int64_t& tests) {
  constexpr double step = 0.05;  // of a velocity unit a cycle
  CellSpace<3> space(options);
  std::vector<hgrid::index_t> seen;
  double total = 0;
  for (int cycle = 0; cycle < 250; ++cycle) {
    const auto start = std::chrono::steady_clock::now();
    space.update(balls);
    for (const hgrid::index_t p : space.dirty()) {
      space.for_each_partner(p, seen, [&](hgrid::index_t) { ++tests; });
    }
    total += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    for (Piece<3>& b : balls) {
      for (int k = 0; k < 3; ++k) b.vertex[0][k] += step * b.velocity[k];
    }
  }
  return total;
}

}  // namespace

void cell_space() {
  const double region = 53.5, extent = 2 * 1.5 * 1.25, domain = extent * std::cbrt(120000.0);
  std::vector<Piece<3>> balls = enlarged_balls(region);
  const double margin = 0.5 * (domain - region);
  CellSpaceOptions<3> options;
  options.domain = Bounds<3>{{-margin, -margin, -margin}, {region + margin, region + margin, region + margin}};
  options.extent = 0.0625;  // 2 epsilon = 25 % of the radius
  options.refinement.enabled = false;
  std::puts("extents_per_cell,balls,seconds,partners");
  for (const double per_cell : {1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 400.0}) {
    options.parents = 120000 / per_cell;
    std::int64_t tests = 0;
    const double time = 0.5 * (detection_time(balls, options, tests) + detection_time(balls, options, tests));
    std::printf("%g,%zu,%.6g,%lld\n", per_cell, balls.size(), time, static_cast<long long>(tests / 2));
    std::fflush(stdout);
  }
}

}  // namespace papers
