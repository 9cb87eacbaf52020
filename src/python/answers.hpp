// SPDX-License-Identifier: BSD-3-Clause
// What a grid answers, as arrays that own their memory.
#pragma once

#include "python/grid.hpp"

namespace hgrid::python {

/// (ij, S, d, D), of which those that were not asked for are None; S only if there is one.
/// ask, context: the addresses of a compiled predicate and of what it is given; 0: none.
nb::tuple pairs(Grid& g, int order, bool shifts, bool distances, bool vectors, std::uintptr_t ask, std::uintptr_t context,
                int dimension);
/// (offsets, neighbours, shifts or None)
nb::tuple neighbours(Grid& g, int kind, std::uintptr_t ask, std::uintptr_t context, int dimension);
/// (offsets, entries, periods or None, whether there are images)
nb::tuple packed_neighbours(Grid& g, int kind);
/// (offsets, neighbours, shifts or None); with counts the offsets alone.
nb::tuple between(Grid& g, Grid& asking, const Array& pairs, const Array& begin, const Array& ids, bool counts, int dimension);
nb::tuple query(Grid& g, const Array& lo, const Array& hi, const Array& radius, double one_radius, const Array& world, int take,
                double radius_scale, bool counts, int dimension);
/// Numbers of the host for particles that are asked one by one; worlds may be none.
using Places = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Radii = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using WorldsOf = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
/// (ids, distances, images) of the k nearest of each point, or of each particle if there are none; images may be None. With
/// counts how many of the k there are, alone.
nb::tuple nearest(Grid& g, const Places& x, const WorldsOf& world, int k, bool by_surfaces, double within, bool images,
                  bool counts, int dimension);
/// Whether each touches: 1 or 0.
nb::object touches(Grid& g, const Places& x, const Radii& r, const WorldsOf& world);
/// The id of each; -1 if it is not free, if that is asked. Nothing is inserted if the input of one of them is bad.
nb::object insert(Grid& g, const Places& x, const Radii& r, const WorldsOf& world, bool if_free);
/// (ids, S, d, D, offsets), of which those that were not asked for are None. images: 32 or 64 bits, or 0.
nb::tuple entries(Grid& g, int kind, bool itself, bool nearer, bool swapped, int images, bool distances, bool vectors,
                  int dimension);
/// The same of points nearer than twice the radius in that box; offsets, too, only if asked for. Nothing of the
/// points is held. lengths: that by which hgrid/_lists.py measures rounding, without the points; below 0 in an open box.
nb::tuple near(Grid& g, const HeldBox& box, const Array& x, double radius, double lengths, int kind, bool itself, bool swapped,
               int images, bool distances, bool vectors, bool offsets, int dimension);
/// (neighbours, counts, shifts or None); a width below 0 is that of the longest list.
nb::tuple matrix(Grid& g, int kind, std::int64_t width, std::int64_t padding, bool shifts, int dimension);
/// Numbers of the host, where the grid works.
nb::object put(Grid& g, const nb::ndarray<nb::ro, nb::c_contig, nb::device::cpu>& numbers);
/// The list of each of so many entries.
nb::object list_ids(Grid& g, const Array& offsets, std::int64_t size);
/// In the order of hgrid.Plan; levels, direction, keys and table as hgrid.h has them.
nb::tuple plan(Grid& g);

/// Arrays of a neighbour list whose own ones lie in that memory.
nb::tuple rows(const Place& place, const hgrid_neighbour_list& list, const std::array<Memory, 3>& memory, int dimension);
hgrid_entry_options asked_for(int kind, bool itself, bool nearer, bool swapped, int images, bool distances, bool vectors);
nb::tuple entries_of(const Place& place, const hgrid_entry_options& asked, const hgrid_entry_list& found, const Memory& memory,
                     int dimension, bool offsets = true);
/// None, unless it was asked for.
template <class Make>
nb::object or_none(bool given, const Make& make) {
  return given ? make() : nb::none();
}

/// Numbers in rows of that shape, where the grid works, for the door to read or write.
hgrid_array there(const void* data, std::int32_t type, std::initializer_list<std::int64_t> shape);

}  // namespace hgrid::python
