// SPDX-License-Identifier: BSD-3-Clause
// A table of particles and the options' box as the library takes them.
#pragma once

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <vector>

#include "hgrid/core/types.hpp"
#include "search.hpp"

namespace hgrid::tool {

/// Columns of the table as the library reads them: in place, or a copy in single precision.
template <class Real>
class Columns {
 public:
  explicit Columns(const io::ParticleTable& table) {
    const std::vector<double>* columns[] = {&table.x, &table.y, &table.z, &table.r};
    for (int k = 0; k < 4; ++k) {
      if constexpr (std::is_same_v<Real, double>) {
        at_[k] = columns[k]->data();
      } else {
        copy_[k].resize(columns[k]->size());
        std::ranges::transform(*columns[k], copy_[k].begin(), [](double v) { return static_cast<Real>(v); });
        at_[k] = copy_[k].data();
      }
    }
    count_ = table.size();
  }

  const Real* column(int k) const { return at_[k]; }

  template <int D>
  Particles<Real, D> particles() const {
    Particles<Real, D> p{};
    for (int k = 0; k < D; ++k) p.position[k] = at_[k];
    p.stride = 1;
    p.radius = at_[3];
    p.count = count_;
    return p;
  }

 private:
  std::vector<Real> copy_[4];
  const Real* at_[4];
  std::int64_t count_;
};

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
