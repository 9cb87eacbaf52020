// SPDX-License-Identifier: BSD-3-Clause
#include "host/planning/extent_levels.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "hgrid/core/cell_key.hpp"
#include "hgrid/inputs/extents.hpp"

namespace hgrid::inline v0_2::detail {

namespace {

// Returns the part of a domain that particles occupy. It is the part in which evenly spread particles would share cells in an
// equal number of pairs. The cells are the finest in which a sampled particle shares its cell with one other on average.
template <int D>
double inhabited_part(const PlanInput<D>& input, const Extent<D>& domain) {
  constexpr int finest = 20;
  std::vector<std::uint64_t> keys;
  for (std::size_t s = 0; s + D < input.sample.size(); s += D + 1) {
    if (input.sample[s + D] < 0) continue;  // left out
    std::uint64_t key = 0;
    for (int k = 0; k < D; ++k) {
      const double at = (input.sample[s + static_cast<std::size_t>(k)] - domain.lo[k]) / domain.size(k);
      const double cell = at > 0 ? std::min(at, 1.0) * ((1 << finest) - 1) : 0;  // also if the domain is flat
      key |= spread_bits<D>(static_cast<std::uint64_t>(cell)) << k;
    }
    keys.push_back(key);
  }
  const auto n = static_cast<double>(keys.size());
  std::ranges::sort(keys);
  for (int level = finest; level > 0; --level) {
    double pairs = 0;
    for (std::size_t i = 0, first = 0; i < keys.size(); ++i) {
      if (keys[i] >> D * (finest - level) != keys[first] >> D * (finest - level)) first = i;
      pairs += 2 * static_cast<double>(i - first);
    }
    if (pairs >= n && n > 64) return std::min(1.0, n * (n - 1) / pairs * std::pow(2.0, -D * level));
  }
  return 1;
}

/// The cost of searches in a domain. Particles are spread evenly over its inhabited part.
template <int D>
class ExtentCosts {
 public:
  ExtentCosts(const PlanInput<D>& input, const Extent<D>& domain, const SearchCosts& costs) : input_(input), costs_(costs) {
    const double part = std::pow(inhabited_part(input, domain), 1.0 / D);
    for (int k = 0; k < D; ++k) size_[k] = part * domain.size(k);
  }

  /// Returns the cost if the particles of one level search another, or their own.
  double of_search(const ExtentLevel<D>& from, const ExtentLevel<D>& to, bool own) const {
    double rows = 1, share = input_.share_of_world;
    for (int k = 0; k < D; ++k) {
      const double width = 2 * (from.bound[k] + to.bound[k] + input_.skin);
      share *= part_of(width + to.cell[k], k);
      if (k > 0) rows *= part_of(width + to.cell[k], k) * std::max(1.0, size_[k] / to.cell[k]);
    }
    const double each = costs_.row * rows + costs_.candidate * to.particles * share;
    return from.particles * (costs_.setup + (own ? 0.5 : 1.0) * each);
  }
  /// Returns the cost of searches between two levels, by the level with fewer particles, usually the one with larger particles.
  double of_pair(const ExtentLevel<D>& a, const ExtentLevel<D>& b) const {
    return a.particles < b.particles ? of_search(a, b, false) : of_search(b, a, false);
  }

  double of_cells(const ExtentLevel<D>& level) const {
    double cells = worlds();
    for (int k = 0; k < D; ++k) cells *= std::max(1.0, size_[k] / level.cell[k]);
    return costs_.cell * cells;
  }

  /// Returns the cost of all searches of levels in order, and of their cells.
  double of(const std::vector<ExtentLevel<D>>& levels) const {
    double cost = 0;
    for (std::size_t h = 0; h < levels.size(); ++h) cost += of_level(levels, h) + of_cells(levels[h]);
    return cost;
  }

  /// Chooses cells of the size of the level's particles, but not so small that most are empty.
  void choose_cells(ExtentLevel<D>& level) const {
    double unit = worlds() / std::max(1.0, level.particles);
    for (int k = 0; k < D; ++k) unit *= size_[k] > 0 ? size_[k] : 1;
    const double least = 0.25 * std::pow(unit, 1.0 / D);
    for (int k = 0; k < D; ++k) level.cell[k] = usable(std::max(2 * level.bound[k] + input_.skin, least));
  }

  /// Improves the cells of a level for the searches of all levels, axis by axis.
  void improve_cells(std::vector<ExtentLevel<D>>& levels, std::size_t h) const {
    const auto cost = [&] { return of_level(levels, h) + of_cells(levels[h]); };
    double least = cost();
    for (int round = 0, changes = 1; round < 8 && changes > 0; ++round) {
      changes = 0;
      for (int k = 0; k < D; ++k) {
        for (const double factor : {0.7, 1.4}) {
          const double before = levels[h].cell[k];
          levels[h].cell[k] = usable(factor * before);
          const double now = cost();
          now < 0.999 * least ? void((least = now, ++changes)) : void(levels[h].cell[k] = before);
        }
      }
    }
  }

 private:
  double worlds() const { return static_cast<double>(std::max<std::size_t>(1, input_.origins.size())); }
  static double usable(double cell) { return std::clamp(cell, smallest_radius, largest_length); }
  double part_of(double width, int k) const { return width < size_[k] ? width / size_[k] : 1; }

  // Returns the cost of searches of level h by its own particles and by particles of coarser levels.
  double of_level(const std::vector<ExtentLevel<D>>& levels, std::size_t h) const {
    double cost = of_search(levels[h], levels[h], true);
    for (std::size_t from = h + 1; from < levels.size(); ++from) cost += of_search(levels[from], levels[h], false);
    return cost;
  }

