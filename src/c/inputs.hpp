// SPDX-License-Identifier: BSD-3-Clause
// Converts the caller's input to the C++ library's.
#pragma once

#include <variant>
#include <vector>

#include "c/arrays.hpp"
#include "hgrid/core/region.hpp"
#include "hgrid/core/turn.hpp"
#include "hgrid/find/measured_lists.hpp"
#include "hgrid/options.hpp"

namespace hgrid::c {

/// Returns where a grid works. Errors: `unsupported` (neither the host nor a device that this library supports).
Place place_of(const hgrid_options& given);

/// Returns a grid's options. Errors: `invalid_argument`, `invalid_levels`.
GridOptions options_of(const hgrid_options& given);

/// Returns the vectors of the box in rows, zeros for open axes.
template <int D>
detail::BoxVectors<D> vectors_of(const hgrid_box* given) {
  detail::BoxVectors<D> vectors{};
  if (given == nullptr) return vectors;
  const hgrid_box b = taken(given, "box");
  for (int j = 0; j < D; ++j) {
    if (b.periodic[j] == 0) continue;
    vectors[j][j] = b.hi[j] - b.lo[j];
    for (int k = 0; k < j; ++k) vectors[j][k] = b.tilt[Box<D>::tilt_index(k, j)];
    for (int k = 0; k < D && b.vectors != nullptr; ++k) vectors[j][k] = b.vectors[j * D + k];
  }
  return vectors;
}

/// Returns a box; null is an open box. Errors: `invalid_argument`, `invalid_box`.
template <int D>
Box<D> box_of(const hgrid_box* given) {
  if (given == nullptr) return Box<D>::open();
  const hgrid_box b = taken(given, "box");
  require_zero(b.reserved, "box");
  Vec<double, D> lo, hi;
  Vec<bool, D> periodic;
  Vec<double, Box<D>::tilts> tilts;
  for (int k = 0; k < D; ++k) lo[k] = b.lo[k], hi[k] = b.hi[k], periodic[k] = yes(b.periodic[k], "periodic");
  for (int t = 0; t < Box<D>::tilts; ++t) tilts[t] = b.tilt[t];
  const auto refuse_box = [](const char* what, int index, double value) {
    throw Error(ErrorCode::invalid_box, what, {.argument = "box", .index = index, .value = value});
  };
  for (int k = D; k < 3; ++k) {
    if (b.periodic[k] != 0 || b.lo[k] != 0 || b.hi[k] != 0) refuse_box("a box in 2-D has no third axis", k, b.hi[k]);
  }
  for (int t = Box<D>::tilts; t < 3; ++t) {
    if (b.tilt[t] != 0) refuse_box("a box in 2-D has one tilt, xy", t, b.tilt[t]);
  }
  if (b.vectors == nullptr) return tilted(Box<D>::periodic(lo, hi, periodic), tilts);
  for (int k = 0; k < 3; ++k) {
    if (b.hi[k] != 0 || b.tilt[k] != 0) refuse_box("a box along vectors has no hi and no tilts", k, b.hi[k]);
  }
  return box_of_vectors<D>(vectors_of<D>(given), periodic, lo);
}

/// Returns the vectors of a box that nobody gave, as in a checkpoint.
template <int D>
detail::BoxVectors<D> vectors_of(const Box<D>& box) {
  detail::BoxVectors<D> vectors;
  for (int j = 0; j < D; ++j) {
    Image one{};
    one[j] = 1;
    vectors[j] = detail::shift_of(box, one);
  }
  return vectors;
}

/// Returns element k of an array, whose elements have the size that the first one states.
inline const hgrid_box* box_at(const hgrid_box* given, std::int64_t k) {
  return reinterpret_cast<const hgrid_box*>(reinterpret_cast<const std::byte*>(given) +
                                            static_cast<std::size_t>(k) * given->struct_size);
}

/// Returns [count] boxes, each from box_at. Errors are as in box_of.
template <int D>
std::vector<Box<D>> boxes_of(const hgrid_box* given, std::int64_t count) {
  if (count < 0 || count > most_worlds) refuse("count", "must be in 0 to 2^20", static_cast<double>(count));
  std::vector<Box<D>> boxes;
  for (std::int64_t w = 0; w < count; ++w) {
    check_struct(given, "boxes");
    const hgrid_box* const at = box_at(given, w);
    if (at->struct_size != given->struct_size) refuse("boxes", "have sizes (struct_size) that differ", static_cast<double>(w));
    boxes.push_back(box_of<D>(at));
  }
  return boxes;
}

template <int D>
using AnyParticles = std::variant<Particles<double, D>, Particles<float, D>>;

/// The radius, before it is scaled, of particles with one radius for all.
struct One {
  double number = 1;
  float single = 1, unused = 0;  // padding, so that no uninitialised byte is copied
};

/// Returns views of the arrays. Errors: errors of arrays. The build checks their contents. `one` is in memory of that place.
template <int D>
AnyParticles<D> particles_of(const hgrid_particles* given, const Place& place, const One* one);

/// Returns the exclusions of n particles: pairs, or lists, or none. Errors: errors of arrays, by their names in
/// hgrid_particles. Builds and searches check their contents. `Given` is a struct of hgrid.h with these three arrays.
template <class Given>
Exclusions exclusions_of(const Given& given, std::int64_t n, const Place& place);

/// Regions in the caller's memory.
template <int D>
struct GivenRegions {
  RealColumn lo[D], hi[D], radius;
  const std::int32_t* world;  // or null
  offset_t count;

  HGRID_HD Region<D> operator[](offset_t q) const {
    Region<D> region;
    for (int k = 0; k < D; ++k) region.lo[k] = lo[k][q], region.hi[k] = hi[k][q];
    region.radius = radius[q];
    region.world = world != nullptr ? world[q] : 0;
    return region;
  }
};

/// Returns views of the arrays. Errors: errors of arrays; the first array has the name `lower`.
template <int D>
GivenRegions<D> regions_of(const hgrid_regions& given, const Place& place, const char* lower = "lo");

template <int D>
struct CopyRegion {
  GivenRegions<D> given;
  Region<D>* regions;
  HGRID_HD void operator()(offset_t q) const { regions[q] = given[q]; }
};

}  // namespace hgrid::c
