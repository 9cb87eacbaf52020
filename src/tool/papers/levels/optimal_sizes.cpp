// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>

#include "papers/levels/size_rules.hpp"

namespace hgrid::paper {
namespace {

/// A possible cell size, with the moments of the radii on either side.
struct Candidate {
  double size;
  Moments below, above;
};
using Candidates = std::vector<Candidate>;

// Returns the candidate below the first level.
Candidate bottom(const Distribution& radii) { return {2 * below_all, {}, radii.all()}; }

// Returns sizes within the distribution's range, ascending, and for each the largest diameter below it: if radii have gaps, T
// jumps there.
Candidates candidates_at(const Distribution& radii, const std::vector<double>& wanted) {
  const double top = 2 * radii.radius_max();
  std::vector<double> sizes;
  for (double s : wanted) {
    if (s < 2 * radii.radius_min() || s > top) continue;
    sizes.push_back(s), sizes.push_back(2 * radii.floor(s / 2));
  }
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  Candidates result;
  for (double s : sizes) {
    result.push_back({s, radii.moments(below_all, s / 2), radii.moments(s / 2, radii.radius_max())});
  }
  return result;
}

// Returns T of the level between two candidates; infinite if they make no level or its cost is not finite.
double cost(const CostModel& model, const Candidate& lower, const Candidate& upper) {
  if (!(lower.size < upper.size)) return HUGE_VAL;
  const double share = upper.below[0] < 0.5 ? upper.below[0] - lower.below[0] : lower.above[0] - upper.above[0];
  const bool down = model.options().direction == Direction::top_down;
  const double t = model.level_of(std::max(share, 0.0), upper.size, down ? upper.above : lower.below).total;
  return std::isfinite(t) ? t : HUGE_VAL;
}

// Returns the cheapest path through one candidate of each layer; empty if none has a finite cost.
std::vector<double> cheapest_path(const CostModel& model, const std::vector<Candidates>& layers) {
  std::vector<std::vector<std::size_t>> from(layers.size());
  const Candidates start{bottom(model.radii())};
  std::vector<double> best{0};
  for (std::size_t h = 0; h < layers.size(); ++h) {
    const Candidates& lower = h == 0 ? start : layers[h - 1];
    std::vector<double> next(layers[h].size(), HUGE_VAL);
    from[h].resize(layers[h].size());
    for (std::size_t j = 0; j < layers[h].size(); ++j) {
      for (std::size_t i = 0; i < lower.size(); ++i) {
        const double t = best[i] + cost(model, lower[i], layers[h][j]);
        if (t < next[j]) next[j] = t, from[h][j] = i;
      }
    }
    best = std::move(next);
  }
  if (best.empty() || !std::isfinite(best.back())) return {};
  std::vector<double> path(layers.size());
  for (std::size_t h = layers.size(), j = best.size() - 1; h-- > 0; j = from[h][j]) path[h] = layers[h][j].size;
  return path;
}

// Moves all sizes together to the best of nine places each, until steps are too small to matter: T is flat there, so that a
// millionth in a size is 1e-12 in T.
std::vector<double> polish(const CostModel& model, std::vector<double> sizes, double width) {
  const double top = sizes.back();
  for (int round = 0; round < 80 && width > 1e-6 && sizes.size() > 1; ++round) {
    std::vector<Candidates> layers;
    for (double s : sizes) {
      std::vector<double> wanted{s};
      for (int k = 1; k <= 4 && s < top; ++k) {
        wanted.push_back(s * std::exp(0.25 * width * k)), wanted.push_back(s * std::exp(-0.25 * width * k));
      }
      layers.push_back(candidates_at(model.radii(), wanted));
    }
    layers.back() = candidates_at(model.radii(), {top});
    const std::vector<double> moved = cheapest_path(model, layers);
    if (moved.empty()) return sizes;
    double farthest = 0;
    for (std::size_t h = 0; h < sizes.size(); ++h) {
      farthest = std::max(farthest, std::fabs(std::log(moved[h] / sizes[h])));
    }
    sizes = moved;
    if (farthest < 0.9 * width) width *= 0.5;
  }
  return sizes;
}

// Returns the paths to the last candidate in at most h + 1 levels, for all h. best[j] is the least T of a grid for the radii
// below candidate j with exactly h + 1 levels.
std::vector<std::vector<double>> cheapest_paths(const CostModel& model, const Candidates& all, int max_levels) {
  const std::size_t n = all.size();
  const Candidate start = bottom(model.radii());
  std::vector<double> matrix(n * n, HUGE_VAL), best(n), next(n);
  for (std::size_t j = 0; j < n; ++j) {
    best[j] = cost(model, start, all[j]);
    for (std::size_t i = 0; i < j; ++i) matrix[j * n + i] = cost(model, all[i], all[j]);
  }
  std::vector<std::vector<std::size_t>> from(1, std::vector<std::size_t>(n));
  std::vector<std::vector<double>> paths{{all.back().size}};
  double least = best[n - 1];
  for (int h = 1; h < max_levels; ++h) {
    from.emplace_back(n);
    for (std::size_t j = 0; j < n; ++j) {
      next[j] = HUGE_VAL;
      for (std::size_t i = 0; i < j; ++i) {
        const double t = best[i] + matrix[j * n + i];
        if (t < next[j]) next[j] = t, from[h][j] = i;
      }
    }
    std::swap(best, next);
    paths.push_back(paths.back());
    if (!(best[n - 1] < least)) continue;
    least = best[n - 1];
    paths.back().assign(h + 1, 0);
    for (std::size_t k = h + 1, j = n - 1; k-- > 0; j = from[k][j]) paths.back()[k] = all[j].size;
  }
  return paths;
}

}  // namespace

OptimalSizes::OptimalSizes(const CostModel& model, int max_levels) : model_(model) {
  constexpr int points = 400;
  const Distribution& radii = model.radii();
  spacing_ = std::log(radii.radius_max() / radii.radius_min()) / points;
  std::vector<double> wanted;
  for (int i = 0; i < points; ++i) wanted.push_back(2 * radii.radius_min() * std::exp(spacing_ * i));
  wanted.push_back(2 * radii.radius_max());
  paths_ = cheapest_paths(model, candidates_at(radii, wanted), max_levels);
}

std::vector<double> OptimalSizes::sizes(int levels) const {
  return polish(model_, paths_[std::min(static_cast<std::size_t>(levels), paths_.size()) - 1], spacing_);
}

}  // namespace hgrid::paper
