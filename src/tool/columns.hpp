// SPDX-License-Identifier: BSD-3-Clause
// Converts a table of particles and a box for the library.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "hgrid/core/contact.hpp"
#include "hgrid/core/error.hpp"
#include "hgrid/core/turn.hpp"
#include "io/particle_table.hpp"

namespace hgrid::tool {

inline std::array<const std::vector<double>*, 3> coordinates(const io::ParticleTable& table) {
  return {&table.x, &table.y, &table.z};
}

/// Returns a view of the table's columns; the table must stay.
template <int D>
Particles<double, D> particles_of(const io::ParticleTable& table) {
  Particles<double, D> p{};
  for (std::size_t k = 0; k < D; ++k) p.position[k] = coordinates(table)[k]->data();
  p.stride = 1;
  if (table.boxes) {
    for (std::size_t k = 0; k < D; ++k) p.extent[k] = table.extent[k].data();
    p.extent_stride = 1;
  } else {
    p.radius = table.r.data();
  }
  p.count = table.size();
  return p;
}

/// A box from a file or from options.
struct GivenBox {
  io::BoxBounds bounds = {};
  std::array<bool, 3> periodic = {};

  bool is_open() const { return !periodic[0] && !periodic[1] && !periodic[2]; }
};

template <int D>
Box3 box_along_vectors(const GivenBox& given) {
  Vec<Vec<double, D>, D> vectors;
  Vec<bool, D> periodic;
  Vec<double, D> origin;
  for (int j = 0; j < D; ++j) {
    const auto row = static_cast<std::size_t>(j);
    std::copy_n((*given.bounds.vectors)[row].data(), D, vectors[j].v);
    periodic[j] = given.periodic[row], origin[j] = given.bounds.lo[row];
    if (D == 2 && periodic[j] && (*given.bounds.vectors)[row][2] != 0) {
      throw Error(ErrorCode::invalid_argument, "the vectors of the box lead out of the plane; two dimensions have no z axis");
    }
  }
  return Box3::of_axes(box_of_vectors<D>(vectors, periodic, origin));
}

/// Returns the library's box. Throws Error(invalid_argument) for z in two dimensions.
inline Box3 box_of(const GivenBox& given, int dimension) {
  const auto& [lo, hi, tilt, vectors] = given.bounds;
  const auto& periodic = given.periodic;
  if (dimension == 2 && periodic[2]) throw Error(ErrorCode::invalid_argument, "--periodic z: two dimensions have no z axis");
  if (vectors) return dimension == 2 ? box_along_vectors<2>(given) : box_along_vectors<3>(given);
  const Vec<bool, 3> axes{periodic[0], periodic[1], periodic[2]};
  const bool deep = dimension == 3 && periodic[2];
  return tilted(Box3::periodic({lo[0], lo[1], lo[2]}, {hi[0], hi[1], hi[2]}, axes),
                {periodic[1] ? tilt[0] : 0, deep ? tilt[1] : 0, deep ? tilt[2] : 0});
}

/// Computes how deep two particles overlap: r_i + r_j - |x_i - x_j - m L|, or with the distance of another rule. For boxes it
/// is the least overlap along the axes.
template <int D>
struct Overlap {
  Particles<double, D> particles;
  Box<D> box;
  Rule rule = Rule::sum;

  double operator()(const Contact& c) const {
    const Vec<double, D> d = c.separation(box, particles);
    if (particles.has_extents()) {
      double least = HUGE_VAL;
      for (int k = 0; k < D; ++k)
        least = std::fmin(least, particles.extent[k][c.i] + particles.extent[k][c.j] - std::fabs(d[k]));
      return least;
    }
    double squared = 0;
    for (int k = 0; k < D; ++k) squared += d[k] * d[k];
    const double a = particles.radius[c.i], b = particles.radius[c.j];
    return (rule == Rule::sum ? a + b : rule == Rule::max ? std::fmax(a, b) : a) - std::sqrt(squared);
  }
};

}  // namespace hgrid::tool
