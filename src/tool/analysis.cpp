// SPDX-License-Identifier: BSD-3-Clause
#include "analysis.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "columns.hpp"

namespace hgrid::tool {
namespace {

double per(double value, double n) { return n > 0 ? value / n : 0; }

}  // namespace

Sizes sizes_of(const io::ParticleTable& table, const Box3& box, int dimension) {
  Sizes sizes;
  if (table.size() == 0) return sizes;
  const auto [least, most] = std::ranges::minmax(table.r);
  sizes.radius_min = least, sizes.radius_max = most;
  double space = 1, filled = 0;
  bool along_axes = true;
  for (std::size_t k = 0; k < static_cast<std::size_t>(dimension); ++k) {
    const std::vector<double>& x = *coordinates(table)[k];
    const auto [lo, hi] = std::ranges::minmax(x);
    sizes.lo[k] = lo, sizes.hi[k] = hi;
    double from = lo, to = hi;
    for (std::size_t p = 0; p < x.size(); ++p) from = std::min(from, x[p] - table.r[p]), to = std::max(to, x[p] + table.r[p]);
    const int axis = static_cast<int>(k);
    space *= box.wraps[axis] ? box.length(axis) : to - from;
    along_axes = along_axes && (box.wraps[axis] || !box.turned);
  }
  for (const double r : table.r) filled += dimension == 3 ? 4.0 / 3 * std::numbers::pi * r * r * r : std::numbers::pi * r * r;
  if (along_axes && space > 0 && std::isfinite(filled / space)) sizes.packing_fraction = filled / space;
  return sizes;
}

Analysis analyse(const io::PairSource& pairs, const io::ParticleTable& table, int dimension, Rule rule, double skin) {
  Analysis a;
  const auto n = table.x.size();
  a.particle.contacts.resize(n);
  a.particle.largest_overlap.resize(n);
  double sum = 0;
  std::int64_t compared = 0;
  const auto add = [&](index_t p, double overlap) {
    const auto k = static_cast<std::size_t>(p);
    ++a.particle.contacts[k];
    a.particle.largest_overlap[k] = std::max(a.particle.largest_overlap[k], overlap);
  };
  io::for_each_batch(pairs, [&](std::int64_t, std::span<const io::PairRow> rows) {
    for (const auto& [c, overlap] : rows) {
      if (skin > 0 && overlap < 0) continue;  // without a skin a pair touches, though its overlap may be rounded below 0
      ++a.contacts;
      add(c.i, overlap);
      if (rule != Rule::gather) add(c.j, overlap);
      const double diameter = 2 * std::min(table.r[static_cast<std::size_t>(c.i)], table.r[static_cast<std::size_t>(c.j)]);
      if (diameter == 0) continue;  // points
      sum += std::max(0.0, overlap / diameter);
      a.overlap_max = std::max(a.overlap_max, overlap / diameter);
      ++compared;
    }
  });
  a.overlap_mean = per(sum, static_cast<double>(compared));
  double all = 0, of_others = 0;
  for (const std::int32_t contacts : a.particle.contacts) {
    const bool rattles = contacts < dimension + 1;
    a.rattlers += rattles ? 1 : 0;
    all += contacts;
    of_others += rattles ? 0 : contacts;
  }
  a.coordination = per(all, static_cast<double>(n));
  a.coordination_without_rattlers = per(of_others, static_cast<double>(n) - static_cast<double>(a.rattlers));
  return a;
}

}  // namespace hgrid::tool
