// SPDX-License-Identifier: BSD-3-Clause
// Entries of neighbor lists with distances, as codes of other languages compute them: which entries are wanted, and where they
// go.
#pragma once

#include "hgrid/core/function_ref.hpp"
#include "hgrid/core/region.hpp"

namespace hgrid::inline v0_2::detail {

/// The vectors of a box in rows; zeros along open axes.
template <int D>
using BoxVectors = Vec<Vec<double, D>, D>;

/// Returns the vector x_j - x_i + m L, from i to j.
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

/// The spheres and points of a query, as they are now, to whose lists particles belong.
template <int D>
struct MeasuredFrom {
  const Region<D>* spheres = nullptr;  ///< [lists], in the executor's memory
  offset_t lists = -1;                 ///< -1: there is no query, and the lists are of the particles themselves
  double radius_scale = 1;             ///< of particles' radii near them; 0 where centers count
  Cutoffs cutoffs = {};                ///< by type, if they are particles
};

/// Selects the entries of lists that are wanted.
template <class Real, int D>
struct WantedEntries {
  Particles<Real, D> particles;
  BoxVectors<D> box;
  const BoxVectors<D>* boxes;  ///< of worlds, in the executor's memory; null: all worlds have the box above
  bool itself;                 ///< each particle is also a neighbor of itself; false for lists of a query
  bool nearer;                 ///< keep only pairs nearer than r_i + r_j, or than the cut-off of their types
  bool expects_all;            ///< nearly always all entries are nearer, so a counting pass can be skipped
  MeasuredFrom<D> from = {};

  HGRID_HD bool of_query() const { return from.lists >= 0; }
  HGRID_HD Vec<double, D> position_of(index_t i) const { return of_query() ? from.spheres[i].lo : particles.position_of(i); }
  HGRID_HD const BoxVectors<D>& box_of(index_t i) const {
    if (boxes == nullptr) return box;
    return boxes[of_query() ? from.spheres[i].world : particles.world(i)];
  }
  HGRID_HD double limit(index_t i, index_t j) const {
    if (!nearer) return HUGE_VAL;
    if (of_query()) return limit_of_query(i, j);
    const Cutoffs& table = particles.cutoffs;
    if (table.types > 0) return table.distance[offset_t{table.type[i]} * table.types + table.type[j]];
    return particles.scaled_radius(i) + particles.scaled_radius(j);
  }
  /// Returns the limit of sphere i of the query and particle j: the smaller cut-off of both tables, if there are any.
  HGRID_HD double limit_of_query(index_t i, index_t j) const {
    const Cutoffs &table = particles.cutoffs, &of_i = from.cutoffs;
    if (table.types == 0) return from.spheres[i].radius + mul_rn(from.radius_scale, particles.scaled_radius(j));
    const offset_t at = offset_t{of_i.type[i]} * table.types + table.type[j];
    return std::fmin(of_i.distance[at], table.distance[at]);
  }
  HGRID_HD bool has_itself(index_t i) const { return itself && 0 < limit(i, i); }
};

/// Where entries are written: the particle and neighbor of each entry, its image in either form, distance and vector. Columns
/// that are not wanted are null.
struct EntryColumns {
  std::int64_t *particles, *neighbours;
  Image* images;
  std::int64_t* wide_images;  // [entries * axes]
  double *distances, *vectors;
  bool past_caches = false;  ///< on hosts: store past the caches, because the columns exceed them

  std::size_t bytes(int dimension) const {
    const auto axes = static_cast<std::size_t>(dimension);
    return 16 + (images == nullptr ? 0 : sizeof(Image)) + (wide_images == nullptr ? 0 : 8 * axes) +
           (distances == nullptr ? 0 : 8) + (vectors == nullptr ? 0 : 8 * axes);
  }
};

/// Where the entries of all lists are written, one list after the other.
struct EntryOutput {
  offset_t* offsets;                         ///< [lists + 1]
  FunctionRef<EntryColumns(offset_t)> room;  ///< returns columns for this number of entries; invalidates earlier columns
};

}  // namespace hgrid::inline v0_2::detail