  const PlanInput<D>& input_;
  const SearchCosts& costs_;
  Vec<double, D> size_;
};

// Returns the classes that have particles, or blocks of `along` classes per axis, as levels without cells.
template <int D>
std::vector<ExtentLevel<D>> blocks_of(const PlanInput<D>& input, int along) {
  std::map<std::array<int, D>, double> found;
  for (std::size_t c = 0; c < input.extent_counts.size(); ++c) {
    if (input.extent_counts[c] == 0) continue;
    std::array<int, D> block;
    for (std::size_t rest = c, k = 0; k < D; ++k, rest /= ExtentClasses::per_axis)
      block[k] = static_cast<int>(rest % ExtentClasses::per_axis) / along;
    found[block] += static_cast<double>(input.extent_counts[c]);
  }
  std::vector<ExtentLevel<D>> levels;
  for (const auto& [block, particles] : found) {
    ExtentLevel<D> level{particles, {}, {}};
    for (int k = 0; k < D; ++k)
      level.bound[k] = input.extent_bounds[static_cast<std::size_t>(block[static_cast<std::size_t>(k)] * along)];
    levels.push_back(level);
  }
  return levels;
}

template <int D>
ExtentLevel<D> together(const ExtentLevel<D>& a, const ExtentLevel<D>& b, const ExtentCosts<D>& costs) {
  ExtentLevel<D> both{a.particles + b.particles, {}, {}};
  for (int k = 0; k < D; ++k) both.bound[k] = std::max(a.bound[k], b.bound[k]);
  costs.choose_cells(both);
  return both;
}

// Returns the gain if levels a and b become one.
template <int D>
double gain(const std::vector<ExtentLevel<D>>& levels, std::size_t a, std::size_t b, const ExtentLevel<D>& both,
            const ExtentCosts<D>& costs) {
  const auto alone = [&](const ExtentLevel<D>& level) { return costs.of_search(level, level, true) + costs.of_cells(level); };
  double gained = alone(levels[a]) + alone(levels[b]) + costs.of_pair(levels[a], levels[b]) - alone(both);
  for (std::size_t c = 0; c < levels.size(); ++c) {
    if (c == a || c == b) continue;
    gained += costs.of_pair(levels[a], levels[c]) + costs.of_pair(levels[b], levels[c]) - costs.of_pair(both, levels[c]);
  }
  return gained;
}

template <int D>
double volume(const ExtentLevel<D>& level) {
  double v = 1;
  for (int k = 0; k < D; ++k) v *= level.bound[k];
  return v;
}

}  // namespace

template <int D>
std::vector<ExtentLevel<D>> extent_levels(const PlanInput<D>& input, const Extent<D>& domain, const SearchCosts& shipped) {
  const ExtentCosts<D> costs(input, domain, shipped);
  const std::size_t most = std::min<std::size_t>(32, 1 + static_cast<std::size_t>(input.particles) / 8);
  std::vector<ExtentLevel<D>> levels;
  for (int along = 1; along <= ExtentClasses::per_axis; along *= 2) {
    levels = blocks_of(input, along);
    if (levels.size() <= most) break;
  }
  if (levels.empty()) levels.push_back({0, {}, {}});
  for (ExtentLevel<D>& level : levels) costs.choose_cells(level);
  for (;;) {
    double best = 0;
    std::size_t first = 0, second = 0;
    ExtentLevel<D> merged{};
    for (std::size_t a = 0; a < levels.size(); ++a) {
      for (std::size_t b = a + 1; b < levels.size(); ++b) {
        const ExtentLevel<D> both = together(levels[a], levels[b], costs);
        const double gained = gain(levels, a, b, both, costs);
        if (gained > best) best = gained, first = a, second = b, merged = both;
      }
    }
    if (!(best > 0)) break;
    levels[first] = merged;
    levels.erase(levels.begin() + static_cast<std::ptrdiff_t>(second));
  }
  std::ranges::stable_sort(levels, {}, [](const ExtentLevel<D>& level) { return volume(level); });
  for (std::size_t h = 0; h < levels.size(); ++h) costs.improve_cells(levels, h);
  return levels;
}

template <int D>
double cost_of_extents(const Plan<D>& plan, const PlanInput<D>& input, const Extent<D>& domain, const SearchCosts& shipped) {
  const ExtentBounds<D> bounds(plan);
  std::vector<ExtentLevel<D>> levels;
  for (int h = 0; h < plan.levels.count; ++h) {
    levels.push_back({0, plan.extents[static_cast<std::size_t>(h)], plan.levels.level[h].cell_size});
  }
  for (const ExtentLevel<D>& block : blocks_of(input, 1)) {
    ExtentLevel<D>& level = levels[static_cast<std::size_t>(bounds.level_of([&](int k) { return block.bound[k]; }))];
    level.particles += block.particles;
    for (int k = 0; k < D; ++k) level.bound[k] = std::max(level.bound[k], block.bound[k]);
  }
  return ExtentCosts<D>(input, domain, shipped).of(levels);
}

template std::vector<ExtentLevel<2>> extent_levels(const PlanInput<2>&, const Extent<2>&, const SearchCosts&);
template std::vector<ExtentLevel<3>> extent_levels(const PlanInput<3>&, const Extent<3>&, const SearchCosts&);
template double cost_of_extents(const Plan<2>&, const PlanInput<2>&, const Extent<2>&, const SearchCosts&);
template double cost_of_extents(const Plan<3>&, const PlanInput<3>&, const Extent<3>&, const SearchCosts&);

}  // namespace hgrid::inline v0_2::detail
