// SPDX-License-Identifier: BSD-3-Clause
#include "hgrid/host/planning/cost_model.hpp"

#include <algorithm>
#include <cmath>

namespace hgrid {

CostModel::CostModel(std::span<const RadiusBin> bins, double volume, int dimension, double skin,
                     Direction direction, SearchCosts costs)
    : prefix_(bins.size() + 1), volume_(volume), skin_(skin), dimension_(dimension), direction_(direction),
      costs_(costs) {
  for (std::size_t b = 0; b < bins.size(); ++b) {
    radius_max_.push_back(bins[b].radius_max);
    for (int k = 0; k < 4; ++k) prefix_[b + 1].moment[k] = prefix_[b].moment[k] + bins[b].moment[k];
  }
}

LevelCost CostModel::level(int first, int last) const {
  // A side of exactly 2 R is a trap: through rounding it searches one row more on each side.
  static constexpr double sides[] = {2.02, 2.5, 3, 3.5, 4, 5, 6.5, 8};
  static constexpr double flatness[] = {1, 0.5, 0.25};
  LevelCost best{HUGE_VAL, {sides[0], sides[0]}};
  for (double side : sides) {
    for (double flat : flatness) {
      const CellShape shape{side * flat, side};
      const double cost = cost_of_shape(first, last, shape);
      if (cost < best.cost) best = {cost, shape};
    }
  }
  return best;
}

double CostModel::cost_of_shape(int first, int last, CellShape shape) const {
  const double radius = radius_max_[last - 1];
  if (radius + 0.5 * skin_ <= 0) return 0;  // points only: any cell does, `cell_size_of` sees to it
  const double unit = radius + 0.5 * skin_;
  const double sx = shape.x * unit, s = shape.other * unit;
  double own[4], searchers[4];
  for (int k = 0; k < 4; ++k) {
    own[k] = prefix_[last].moment[k] - prefix_[first].moment[k];
    searchers[k] = direction_ == Direction::top_down ? prefix_.back().moment[k] - prefix_[last].moment[k]
                                                     : prefix_[first].moment[k];
  }
  // Sparse particles do not pay for empty cells: beyond the dense table's cap, only occupied ones are kept.
  const double most = cells_per_particle * prefix_.back().moment[0];
  const double cells = std::min(most, volume_ / (sx * std::pow(s, dimension_ - 1)));
  const double density = own[0] / volume_;
  // A search that spans more rows than the level has particles tests all of these instead.
  const double scanned = (costs_.setup + costs_.candidate * own[0]) * searchers[0];
  return costs_.cell * cells + searched(own, radius, density, sx, s, 0.5) +
         std::min(scanned, searched(searchers, radius, density, sx, s, 1));
}

// The cost of all searches whose radii have the given moments: boxes of half-width r + radius + skin, of which
// only a share is looked at. Sums over r of polynomials in r are sums of moments.
double CostModel::searched(const double* moment, double radius, double density, double sx, double s,
                           double share) const {
  const double c = 2 * (radius + skin_);  // box width is 2 r + c
  const double m0 = moment[0], m1 = 2 * moment[1], m2 = 4 * moment[2], m3 = 8 * moment[3];
  double rows, volume;
  const double w = c + s, wx = c + sx;
  if (dimension_ == 2) {
    rows = (m1 + w * m0) / s;
    volume = m2 + (w + wx) * m1 + w * wx * m0;
  } else {
    rows = (m2 + 2 * w * m1 + w * w * m0) / (s * s);
    volume = m3 + (2 * w + wx) * m2 + (w * w + 2 * w * wx) * m1 + w * w * wx * m0;
  }
  return costs_.setup * m0 + share * (costs_.row * rows + costs_.candidate * density * volume);
}

}  // namespace hgrid
