// SPDX-License-Identifier: BSD-3-Clause
// A table of particles and a box as the library takes them.
#pragma once

#include <array>
#include <cmath>
#include <vector>

#include "hgrid/core/error.hpp"
#include "hgrid/core/types.hpp"
#include "io/particle_table.hpp"

namespace hgrid::tool {

inline std::array<const std::vector<double>*, 3> coordinates(const io::ParticleTable& table) {
  return {&table.x, &table.y, &table.z};
}

/// The columns in place; the table must stay.
template <int D>
Particles<double, D> particles_of(const io::ParticleTable& table) {
  Particles<double, D> p{};
  for (std::size_t k = 0; k < D; ++k) p.position[k] = coordinates(table)[k]->data();
  p.stride = 1;
  p.radius = table.r.data();
  p.count = table.size();
  return p;
}

/// The box that is periodic on these axes. Throws Error(invalid_argument) for z in two dimensions.
inline Box3 box_of(const io::BoxBounds& bounds, const std::array<bool, 3>& periodic, int dimension) {
  if (dimension == 2 && periodic[2]) throw Error(ErrorCode::invalid_argument, "--periodic z: two dimensions have no z axis");
  Box3 box = Box3::open();
  for (std::size_t k = 0; k < 3; ++k) {
    const int axis = static_cast<int>(k);
    box.wraps[axis] = periodic[k];
    if (periodic[k]) box.lo[axis] = bounds.lo[k], box.hi[axis] = bounds.hi[k];
  }
  return box;
}

/// How deep two particles are in each other: r_i + r_j - |x_i - x_j - m L|.
struct Overlap {
  const io::ParticleTable& table;
  Box3 box;
  int dimension;

  double operator()(Pair pair, Image image) const {
    const auto x = coordinates(table);
    const auto i = static_cast<std::size_t>(pair.i), j = static_cast<std::size_t>(pair.j);
    double squared = 0;
    for (int k = 0; k < dimension; ++k) {
      const auto& column = *x[static_cast<std::size_t>(k)];
      const double d = column[i] - column[j] - image.m[k] * box.length(k);
      squared += d * d;
    }
    return table.r[i] + table.r[j] - std::sqrt(squared);
  }
};

}  // namespace hgrid::tool
