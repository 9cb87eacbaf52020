// SPDX-License-Identifier: BSD-3-Clause
// Distances of pairs as codes of Python compute them, and the entries of a list that are nearer than a limit: for the doors to
// C and to Python.
#pragma once

#include "hgrid/lists.hpp"

namespace hgrid::inline v0_1::detail {

/// The vectors of a box in rows, zeros where it is open.
template <int D>
using BoxVectors = Vec<Vec<double, D>, D>;

/// Vectors x_j - x_i + m L, from i to j. `Positions` has coordinate(i, k).
template <class Positions, int D>
struct Measure {
  Positions positions;
  BoxVectors<D> box;

  HGRID_HD Vec<double, D> vector(offset_t i, offset_t j, const Image& image) const {
    Vec<double, D> d;
    for (int k = 0; k < D; ++k) {
      double shift = 0;
      for (int axis = 0; axis < D; ++axis) shift += mul_rn(image[axis], box[axis][k]);
      d[k] = positions.coordinate(j, k) - positions.coordinate(i, k) + shift;
    }
    return d;
  }
  HGRID_HD static double length(const Vec<double, D>& d) {
    double sum = 0;
    for (int k = 0; k < D; ++k) sum += mul_rn(d[k], d[k]);
    return std::sqrt(sum);
  }
};

/// The entries of a neighbour list that are wanted.
template <class Real, int D>
struct WantedEntries {
  Measure<Particles<Real, D>, D> measure;
  ListView list;
  bool itself;  ///< each particle is a neighbour of itself, too
  bool nearer;  ///< only those nearer than r_i + r_j, or than the cut-off of their types

  /// f(j, image, vector, distance) for those of particle i.
  template <class F>
  HGRID_HD void for_each(index_t i, const F& f) const {
    if (itself && 0 < limit(i, i)) f(i, Image{}, Vec<double, D>{}, 0.0);
    for (offset_t k = list.offsets[i]; k < list.offsets[i + 1]; ++k) {
      const index_t j = list.neighbours[k];
      const Vec<double, D> d = measure.vector(i, j, list.image(k));
      const double length = measure.length(d);
      if (length < limit(i, j)) f(j, list.image(k), d, length);
    }
  }

 private:
  HGRID_HD double limit(index_t i, index_t j) const {
    if (!nearer) return HUGE_VAL;
    const Particles<Real, D>& p = measure.positions;
    const Cutoffs& table = p.cutoffs;
    if (table.types > 0) return table.distance[offset_t{table.type[i]} * table.types + table.type[j]];
    return p.scaled_radius(i) + p.scaled_radius(j);
  }
};

template <class Real, int D>
struct CountWanted {
  WantedEntries<Real, D> wanted;
  offset_t* counts;

  HGRID_HD void operator()(offset_t list) const {
    offset_t n = 0;
    wanted.for_each(static_cast<index_t>(list), [&](index_t, const Image&, const Vec<double, D>&, double) { ++n; });
    counts[list] = n;
  }
};

/// Where entries are written, columns that are not wanted being null: particle and neighbour of each, image, distance and
/// vector.
struct EntryColumns {
  std::int64_t *particles, *neighbours;
  Image* images;
  double *distances, *vectors;
};

template <class Real, int D>
struct WriteWanted {
  WantedEntries<Real, D> wanted;
  const offset_t* offsets;
  EntryColumns to;

  HGRID_HD void operator()(offset_t list) const {
    offset_t at = offsets[list];
    wanted.for_each(static_cast<index_t>(list), [&](index_t j, const Image& image, const Vec<double, D>& d, double length) {
      to.particles[at] = list, to.neighbours[at] = j;
      if (to.images != nullptr) to.images[at] = image;
      if (to.distances != nullptr) to.distances[at] = length;
      for (int k = 0; k < D && to.vectors != nullptr; ++k) to.vectors[D * at + k] = d[k];
      ++at;
    });
  }
};

/// Writes the entries of all lists, one list after the other, into the columns that `room(number)` gives, and their offsets
/// [lists + 1]. Returns their number. Waits for it.
template <class Exec, class Real, int D, class Room>
offset_t write_entries(const Exec& exec, const WantedEntries<Real, D>& wanted, offset_t* offsets, const Room& room) {
  const offset_t lists = wanted.list.lists;
  exec.template reserve_scan<offset_t>(lists);
  exec.for_each("hgrid::count_entries", lists, CountWanted<Real, D>{wanted, offsets});
  exec.exclusive_scan("hgrid::scan_entries", offsets, lists);
  const offset_t size = exec.read_back(offsets + lists);
  const EntryColumns to = room(size);
  exec.for_each("hgrid::write_entries", lists, WriteWanted<Real, D>{wanted, offsets, to});
  return size;
}

}  // namespace hgrid::inline v0_1::detail
