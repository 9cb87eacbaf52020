// SPDX-License-Identifier: BSD-3-Clause
#include "host/planning/radius_histogram.hpp"

#include <algorithm>
#include <cmath>

#include "hgrid/inputs/radius_class.hpp"

namespace hgrid::inline v0_2::detail {
namespace {

constexpr int narrowest_bin = (1 << radius_class_bits) / 8;  // in classes
constexpr std::size_t most_bins = 40;

/// The known facts of a class: the number of radii, and their bounds.
struct RadiusClass {
  double count = 0, least = HUGE_VAL, most = 0;
};

/// The classes from the smallest to the largest radius: few if radii are alike.
struct RadiusClasses {
  int first;
  std::vector<RadiusClass> each;

  RadiusClass& of(double r) { return each[static_cast<std::size_t>(radius_class(r) - first)]; }
};

/// Returns classes from class `first` on, or from the class of the smallest of `radii`. Each class knows the bounds of its
/// `radii`, and of the largest radius if it has it.
RadiusClasses classes_of(int first, std::span<const double> radii, double radius_max) {
  int last = radius_class(radius_max);
  for (double r : radii) first = std::min(first, radius_class(r)), last = std::max(last, radius_class(r));
  RadiusClasses classes{first, std::vector<RadiusClass>(static_cast<std::size_t>(last - first + 1))};
  const auto take = [&](double r) {
    RadiusClass& c = classes.of(r);
    c.least = std::min(c.least, r), c.most = std::max(c.most, r);
  };
  for (double r : radii) take(r);
  take(radius_max);
  return classes;
}

void add(RadiusBin& bin, const RadiusClass& c) {
  bin.radius_max = std::max(bin.radius_max, c.most);
  const double r = 0.5 * (c.least + c.most);
  double w = c.count;
  for (double& moment : bin.moment) moment += w, w *= r;
}

std::vector<RadiusBin> bins_of(const RadiusClasses& classes, int classes_per_bin = narrowest_bin) {
  std::vector<RadiusBin> bins;
  RadiusBin points;
  int octant = -1;
  int c = classes.first - 1;
  for (const RadiusClass& of : classes.each) {
    ++c;
    if (!(of.count > 0)) continue;
    if (of.most == 0) {
      add(points, of);
      continue;
    }
    if (c / classes_per_bin != octant) bins.emplace_back(), octant = c / classes_per_bin;
    add(bins.back(), of);
  }
  if (bins.size() > most_bins) return bins_of(classes, 2 * classes_per_bin);
  if (bins.empty() || points.moment[0] > 0) bins.insert(bins.begin(), points);
  return bins;
}

}  // namespace

std::vector<RadiusBin> radius_histogram(std::span<const double> radii, double weight, double radius_max) {
  RadiusClasses classes = classes_of(radius_class(radius_max), radii, radius_max);
  for (double r : radii) classes.of(r).count += weight;
  RadiusClass& top = classes.of(radius_max);
  if (top.count == 0) top.count = 1;
  return bins_of(classes);
}

std::vector<RadiusBin> radius_histogram(std::span<const offset_t> counts, std::span<const double> radii, double radius_max) {
  std::vector<offset_t> total(radius_classes);
  for (std::size_t k = 0; k < counts.size(); ++k) total[k % radius_classes] += counts[k];
  int first = 0;
  while (first < radius_class(radius_max) && total[static_cast<std::size_t>(first)] == 0) ++first;
  RadiusClasses classes = classes_of(first, radii, radius_max);
  int c = classes.first - 1;
  for (RadiusClass& of : classes.each) {
    of.count = static_cast<double>(total[static_cast<std::size_t>(++c)]);
    if (of.most > 0) continue;
    of.least = c > 0 ? radius_class_begin(c) : 0;
    of.most = c > 0 ? std::min(radius_max, radius_class_begin(c + 1)) : 0;
  }
  RadiusClass& top = classes.of(radius_max);
  if (top.count == 0) top.count = 1;
  return bins_of(classes);
}

}  // namespace hgrid::inline v0_2::detail
