// SPDX-License-Identifier: BSD-3-Clause
#include "host/planning/extent.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>

namespace hgrid::inline v0_2::detail {
namespace {

/// A part of a periodic axis. A gap that ends before it begins continues at the other end of the axis.
struct Gap {
  double begin, end;
  bool holds(double x) const { return begin < end ? begin <= x && x < end : x >= begin || x < end; }
};

// Returns the widest part of a periodic axis that holds at most `most` coordinates, in steps of a 64th. Returns none if it is
// narrower than an eighth, because few empty cells cost little.
std::optional<Gap> widest_gap(const std::vector<double>& x, double most, double lo, double hi) {
  constexpr std::size_t steps = 64, least = 8;
  const double step = (hi - lo) / steps;
  std::array<double, steps> count{};
  for (const double at : x) count[static_cast<std::size_t>(std::clamp((at - lo) / step, 0.0, steps - 1.0))] += 1;
  std::size_t first = 0, widest = 0;
  double held = 0;  // from begin to end
  for (std::size_t begin = 0, end = 0; begin < steps; held -= count[begin++]) {
    while (end < begin + steps && held + count[end % steps] <= most) held += count[end++ % steps];
    if (end - begin > widest) first = begin, widest = end - begin;
    if (end == begin) held += count[end++];
  }
  if (widest < least) return std::nullopt;
  const std::size_t end = first + widest;
  return Gap{lo + static_cast<double>(first) * step, end == steps ? hi : lo + static_cast<double>(end % steps) * step};
}

template <int D>
void set_open_axis(Extent<D>& extent, const PlanInput<D>& input, const std::vector<double>& x, double share, int axis) {
  const auto tail = [&](auto before) {
    std::vector<double> ends(1 + static_cast<std::size_t>(share * static_cast<double>(x.size() - 1)));
    std::ranges::partial_sort_copy(x, ends, before);
    return ends.back();
  };
  const double low = tail(std::less<>()), high = tail(std::greater<>()), margin = 0.25 * (high - low);
  extent.lo[axis] = std::max(input.lo[axis], low - margin), extent.hi[axis] = std::min(input.hi[axis], high + margin);
}

template <int D>
void set_periodic_axis(Extent<D>& extent, const PlanInput<D>& input, const Box<D>& box, const std::vector<double>& x,
                       double share, int axis) {
  extent.lo[axis] = box.lo[axis], extent.hi[axis] = box.hi[axis];
  const std::optional<Gap> gap = widest_gap(x, share * static_cast<double>(x.size()), box.lo[axis], box.hi[axis]);
  if (!gap) return;
  const bool inside = box.lo[axis] < gap->begin && gap->begin < gap->end && gap->end < box.hi[axis];
  if (!inside && !gap->holds(input.lo[axis]) && !gap->holds(input.hi[axis])) {
    extent.lo[axis] = input.lo[axis], extent.hi[axis] = input.hi[axis];
    return;
  }
  Interval before{HUGE_VAL, -HUGE_VAL}, behind = before;
  for (const double at : x) {
    if (gap->holds(at)) continue;
    Interval& part = inside && at >= gap->end ? behind : before;
    part.first = std::min(part.first, at), part.last = std::max(part.last, at);
  }
  for (const Interval& part : {before, behind}) {
    if (part.first <= part.last) extent.inhabited[axis].push_back(part);
  }
}

template <int D>
void set_axis(Extent<D>& extent, const PlanInput<D>& input, const Box<D>& box, int axis) {
  std::vector<double> x;
  for (std::size_t s = 0; s + D < input.sample.size(); s += D + 1) {
    if (input.sample[s + D] >= 0) x.push_back(input.sample[s + static_cast<std::size_t>(axis)]);
  }
  // Particles beyond a quantile may all be in one border cell. Without boxes sqrt(2 n) particles in a cell cost n tests.
  const double few = std::min(0.01, std::sqrt(2.0 / static_cast<double>(input.particles)));
  const double share = input.has_boxes && !box.wraps[axis] ? 0.02 : few;
  if (!x.empty()) {
    return box.wraps[axis] ? set_periodic_axis(extent, input, box, x, share, axis)
                           : set_open_axis(extent, input, x, share, axis);
  }
  const bool somewhere = input.particles > 0;
  extent.lo[axis] = box.wraps[axis] ? box.lo[axis] : somewhere ? input.lo[axis] : 0;
  extent.hi[axis] = box.wraps[axis] ? box.hi[axis] : somewhere ? input.hi[axis] : 1;
}

}  // namespace

template <int D>
Extent<D> extent_of(const PlanInput<D>& input, const Box<D>& box) {
  Extent<D> extent{input.lo, input.hi, {}};
  for (int k = 0; k < D && input.origins.empty(); ++k) set_axis(extent, input, box, k);
  return extent;
}

template Extent<2> extent_of(const PlanInput<2>&, const Box<2>&);
template Extent<3> extent_of(const PlanInput<3>&, const Box<3>&);

}  // namespace hgrid::inline v0_2::detail
