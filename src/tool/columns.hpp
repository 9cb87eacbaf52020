// SPDX-License-Identifier: BSD-3-Clause
// A table of particles and the options' box as the library takes them.
#pragma once

#include <cmath>
#include <vector>

#include "hgrid/core/types.hpp"
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
  Box<D> box = Box<D>::open();
  for (std::size_t k = 0; k < D; ++k) {
    const int axis = static_cast<int>(k);
    box.wraps[axis] = options.periodic[k];
    if (options.periodic[k]) box.lo[axis] = options.box.lo[k], box.hi[axis] = options.box.hi[k];
  }
  return box;
}

/// How deep two particles are in each other: r_i + r_j - |x_i - x_j - m L|.
template <int D>
struct Overlap {
  const io::ParticleTable& table;
  Box<D> box;

  double operator()(Pair pair, Image image) const {
    const std::vector<double>* x[] = {&table.x, &table.y, &table.z};
    const auto i = static_cast<std::size_t>(pair.i), j = static_cast<std::size_t>(pair.j);
    double squared = 0;
    for (int k = 0; k < D; ++k) {
      const double d = (*x[k])[i] - (*x[k])[j] - image.m[k] * box.length(k);
      squared += d * d;
    }
    return table.r[i] + table.r[j] - std::sqrt(squared);
  }
};

}  // namespace hgrid::tool
