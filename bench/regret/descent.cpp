// SPDX-License-Identifier: BSD-3-Clause
// The second half of the search: one thing of a plan is changed at a time.
#include <algorithm>
#include <cmath>

#include "search.hpp"

namespace regret {
namespace {

// A step that takes the first run no more than so many times longer is worth two more; a much slower one is stopped.
constexpr double worth_a_step = 1.04, hopeless_step = 1.5;

}  // namespace

void Search::descend(int starts, double until) {
  const std::vector<Shape> from = best(static_cast<std::size_t>(starts));
  for (std::size_t k = 0; k < from.size(); ++k) {
    const double now = worker_.spent();
    if (now > until) return;
    const auto same = [&](const Timed& t) { return t.shape.key() == from[k].key(); };
    // The best has half of the time, the next half of the rest.
    const double share = k + 1 < from.size() ? (until - now) / 2 : until - now;
    descend_from(*std::ranges::find_if(results_, same), now + share);
  }
}

void Search::descend_from(Timed at, double until) {
  for (const double step : {1.4, 1.15}) {
    std::size_t fruitless = 0;
    for (std::size_t move = 0; worker_.spent() < until;) {
      const std::size_t moves = 3 + 8 * at.shape.levels.size();
      move %= moves;
      const std::optional<Shape> to = moved(at.shape, move, step);
      const std::optional<Timed> timed = to ? measure(*to, worth_a_step * at.first.total(), hopeless_step) : std::nullopt;
      if (timed && timed->warm && timed->warm->total() < 0.99 * at.warm->total()) {
        at = *timed, fruitless = 0;  // and the same steps again
        continue;
      }
      ++move;
      if (++fruitless >= moves) break;
    }
  }
}

// One change of a plan: the table, all sides, or one thing of one level.
std::optional<Shape> Search::moved(const Shape& from, std::size_t move, double step) const {
  Shape to = from;
  if (move == 0) {
    to.table = from.table == hgrid::TableKind::dense ? hgrid::TableKind::compacted : hgrid::TableKind::dense;
    return to;
  }
  if (move <= 2) {
    for (auto& level : to.levels) level.side *= move == 1 ? step : 1 / step;
    return to;
  }
  const std::size_t h = (move - 3) / 8;
  switch ((move - 3) % 8) {
    case 0:
      to.levels[h].side *= step;
      return to;
    case 1:
      to.levels[h].side /= step;
      return to;
    case 2:
      to.levels[h].flat *= step * step;
      return to;
    case 3:
      to.levels[h].flat /= step * step;
      return to;
    case 4:
      return moved_bound(from, h, step * step);
    case 5:
      return moved_bound(from, h, 1 / (step * step));
    case 6:
      return split(from, h);
    default:
      break;
  }
  if (h + 1 == from.levels.size()) return std::nullopt;
  to.levels.erase(to.levels.begin() + static_cast<std::ptrdiff_t>(h));
  return to;
}

// Moves the bound of level h against the next; its cells stay.
std::optional<Shape> Search::moved_bound(Shape from, std::size_t h, double factor) const {
  if (h + 1 == from.levels.size()) return std::nullopt;
  const double bound = from.levels[h].bound, to = radius_below(bound * factor);
  if (to == bound || to >= from.levels[h + 1].bound || (h > 0 && to <= from.levels[h - 1].bound)) return std::nullopt;
  from.levels[h].bound = to, from.levels[h].side *= bound / to;
  return from;
}

std::optional<Shape> Search::split(Shape from, std::size_t h) const {
  if (from.levels.size() >= hgrid::max_levels) return std::nullopt;
  const double least = h > 0 ? from.levels[h - 1].bound : radii_.front();
  Shape::Level fine = from.levels[h];
  fine.bound = radius_below(std::sqrt(least * fine.bound));
  if (fine.bound >= from.levels[h].bound || (h > 0 && fine.bound <= least)) return std::nullopt;
  from.levels.insert(from.levels.begin() + static_cast<std::ptrdiff_t>(h), fine);
  return from;
}

}  // namespace regret
