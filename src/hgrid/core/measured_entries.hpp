// SPDX-License-Identifier: BSD-3-Clause
// Entries of neighbour lists with distances, as codes of other languages compute them: which are wanted, and where they go.
#pragma once

#include "hgrid/core/function_ref.hpp"
#include "hgrid/core/types.hpp"

namespace hgrid::inline v0_2::detail {

/// The vectors of a box in rows, zeros where it is open.
template <int D>
using BoxVectors = Vec<Vec<double, D>, D>;

/// The vector x_j - x_i + m L, from i to j.
template <int D>
HGRID_HD Vec<double, D> vector_between(const Vec<double, D>& from, const Vec<double, D>& to, const Image& image,
                                       const BoxVectors<D>& box) {
  Vec<double, D> d;
  for (int k = 0; k < D; ++k) {
    double shift = 0;
    for (int axis = 0; axis < D; ++axis) shift += mul_rn(image[axis], box[axis][k]);
    d[k] = to[k] - from[k] + shift;
  }
  return d;
}

template <int D>
HGRID_HD double length_of(const Vec<double, D>& d) {
  double sum = 0;
  for (int k = 0; k < D; ++k) sum += mul_rn(d[k], d[k]);
  return std::sqrt(sum);
}

/// Which entries of lists are wanted.
template <class Real, int D>
struct WantedEntries {
  Particles<Real, D> particles;
  BoxVectors<D> box;
  const BoxVectors<D>* boxes;  ///< of worlds, in the executor's memory; null: all have the box above
  bool itself;                 ///< each particle is a neighbour of itself, too
  bool nearer;                 ///< only those nearer than r_i + r_j, or than the cut-off of their types
  bool expects_all;            ///< nearly always all of them are nearer, which spares a pass

  HGRID_HD const BoxVectors<D>& box_of(index_t i) const { return boxes == nullptr ? box : boxes[particles.world(i)]; }
  HGRID_HD double limit(index_t i, index_t j) const {
    if (!nearer) return HUGE_VAL;
    const Cutoffs& table = particles.cutoffs;
    if (table.types > 0) return table.distance[offset_t{table.type[i]} * table.types + table.type[j]];
    return particles.scaled_radius(i) + particles.scaled_radius(j);
  }
  HGRID_HD bool has_itself(index_t i) const { return itself && 0 < limit(i, i); }
};

/// Where entries are written, columns that are not wanted being null: particle and neighbour of each, image in either form,
/// distance and vector.
struct EntryColumns {
  std::int64_t *particles, *neighbours;
  Image* images;
  std::int64_t* wide_images;  // of as many axes as there are
  double *distances, *vectors;
  bool past_caches = false;  ///< on hosts, written so, because there are more than caches hold

  /// Of an entry.
  std::size_t bytes(int dimension) const {
    const auto axes = static_cast<std::size_t>(dimension);
    return 16 + (images == nullptr ? 0 : sizeof(Image)) + (wide_images == nullptr ? 0 : 8 * axes) +
           (distances == nullptr ? 0 : 8) + (vectors == nullptr ? 0 : 8 * axes);
  }
};

/// Where the entries of all lists are written, one list after the other.
struct EntryOutput {
  offset_t* offsets;                         ///< [lists + 1]
  FunctionRef<EntryColumns(offset_t)> room;  ///< columns for that many; those of before are then worth nothing
};

}  // namespace hgrid::inline v0_2::detail
