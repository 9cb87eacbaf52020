// SPDX-License-Identifier: BSD-3-Clause
// Distances of pairs, and entries of lists, in memory that Python owns.
#pragma once

#include "hgrid/loop/measured_lists.hpp"
#include "python/results.hpp"

namespace hgrid::python {

template <class Real, int D>
using Measure = detail::Measure<Particles<Real, D>, D>;

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
  bool nearer = false;    ///< those nearer than r_i + r_j, or than the cut-off of their types; false: all
  int row_of_centre = 0;  ///< of the two rows of ids, that of the particle whose list it is
  bool images = false, distances = false, vectors = false;
};

template <class Exec, class Real, int D>
Entries entries_of(const Exec& exec, const Measure<Real, D>& measure, const ListView& list, const EntriesAsked& asked) {
  Entries e;
  Room<std::int64_t> offsets(exec, offset_t{list.lists} + 1);
  const auto room = [&](offset_t size) {
    Room<std::int64_t> ids(exec, 2 * size);
    Room<std::int32_t> images(exec, asked.images ? 3 * size : 0);
    Room<double> distances(exec, asked.distances ? size : 0), vectors(exec, asked.vectors ? D * size : 0);
    e = {ids.numbers(), size, images.numbers(), distances.numbers(), vectors.numbers(), offsets.numbers()};
    return detail::EntryColumns{ids.data() + asked.row_of_centre * size, ids.data() + (1 - asked.row_of_centre) * size,
                                asked.images ? reinterpret_cast<Image*>(images.data()) : nullptr,
                                asked.distances ? distances.data() : nullptr, asked.vectors ? vectors.data() : nullptr};
  };
  detail::write_entries(exec, detail::WantedEntries<Real, D>{measure, list, asked.itself, asked.nearer}, offsets.data(), room);
  return e;
}

}  // namespace hgrid::python
