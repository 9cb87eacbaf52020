// SPDX-License-Identifier: BSD-3-Clause
// A table of particles and the options' box as the library takes them.
#pragma once

#include <cmath>
#include <vector>

#include "hgrid/core/contact.hpp"
#include "search.hpp"

namespace hgrid::tool {

/// The columns in place; the table must stay.
template <int D>
Particles<double, D> particles_of(const io::ParticleTable& table) {
  const std::vector<double>* columns[] = {&table.x, &table.y, &table.z};
  Particles<double, D> p{};
  for (int k = 0; k < D; ++k) p.position[k] = columns[k]->data();
  p.stride = 1;
  p.radius = table.r.data();
  p.count = table.size();
  return p;
}

/// The box that the options ask for.
template <int D>
Box<D> box_of(const SearchOptions& options) {
  const auto& [lo, hi] = options.box;
  const auto& axes = options.periodic;
  return Box<D>::of_axes(Box3::periodic({lo[0], lo[1], lo[2]}, {hi[0], hi[1], hi[2]}, {axes[0], axes[1], axes[2]}));
}

/// How deep two particles are in each other: r_i + r_j - |x_i - x_j - m L|.
template <int D>
struct Overlap {
  Particles<double, D> particles;
  Box<D> box;

  double operator()(const Contact& c) const {
    const Vec<double, D> d = c.separation(box, particles);
    double squared = 0;
    for (int k = 0; k < D; ++k) squared += d[k] * d[k];
    return particles.radius[c.i] + particles.radius[c.j] - std::sqrt(squared);
  }
};

}  // namespace hgrid::tool
