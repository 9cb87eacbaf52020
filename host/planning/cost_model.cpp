// SPDX-License-Identifier: BSD-3-Clause
#include "host/planning/cost_model.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace hgrid::inline v0_2::detail {
namespace {

// A side of exactly 2 R must be avoided: through rounding it searches one row more on each side.
constexpr double narrowest_side = 2.02, side_step = 1.25, least_flatness = 0.25;

/// A quantity that depends on the radius r of the searching particle: a product of widths, each linear in r.
struct Polynomial {
  double c[4] = {1, 0, 0, 0};

  void times(double a, double b) {  // a + b r
    for (int k = 3; k > 0; --k) c[k] = a * c[k] + b * c[k - 1];
    c[0] *= a;
  }

  double over(const double* moment) const { return c[0] * moment[0] + c[1] * moment[1] + c[2] * moment[2] + c[3] * moment[3]; }
};

}  // namespace

CostModel::CostModel(std::span<const RadiusBin> bins, const SearchSpace& space, double skin, SearchKind kind, SearchCosts costs)
    : prefix_(bins.size() + 1), space_(space), skin_(skin), kind_(kind), costs_(costs) {
  for (std::size_t b = 0; b < bins.size(); ++b) {
    radius_max_.push_back(bins[b].radius_max);
    for (int k = 0; k < 4; ++k) prefix_[b + 1].moment[k] = prefix_[b].moment[k] + bins[b].moment[k];
  }
}

// Returns the cost of a shape. If it has more cells than a dense table may have, the next wider shape is used.
LevelCost CostModel::weigh(int first, int last, CellShape shape) const {
  SearchWork steps = work(first, last, shape);
  if (steps.cells > most_cells()) {
    const double wider = 1.0001 * std::pow(steps.cells / most_cells(), 1.0 / space_.dimension);
    shape.x *= wider, shape.other *= wider;
    steps = work(first, last, shape);
  }
  return {steps.cells > most_cells() ? HUGE_VAL : steps.cost(costs_), shape};
}

// Returns the least useful side: if hardly any two particles share a cell, finer cells gain nothing.
double CostModel::least_side(int last) const {
  return std::max(narrowest_side, 0.25 * space_.density.finest_width() / unit(last));
}

CellShape CostModel::rough_shape(int first, int last) const {
  const double least = least_side(last), widest = 2 * least + widest_side(last);
  LevelCost best{HUGE_VAL, {0.5 * least, least}};
  for (double side = least; side < widest; side *= 2) {
    const LevelCost found = weigh(first, last, {0.5 * side, side});
    if (found.cost < best.cost) best = found;
  }
  return best.shape;
}

// Finds the best shape by descent. Along both side and flatness, costs first fall with fewer rows, and then rise with more
// candidates.
LevelCost CostModel::level(int first, int last, CellShape start) const {
  LevelCost best = weigh(first, last, start);
  const double least = least_side(last), widest = widest_side(last);
  const auto improve = [&](double flat, double side) {
    if (flat < least_flatness || flat > 1 || side < least || (side > best.shape.other && side > widest)) return false;
    const LevelCost found = weigh(first, last, {side * flat, side});
    const bool better = found.cost < best.cost;
    if (better) best = found;
    return better;
  };
  for (bool better = std::isfinite(best.cost); better;) {
    const double flat = best.shape.x / best.shape.other;
    better = improve(flat, best.shape.other * side_step) || improve(flat, best.shape.other / side_step);
    better = improve(2 * flat, best.shape.other) || improve(0.5 * flat, best.shape.other) || better;
  }
  return best;
}

// Returns the width of a search of a level with this largest radius, by larger or by smaller particles.
CostModel::Width CostModel::width(double radius, bool by_larger) const {
  const double besides = 2 * skin_ + space_.rounding;
  if (kind_.radii_add) return {2 * radius + besides, 2};
  return by_larger ? Width{besides, 2} : Width{2 * radius + besides, 0};
}

SearchWork CostModel::work(int first, int last, CellShape shape, const index_t* cells) const {
  const double radius = radius_max_[static_cast<std::size_t>(last - 1)], x = shape.x * unit(last),
               other = shape.other * unit(last);
  Level level{first, last, x, other, 1 / other, {}};
  for (int k = 0; k < space_.dimension; ++k) {
    const auto axis = static_cast<std::size_t>(k);
    level.cells[axis] = cells != nullptr ? cells[k] : std::max(1.0, space_.size[axis] / (k == 0 ? x : other));
  }
  SearchWork own, across;
  for (int c = 0; c < space_.density.classes(); ++c) {
    const int begin = space_.density.class_begin(c), end = space_.density.class_begin(c + 1);
    own += searched(level, width(radius, false), c, std::max(begin, first), std::min(end, last));
    const bool top_down = kind_.direction == Direction::top_down;
    across += top_down ? searched(level, width(radius, true), c, std::max(begin, last), end)
                       : searched(level, width(radius, false), c, begin, std::min(end, first));
  }
  // Searches on the own level start in the particle's own row: that row, and half of the others.
  own.rows = 0.5 * (own.rows + own.setups), own.candidates *= 0.5;
  SearchWork all = own;
  all += across;
  if (kind_.table == TableKind::compacted) {
    all.compacted_rows = std::exchange(all.rows, 0), all.compacted_slots = own.setups;
    return all;
  }
  all.cells = space_.worlds;
  for (int k = 0; k < space_.dimension; ++k) {
    all.cells *= level.cells[static_cast<std::size_t>(k)];
  }
  return all;
}

// Returns the steps of searches of a level by particles of bins [from, to), all of one class: boxes of a width, rounded up to
// cells.
SearchWork CostModel::searched(const Level& level, Width box, int size_class, int from, int to) const {
  if (from >= to) return {};
  double moment[4];
  for (int k = 0; k < 4; ++k) {
    moment[k] = prefix_[static_cast<std::size_t>(to)].moment[k] - prefix_[static_cast<std::size_t>(from)].moment[k];
  }
  const double mean = box.slope * moment[1] / moment[0];
  Polynomial rows, volume;
  double width = 0, inside = 1;  // `inside`: the share of searches whose box is inside
  for (int k = 0; k < space_.dimension; ++k) {
    const double side = k == 0 ? level.x : level.other, about = mean + box.fixed + side;
    width += about / space_.dimension;
    volume.times(box.fixed + side, box.slope);
    if (k == 0 && kind_.keys == KeyOrder::row_major) continue;
    const double inverse = k == 0 ? 1 / side : level.inverse_other;
    const double cells = level.cells[static_cast<std::size_t>(k)];  // a thin axis has few
    about* inverse > cells + 1 ? rows.times(cells + 1, 0) : rows.times((box.fixed + side) * inverse, box.slope * inverse);
    inside *= std::max(0.0, 1 - about * inverse / cells);
  }
  const double density = space_.density.around(size_class, level.first, level.last, width);
  const double population =
      (prefix_[static_cast<std::size_t>(level.last)].moment[0] - prefix_[static_cast<std::size_t>(level.first)].moment[0]) *
      space_.share_of_world;
  const SearchWork looked{moment[0], rows.over(moment), density * volume.over(moment)};
  if (!(looked.rows > population * moment[0])) return looked;
  // If a search has more rows than the level has particles, it tests all particles instead. But searches at the level's border
  // have any number of rows, and take the smaller number.
  const double fewer = (1 - inside) * 0.5 * population * population * moment[0] / looked.rows;
  return {moment[0], fewer * moment[0], population * moment[0]};
}

}  // namespace hgrid::inline v0_2::detail
