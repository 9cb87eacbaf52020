// SPDX-License-Identifier: BSD-3-Clause
#include "hgrid/host/planning/cost_model.hpp"

#include <algorithm>
#include <cmath>

namespace hgrid {
namespace {

// What shapes of cells are tried. A side of exactly 2 R is a trap: through rounding it searches one row more on each
// side.
constexpr double sides[] = {2.02, 2.5, 3, 3.5, 4, 5, 6.5, 8};
constexpr double flatness[] = {1, 0.5, 0.25};

}  // namespace

CostModel::CostModel(std::span<const RadiusBin> bins, double volume, int dimension, double skin,
                     Direction direction, SearchCosts costs)
    : prefix_(bins.size() + 1),
      volume_(volume),
      skin_(skin),
      dimension_(dimension),
      direction_(direction),
      costs_(costs) {
  for (std::size_t b = 0; b < bins.size(); ++b) {
    radius_max_.push_back(bins[b].radius_max);
    for (int k = 0; k < 4; ++k) prefix_[b + 1].moment[k] = prefix_[b].moment[k] + bins[b].moment[k];
  }
}

LevelCost CostModel::level(int first, int last) const {
  const Parts parts = parts_of(first, last);
  LevelCost best{HUGE_VAL, {sides[0], sides[0]}};
  for (double side : sides) {
    for (double flat : flatness) {
      const CellShape shape{side * flat, side};
      const double cost = work_of(parts, shape).cost(costs_);
      if (cost < best.cost) best = {cost, shape};
    }
  }
  return best;
}

double CostModel::least(int first, int last) const {
  const Parts parts = parts_of(first, last);
  const double unit = parts.radius + 0.5 * skin_, reach = 2 * (parts.radius + skin_), density = parts.own[0] / volume_;
  if (unit <= 0) return 0;
  const CellShape narrow{std::ranges::min(flatness) * sides[0] * unit, sides[0] * unit};
  const CellShape wide{unit * std::ranges::max(sides), unit * std::ranges::max(sides)};
  const auto bound = [&](const double* moment) {
    SearchWork work = searched(moment, reach, density, narrow);
    work.rows = searched(moment, reach, density, wide).rows;
    return work;
  };
  SearchWork own = bound(parts.own);
  own.rows = 0.5 * (own.rows + parts.own[0]), own.candidates *= 0.5;
  const SearchWork scanned{parts.searchers[0], 0, parts.own[0] * parts.searchers[0], 0};
  return own.cost(costs_) + std::min(scanned.cost(costs_), bound(parts.searchers).cost(costs_));
}

CostModel::Parts CostModel::parts_of(int first, int last) const {
  Parts parts{radius_max_[last - 1], {}, {}};
  for (int k = 0; k < 4; ++k) {
    parts.own[k] = prefix_[last].moment[k] - prefix_[first].moment[k];
    parts.searchers[k] = direction_ == Direction::top_down
                             ? prefix_.back().moment[k] - prefix_[last].moment[k]
                             : prefix_[first].moment[k];
  }
  return parts;
}

SearchWork CostModel::work_of(const Parts& level, CellShape shape) const {
  const double unit = level.radius + 0.5 * skin_;
  if (unit <= 0) return {};  // points only: any cell does, `planned_levels` sees to it
  const CellShape side{shape.x * unit, shape.other * unit};
  // Sparse particles do not pay for empty cells: beyond the dense table's cap, only occupied ones are kept.
  const double most = cells_per_particle * prefix_.back().moment[0];
  const double cells = std::min(most, volume_ / (side.x * side.other * (dimension_ == 3 ? side.other : 1)));
  const double density = level.own[0] / volume_, reach = 2 * (level.radius + skin_);
  const SearchWork own = searched(level.own, reach, density, side);
  SearchWork across = searched(level.searchers, reach, density, side);
  // A search that spans more rows than the level has particles tests all of these instead.
  const SearchWork scanned{level.searchers[0], 0, level.own[0] * level.searchers[0], 0};
  if (scanned.cost(costs_) < across.cost(costs_)) across = scanned;
  // Searches on the own level start in the particle's own row: that one, and half of the others.
  return {own.setups + across.setups, 0.5 * (own.rows + level.own[0]) + across.rows,
          0.5 * own.candidates + across.candidates, cells};
}

// All searches whose radii have the given moments: boxes of width 2 r + reach. Sums over r of polynomials in
// r are sums of moments.
SearchWork CostModel::searched(const double* moment, double reach, double density, CellShape side) const {
  const double m0 = moment[0], m1 = 2 * moment[1], m2 = 4 * moment[2], m3 = 8 * moment[3];
  const double s = side.other, w = reach + s, wx = reach + side.x;
  double rows, volume;
  if (dimension_ == 2) {
    rows = (m1 + w * m0) / s;
    volume = m2 + (w + wx) * m1 + w * wx * m0;
  } else {
    rows = (m2 + 2 * w * m1 + w * w * m0) / (s * s);
    volume = m3 + (2 * w + wx) * m2 + (w * w + 2 * w * wx) * m1 + w * w * wx * m0;
  }
  return {m0, rows, density * volume, 0};
}

}  // namespace hgrid
