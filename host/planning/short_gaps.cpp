// SPDX-License-Identifier: BSD-3-Clause
#include "hgrid/host/planning/short_gaps.hpp"

#include <algorithm>
#include <numeric>

namespace hgrid {
namespace {

// The longest gap that is at most eight times the mean of all when they are cut down to it: if they are alike, the longest
// of all; the exponential ones of a uniform system are hardly ever longer.
double longest_kept(std::vector<double> gap) {
  std::ranges::sort(gap);
  double shorter = std::accumulate(gap.begin(), gap.end(), 0.0);
  for (std::size_t i = gap.size(); i-- > 0;) {
    shorter -= gap[i];
    const double cut = shorter + gap[i] * static_cast<double>(gap.size() - i);
    if (8 * cut >= gap[i] * static_cast<double>(gap.size())) return gap[i];
  }
  return 0;
}

// Whether points are met in so many of four boxes a point that no few gaps can be most of lo .. hi: the gaps that are cut
// are less than an eighth of all, and what is left would fill half as many boxes as there are points. It saves the sort.
bool is_filled(const std::vector<double>& x, double lo, double hi) {
  const std::size_t boxes = 4 * x.size();
  std::vector<bool> met(boxes + 1);
  std::size_t filled = 0;
  for (double v : x) {
    const auto box = static_cast<std::size_t>((v - lo) / (hi - lo) * static_cast<double>(boxes));
    filled += !met[box];
    met[box] = true;
  }
  return 4 * filled > 3 * x.size();
}

}  // namespace

void shorten_gaps(std::vector<double>& rows, int axes, int axis, double& lo, double& hi) {
  const auto columns = static_cast<std::size_t>(axes), k = static_cast<std::size_t>(axis);
  std::vector<double> x;
  for (std::size_t i = 0; i + columns < rows.size(); i += columns + 1) {
    if (rows[i + columns] >= 0) x.push_back(std::clamp(rows[i + k], lo, hi));
  }
  if (x.size() < 2 || !(hi > lo) || is_filled(x, lo, hi)) return;
  std::ranges::sort(x);
  std::vector<double> gap;
  for (std::size_t s = 1; s < x.size(); ++s) {
    if (x[s] > x[s - 1]) gap.push_back(x[s] - x[s - 1]);
  }
  const double longest = longest_kept(gap);
  std::vector<double> moved{x[0]};
  for (std::size_t s = 1; s < x.size(); ++s) moved.push_back(moved.back() + std::min(x[s] - x[s - 1], longest));
  if (!(8 * (moved.back() - moved.front()) < hi - lo)) return;
  for (std::size_t i = 0; i + columns < rows.size(); i += columns + 1) {
    if (rows[i + columns] < 0) continue;
    const auto at = std::ranges::lower_bound(x, std::clamp(rows[i + k], lo, hi)) - x.begin();
    rows[i + k] = moved[static_cast<std::size_t>(at)];
  }
  lo = moved.front(), hi = moved.back();
}

}  // namespace hgrid
