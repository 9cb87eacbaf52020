// SPDX-License-Identifier: BSD-3-Clause
#include "papers/levels/cost.hpp"

#include <cmath>
#include <string>

#include "hgrid/inputs/input_error.hpp"

namespace hgrid::paper {
namespace {

void check_option(bool good, const char* name, const char* range, double value) {
  if (good) return;
  throw Error(ErrorCode::invalid_argument, std::string(name) + " must be " + range + ", got " + detail::to_text(value),
              {.argument = name, .value = value});
}

double power(double x, int n) { return n == 2 ? x * x : x * x * x; }

}  // namespace

CostModel::CostModel(const Distribution& radii, const ModelOptions& options) : radii_(radii), options_(options) {
  const int d = options.dimension;
  check_option(d == 2 || d == 3, "dimension", "2 or 3", d);
  check_option(options.packing > 0 && options.packing <= 1e6, "packing", "in (0, 1e6]", options.packing);
  check_option(options.cell_cost >= 0 && options.cell_cost <= 1e6, "K", "in [0, 1e6]", options.cell_cost);
  const double pi = std::acos(-1.0), unit_sphere = d == 2 ? pi : 4 * pi / 3;
  particle_volume_ = unit_sphere * radii.all()[d];  // V_p, Eq. 6
  own_cells_ = 1 + (power(3, d) - 1) / 2;           // 1 + n_c
}

void CostModel::check(std::span<const double> sizes) const {
  const auto fail = [](std::size_t h, double size, const std::string& why) {
    throw Error(ErrorCode::invalid_levels, "level " + std::to_string(h) + ": cell size " + detail::to_text(size) + " " + why,
                {.argument = "levels", .index = static_cast<std::int64_t>(h), .value = size});
  };
  for (std::size_t h = 0; h < sizes.size(); ++h) {
    if (!(sizes[h] > 0) || !std::isfinite(sizes[h])) fail(h, sizes[h], "must be positive and finite");
    if (h > 0 && !(sizes[h] > sizes[h - 1])) fail(h, sizes[h], "must exceed the one below");
  }
  const double top = sizes.empty() ? 0 : sizes.back();
  if (top < 2 * radii_.radius_max()) fail(sizes.size(), top, "of the top level is below the largest diameter");
}

double CostModel::occupancy_of(double share, double size) const {
  return options_.packing / particle_volume_ * power(size, options_.dimension) * share;
}

// Returns the sum of (2 r / s + 2)^d over the searching particles, Eq. 16: powers of r are moments.
double CostModel::cells_searched(double s, const Moments& m) const {
  if (options_.dimension == 2) return 4 * (m[0] + (2 * m[1] + m[2] / s) / s);
  return 8 * (m[0] + (3 * m[1] + (3 * m[2] + m[3] / s) / s) / s);
}

Work CostModel::level_of(double share, double size, const Moments& searchers) const {
  const double occupancy = occupancy_of(share, size), searched = cells_searched(size, searchers);
  return total(occupancy * ((own_cells_ - 0.5) * share + searched), own_cells_ * share + searched);
}

Work CostModel::level(double a, double b) const {
  const Moments searchers =
      options_.direction == Direction::top_down ? radii_.moments(b / 2, radii_.radius_max()) : radii_.moments(below_all, a / 2);
  return level_of(radii_.share(a / 2, b / 2), b, searchers);
}

Work CostModel::work(std::span<const double> sizes) const {
  check(sizes);
  double tests = 0, cells = 0, lower = 2 * below_all;
  for (double size : sizes) {
    const Work on_level = level(lower, size);
    tests += on_level.tests, cells += on_level.cells, lower = size;
  }
  return total(tests, cells);
}

Work CostModel::work_by_searcher(std::span<const double> sizes) const {
  const std::vector<LevelEstimate> level = levels(sizes);
  const std::size_t n = level.size();
  double tests = 0, cells = 0, lower = 2 * below_all;
  for (std::size_t h = 0; h < n; ++h) {
    const Moments own = radii_.moments(lower / 2, sizes[h] / 2);
    tests += own[0] * (own_cells_ - 0.5) * level[h].occupancy;
    cells += own[0] * own_cells_;
    const bool down = options_.direction == Direction::top_down;
    for (std::size_t j = down ? 0 : h + 1; j < (down ? h : n); ++j) {
      const double searched = cells_searched(sizes[j], own);
      tests += level[j].occupancy * searched, cells += searched;
    }
    lower = sizes[h];
  }
  return total(tests, cells);
}

std::vector<LevelEstimate> CostModel::levels(std::span<const double> sizes) const {
  check(sizes);
  std::vector<LevelEstimate> result;
  double lower = 2 * below_all;
  for (double size : sizes) {
    const double share = radii_.share(lower / 2, size / 2);
    const double cells = particle_volume_ / options_.packing / power(size, options_.dimension);
    result.push_back({size, share, cells, occupancy_of(share, size)});
    lower = size;
  }
  return result;
}

}  // namespace hgrid::paper
