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

  HGRID_HD Vec<double, D> position(offset_t i) const {
    Vec<double, D> x;
    for (int k = 0; k < D; ++k) x[k] = positions.coordinate(i, k);
    return x;
  }
  HGRID_HD Vec<double, D> vector(const Vec<double, D>& from, const Vec<double, D>& to, const Image& image) const {
    Vec<double, D> d;
    for (int k = 0; k < D; ++k) {
      double shift = 0;
      for (int axis = 0; axis < D; ++axis) shift += mul_rn(image[axis], box[axis][k]);
      d[k] = to[k] - from[k] + shift;
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

  /// How many there are before list i, if all are wanted.
  HGRID_HD offset_t most_before(offset_t i) const { return list.offsets[i] + (itself ? i : 0); }

  /// f(j, image, vector, distance) for those of particle i.
  template <class F>
  HGRID_HD void for_each(index_t i, const F& f) const {
    if (itself && 0 < limit(i, i)) f(i, Image{}, Vec<double, D>{}, 0.0);
    constexpr offset_t ahead = 16;  // because neighbours may lie anywhere in the user's arrays
    const offset_t all = list.offsets[list.lists];
    const Vec<double, D> from = measure.position(i);
    for (offset_t k = list.offsets[i], end = list.offsets[i + 1]; k < end; ++k) {
      const index_t j = list.neighbours[k];
      if (k + ahead < all) measure.positions.fetch(list.neighbours[k + ahead]);
      const Image image = list.image(k);
      const Vec<double, D> d = measure.vector(from, measure.position(j), image);
      const double length = measure.length(d);
      if (length < limit(i, j)) f(j, image, d, length);
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

/// Where entries are written, columns that are not wanted being null: particle and neighbour of each, image in either form,
/// distance and vector.
struct EntryColumns {
  std::int64_t *particles, *neighbours;
  Image* images;
  std::int64_t* wide_images;  // of as many axes as there are
  double *distances, *vectors;
};

template <class Real, int D>
struct WriteWanted {
  WantedEntries<Real, D> wanted;
  EntryColumns to;

  /// The entries of a list, from `at` on. Returns where they end.
  HGRID_HD offset_t write(index_t list, offset_t at) const {
    wanted.for_each(list, [&](index_t j, const Image& image, const Vec<double, D>& d, double length) {
      to.particles[at] = list, to.neighbours[at] = j;
      if (to.images != nullptr) to.images[at] = image;
      for (int k = 0; k < D && to.wide_images != nullptr; ++k) to.wide_images[D * at + k] = image[k];
      if (to.distances != nullptr) to.distances[at] = length;
      for (int k = 0; k < D && to.vectors != nullptr; ++k) to.vectors[D * at + k] = d[k];
      ++at;
    });
    return at;
  }
};

template <class Real, int D>
struct WriteCounted {
  WriteWanted<Real, D> entries;
  const offset_t* offsets;

  HGRID_HD void operator()(offset_t list) const { entries.write(static_cast<index_t>(list), offsets[list]); }
};

/// The same where all entries are expected to be wanted; they are counted along the way.
template <class Real, int D>
struct WriteExpected {
  WriteWanted<Real, D> entries;
  offset_t* counts;

  HGRID_HD void operator()(offset_t list) const {
    const offset_t from = entries.wanted.most_before(list);
    counts[list] = entries.write(static_cast<index_t>(list), from) - from;
  }
};

/// Writes the entries of all lists, one list after the other, into the columns that `room(number)` gives, and their offsets
/// [lists + 1]. Returns their number. Waits for it. `expects_all`: nearly always each entry is wanted, which spares a pass.
template <class Exec, class Real, int D, class Room>
offset_t write_entries(const Exec& exec, const WantedEntries<Real, D>& wanted, bool expects_all, offset_t* offsets,
                       const Room& room) {
  const offset_t lists = wanted.list.lists;
  const offset_t most = expects_all ? exec.read_back(wanted.list.offsets + lists) + (wanted.itself ? lists : 0) : 0;
  exec.template reserve_scan<offset_t>(lists);
  if (expects_all) {
    exec.for_each("hgrid::write_entries", lists, WriteExpected<Real, D>{{wanted, room(most)}, offsets});
  } else {
    exec.for_each("hgrid::count_entries", lists, CountWanted<Real, D>{wanted, offsets});
  }
  exec.exclusive_scan("hgrid::scan_entries", offsets, lists);
  const offset_t size = exec.read_back(offsets + lists);
  if (expects_all && size == most) return size;
  exec.for_each("hgrid::write_entries", lists, WriteCounted<Real, D>{{wanted, room(size)}, offsets});
  return size;
}

}  // namespace hgrid::inline v0_1::detail
