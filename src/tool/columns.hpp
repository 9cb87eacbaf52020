// SPDX-License-Identifier: BSD-3-Clause
// A table of particles and a box as the library takes them.
#pragma once

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
  const auto& [lo, hi, tilt, vectors] = bounds;
  const Vec<bool, 3> axes{periodic[0], periodic[1], periodic[2]};
  if (vectors) {
    Vec<Vec<double, 3>, 3> v;
    for (std::size_t j = 0; j < 3; ++j) {
      std::copy_n((*vectors)[j].data(), 3, v[static_cast<int>(j)].v);
      if (dimension == 2 && periodic[j] && (*vectors)[j][2] != 0) {
        throw Error(ErrorCode::invalid_argument, "the vectors of the box lead out of the plane; two dimensions have no z axis");
      }
    }
    return box_of_vectors<3>(v, axes, {lo[0], lo[1], lo[2]});
  }
  const bool deep = dimension == 3 && periodic[2];
  return tilted(Box3::periodic({lo[0], lo[1], lo[2]}, {hi[0], hi[1], hi[2]}, axes),
                {periodic[1] ? tilt[0] : 0, deep ? tilt[1] : 0, deep ? tilt[2] : 0});
}

/// How deep two particles are in each other: r_i + r_j - |x_i - x_j - m L|, or with the distance of another rule.
template <int D>
struct Overlap {
  Particles<double, D> particles;
  Box<D> box;
  Rule rule = Rule::sum;

  double operator()(const Contact& c) const {
    const Vec<double, D> d = c.separation(box, particles);
    double squared = 0;
    for (int k = 0; k < D; ++k) squared += d[k] * d[k];
    const double a = particles.radius[c.i], b = particles.radius[c.j];
    return (rule == Rule::sum ? a + b : rule == Rule::max ? std::fmax(a, b) : a) - std::sqrt(squared);
  }
};

}  // namespace hgrid::tool
