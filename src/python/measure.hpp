// SPDX-License-Identifier: BSD-3-Clause
// Distances of pairs as other codes of Python compute them, D = x_j - x_i + S cell, and lists of those below a limit.
#pragma once

#include <cmath>

#include "hgrid/core/contact.hpp"
#include "python/results.hpp"

namespace hgrid::python {

/// Vectors from i to j. `cell` has the vectors of the box in rows, zeros where it is open.
template <class Real, int D>
struct Measure {
  Particles<Real, D> particles;
  Vec<Vec<double, D>, D> cell;

  Vec<double, D> vector(index_t i, index_t j, const Image& image) const {
    Vec<double, D> d;
    for (int k = 0; k < D; ++k) {
      double shift = 0;
      for (int axis = 0; axis < D; ++axis) shift += image[axis] * cell[axis][k];
      d[k] = particles.coordinate(j, k) - particles.coordinate(i, k) + shift;
    }
    return d;
  }
  static double length(const Vec<double, D>& d) {
    double sum = 0;
    for (int k = 0; k < D; ++k) sum += d[k] * d[k];
    return std::sqrt(sum);
  }
};

/// Adds distances and vectors to columns of pairs.
template <class Exec, class Real, int D>
void add_distances(const Exec& exec, const Measure<Real, D>& measure, bool distances, bool vectors, PairColumnsOf& columns) {
  Room<double> d(exec, distances ? columns.size : 0), v(exec, vectors ? D * columns.size : 0);
  const auto view = columns_of(reinterpret_cast<const Pair*>(columns.ids.data),
                               reinterpret_cast<const Image*>(columns.images.data), columns.size);
  double *const to_d = d.data(), *const to_v = v.data();
  exec.for_each("hgrid::measure_pairs", columns.size, [=, &measure](offset_t k) {
    const Contact c = view[k];
    const Vec<double, D> from_i = measure.vector(c.i, c.j, c.image);
    if (distances) to_d[k] = measure.length(from_i);
    for (int a = 0; a < D && vectors; ++a) to_v[D * k + a] = from_i[a];
  });
  columns.distances = d.numbers(), columns.vectors = v.numbers();
}

/// Which entries of lists are wanted, and what of them.
struct EntriesAsked {
  bool itself = false;    ///< each particle is a neighbour of itself, too
  double cutoff = -1;     ///< those nearer than that; negative: see `radii`
  bool radii = false;     ///< those nearer than r_i + r_j, or than the cut-off of their types; false, and no cut-off: all
  int row_of_centre = 0;  ///< of the two rows of ids, that of the particle whose list it is
  bool images = false, distances = false, vectors = false;
};

/// The entries of a neighbour list that are wanted.
template <class Exec, class Real, int D>
class EntriesFrom {
 public:
  EntriesFrom(const Measure<Real, D>& measure, const ListView& list, const EntriesAsked& asked)
      : measure_(measure), list_(list), asked_(asked) {}

  Entries take(const Exec& exec) const {
    Room<offset_t> begins(exec, list_.lists + 1);
    offset_t* const begin = begins.data();
    exec.for_each_item("hgrid::count_entries", items(), [&](offset_t item) {
      for_each_list(item, [&](index_t i) {
        offset_t n = 0;
        for_each_entry(i, [&](index_t, const Image&, const Vec<double, D>&, double) { ++n; });
        begin[i] = n;
      });
    });
    exec.exclusive_scan("hgrid::scan_entries", begin, list_.lists);
    const offset_t size = begin[list_.lists];
    Room<std::int64_t> ids(exec, 2 * size);
    Room<std::int32_t> images(exec, asked_.images ? 3 * size : 0);
    Room<double> distances(exec, asked_.distances ? size : 0), vectors(exec, asked_.vectors ? D * size : 0);
    std::int64_t* const centres = ids.data() + asked_.row_of_centre * size;
    std::int64_t* const others = ids.data() + (1 - asked_.row_of_centre) * size;
    exec.for_each_item("hgrid::write_entries", items(), [&](offset_t item) {
      for_each_list(item, [&](index_t i) {
        offset_t to = begin[i];
        for_each_entry(i, [&](index_t j, const Image& image, const Vec<double, D>& d, double length) {
          centres[to] = i, others[to] = j;
          for (int a = 0; a < 3 && asked_.images; ++a) images.data()[3 * to + a] = image[a];
          if (asked_.distances) distances.data()[to] = length;
          for (int a = 0; a < D && asked_.vectors; ++a) vectors.data()[D * to + a] = d[a];
          ++to;
        });
      });
    });
    return {ids.numbers(), size, images.numbers(), distances.numbers(), vectors.numbers()};
  }

 private:
  static constexpr offset_t lists_per_item = 64;
  offset_t items() const { return (list_.lists + lists_per_item - 1) / lists_per_item; }

  template <class F>
  void for_each_list(offset_t item, const F& f) const {
    const offset_t end = (item + 1) * lists_per_item;
    for (offset_t i = item * lists_per_item; i < (end < list_.lists ? end : list_.lists); ++i) f(static_cast<index_t>(i));
  }

  template <class F>
  void for_each_entry(index_t i, const F& f) const {
    if (asked_.itself && 0 < limit(i, i)) f(i, Image{}, Vec<double, D>{}, 0.0);
    for (offset_t k = list_.offsets[i]; k < list_.offsets[i + 1]; ++k) {
      const index_t j = list_.neighbours[k];
      const Vec<double, D> d = measure_.vector(i, j, list_.image(k));
      const double length = measure_.length(d);
      if (length < limit(i, j)) f(j, list_.image(k), d, length);
    }
  }

  double limit(index_t i, index_t j) const {
    const Particles<Real, D>& p = measure_.particles;
    if (asked_.cutoff >= 0) return asked_.cutoff;
    if (!asked_.radii) return HUGE_VAL;
    const Cutoffs& table = p.cutoffs;
    if (table.types > 0) return table.distance[offset_t{table.type[i]} * table.types + table.type[j]];
    return p.scaled_radius(i) + p.scaled_radius(j);
  }

  const Measure<Real, D>& measure_;
  ListView list_;
  EntriesAsked asked_;
};

}  // namespace hgrid::python
