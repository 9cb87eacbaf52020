// SPDX-License-Identifier: BSD-3-Clause
#include "analysis.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "columns.hpp"

namespace hgrid::tool {
namespace {

double per(double value, double n) { return n > 0 ? value / n : 0; }

/// Returns how far a particle extends along the axis along which it extends least.
double least_half(const io::ParticleTable& table, int dimension, index_t i) {
  const auto p = static_cast<std::size_t>(i);
  if (!table.boxes) return table.r[p];
  double least = table.extent[0][p];
  for (std::size_t k = 1; k < static_cast<std::size_t>(dimension); ++k) least = std::min(least, table.extent[k][p]);
  return least;
}

}  // namespace

void SizeBounds::add(const io::ParticleTable& table, int dimension) {
  if (table.size() == 0) return;
  boxes = table.boxes;
  for (std::size_t k = 0; k < static_cast<std::size_t>(dimension); ++k) {
    const std::vector<double>&x = *coordinates(table)[k], &half = table.half(k);
    const auto [least, most] = std::ranges::minmax(half);
    half_min[k] = std::min(half_min[k], least), half_max[k] = std::max(half_max[k], most);
    const auto [low, high] = std::ranges::minmax(x);
    lo[k] = std::min(lo[k], low), hi[k] = std::max(hi[k], high);
    for (std::size_t p = 0; p < x.size(); ++p) {
      from[k] = std::min(from[k], x[p] - half[p]), to[k] = std::max(to[k], x[p] + half[p]);
    }
  }
}

ExactSum filled_by(const io::ParticleTable& table, int dimension) {
  ExactSum filled;
  for (std::size_t p = 0; p < table.x.size() && table.boxes; ++p) {
    double volume = 1;
    for (std::size_t k = 0; k < static_cast<std::size_t>(dimension); ++k) volume *= 2 * table.extent[k][p];
    filled.add(volume);
  }
  for (const double r : table.r) filled.add(dimension == 3 ? 4.0 / 3 * std::numbers::pi * r * r * r : std::numbers::pi * r * r);
  return filled;
}

Sizes sizes_of(const SizeBounds& bounds, double filled, const Box3& box, int dimension) {
  Sizes sizes;
  sizes.boxes = bounds.boxes, sizes.half_min = bounds.half_min, sizes.half_max = bounds.half_max;
  double space = 1;
  bool along_axes = true;
  for (std::size_t k = 0; k < static_cast<std::size_t>(dimension); ++k) {
    sizes.lo[k] = bounds.lo[k], sizes.hi[k] = bounds.hi[k];
    const int axis = static_cast<int>(k);
    space *= box.wraps[axis] ? box.length(axis) : bounds.to[k] - bounds.from[k];
    along_axes = along_axes && (box.wraps[axis] || !box.turned);
  }
  if (along_axes && space > 0 && std::isfinite(filled / space)) sizes.packing_fraction = filled / space;
  return sizes;
}

Sizes sizes_of(const io::ParticleTable& table, const Box3& box, int dimension) {
  if (table.size() == 0) return {.boxes = table.boxes};
  SizeBounds bounds;
  bounds.add(table, dimension);
  return sizes_of(bounds, filled_by(table, dimension).value(), box, dimension);
}

void OverlapSums::add(double overlap, double diameter) {
  if (diameter == 0) return;  // points
  sum.add(overlap / diameter);
  most = std::max(most, overlap / diameter);
  ++compared;
}

Analysis analyse(const io::PairSource& pairs, const io::ParticleTable& table, int dimension, Rule rule, double skin) {
  Analysis a;
  const auto n = table.x.size();
  a.particle.contacts.resize(n);
  a.particle.largest_overlap.resize(n);
  OverlapSums overlaps;
  const auto add = [&](index_t p, double overlap) {
    const auto k = static_cast<std::size_t>(p);
    ++a.particle.contacts[k];
    a.particle.largest_overlap[k] = std::max(a.particle.largest_overlap[k], overlap);
  };
  io::for_each_batch(pairs, [&](std::int64_t, std::span<const io::PairRow> rows) {
    for (const auto& [c, overlap] : rows) {
      if (skin > 0 && overlap < 0) continue;  // without a skin a pair touches, even if its overlap is rounded below 0
      ++a.contacts;
      add(c.i, overlap);
      if (rule != Rule::gather) add(c.j, overlap);
      overlaps.add(overlap, 2 * std::min(least_half(table, dimension, c.i), least_half(table, dimension, c.j)));
    }
  });
  ContactSums contacts;
  contacts.add(a.particle.contacts, dimension);
  finish(a, overlaps, contacts, static_cast<std::int64_t>(n));
  return a;
}

void ContactSums::add(const std::vector<std::int32_t>& of_particles, int dimension) {
  for (const std::int32_t contacts : of_particles) {
    const bool rattles = contacts < dimension + 1;
    rattlers += rattles ? 1 : 0;
    all += contacts;
    of_others += rattles ? 0 : contacts;
  }
}

void finish(Analysis& a, OverlapSums overlaps, const ContactSums& contacts, std::int64_t particles) {
  a.overlap_mean = per(overlaps.sum.value(), static_cast<double>(overlaps.compared));
  a.overlap_max = overlaps.most;
  a.rattlers = contacts.rattlers;
  const auto n = static_cast<double>(particles);
  a.coordination = per(static_cast<double>(contacts.all), n);
  a.coordination_without_rattlers = per(static_cast<double>(contacts.of_others), n - static_cast<double>(a.rattlers));
}

}  // namespace hgrid::tool
