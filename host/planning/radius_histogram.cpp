// SPDX-License-Identifier: BSD-3-Clause
#include "hgrid/host/planning/radius_histogram.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "hgrid/core/types.hpp"

namespace hgrid {

std::vector<RadiusBin> radius_histogram(std::span<const double> radii, double weight, double radius_max) {
  constexpr int bins_per_octave = 8;
  std::map<int, RadiusBin> bins;  // at most some 800 entries: radii span [1e-15, 1e15]
  double smallest = radius_max;
  for (double r : radii) {
    if (r > 0) smallest = std::min(smallest, std::max(r, smallest_radius));  // an extra distance alone may be tinier
  }
  if (!(smallest > 0)) smallest = 1;  // nothing but points
  const auto add = [&](double r, double w) {
    const double floored = std::max(r, smallest);
    RadiusBin& bin = bins[static_cast<int>(std::ceil(bins_per_octave * std::log2(floored / smallest) - 1e-9))];
    bin.radius_max = std::max(bin.radius_max, r);
    for (int k = 0; k < 4; ++k) bin.moment[k] += w, w *= r;
  };
  for (double r : radii) add(r, weight);
  if (radii.empty() || radius_max > *std::max_element(radii.begin(), radii.end())) add(radius_max, 1);
  std::vector<RadiusBin> result;
  for (const auto& [index, bin] : bins) result.push_back(bin);
  return result;
}

}  // namespace hgrid
