// SPDX-License-Identifier: BSD-3-Clause
#include "host/planning/radius_histogram.hpp"

#include <algorithm>
#include <cmath>

#include "hgrid/inputs/radius_class.hpp"

namespace hgrid::inline v0_1::detail {
namespace {

constexpr int narrowest_bin = (1 << radius_class_bits) / 8;  // in classes
constexpr std::size_t most_bins = 40;

/// The known facts of a class: how many radii, and between which they lie.
struct RadiusClass {
  double count = 0, least = HUGE_VAL, most = 0;
};

std::vector<RadiusClass> classes_of(std::span<const double> radii, double radius_max) {
  std::vector<RadiusClass> result(radius_classes);
  for (double r : radii) {
    RadiusClass& c = result[static_cast<std::size_t>(radius_class(r))];
    c.least = std::min(c.least, r), c.most = std::max(c.most, r);
  }
  RadiusClass& top = result[static_cast<std::size_t>(radius_class(radius_max))];
  top.least = std::min(top.least, radius_max), top.most = std::max(top.most, radius_max);
  return result;
}

void add(RadiusBin& bin, const RadiusClass& c) {
  bin.radius_max = std::max(bin.radius_max, c.most);
  const double r = 0.5 * (c.least + c.most);
  double w = c.count;
  for (double& moment : bin.moment) moment += w, w *= r;
}

std::vector<RadiusBin> bins_of(const std::vector<RadiusClass>& classes, int classes_per_bin = narrowest_bin) {
  std::vector<RadiusBin> bins;
  RadiusBin points;
  int octant = -1;
  for (int c = 0; c < radius_classes; ++c) {
    const RadiusClass& of = classes[static_cast<std::size_t>(c)];
    if (!(of.count > 0)) continue;
    if (of.most == 0) {
      add(points, of);
      continue;
    }
    if (c / classes_per_bin != octant) bins.emplace_back(), octant = c / classes_per_bin;
    add(bins.back(), of);
  }
  if (bins.size() > most_bins) return bins_of(classes, 2 * classes_per_bin);
  if (bins.empty()) return {points};
  bins.front().moment[0] += points.moment[0];
  return bins;
}

}  // namespace

std::vector<RadiusBin> radius_histogram(std::span<const double> radii, double weight, double radius_max) {
  std::vector<RadiusClass> classes = classes_of(radii, radius_max);
  for (double r : radii) classes[static_cast<std::size_t>(radius_class(r))].count += weight;
  RadiusClass& top = classes[static_cast<std::size_t>(radius_class(radius_max))];
  if (top.count == 0) top.count = 1;
  return bins_of(classes);
}

std::vector<RadiusBin> radius_histogram(std::span<const offset_t> counts, std::span<const double> radii, double radius_max) {
  std::vector<RadiusClass> classes = classes_of(radii, radius_max);
  for (std::size_t k = 0; k < counts.size(); ++k) classes[k % radius_classes].count += static_cast<double>(counts[k]);
  for (int c = 0; c < radius_classes; ++c) {
    RadiusClass& of = classes[static_cast<std::size_t>(c)];
    if (of.most > 0) continue;
    of.least = c > 0 ? radius_class_begin(c) : 0;
    of.most = c > 0 ? std::min(radius_max, radius_class_begin(c + 1)) : 0;
  }
  RadiusClass& top = classes[static_cast<std::size_t>(radius_class(radius_max))];
  if (top.count == 0) top.count = 1;
  return bins_of(classes);
}

}  // namespace hgrid::inline v0_1::detail
