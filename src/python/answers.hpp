// SPDX-License-Identifier: BSD-3-Clause
// Results of a grid as arrays that own their memory.
#pragma once

#include "python/grid.hpp"

namespace hgrid::python {

/// Returns (ij, S, d, D), with None for quantities that were not wanted; S only if there is one. ask, context: the addresses of
/// a compiled predicate and of its context; 0: none.
nb::tuple pairs(Grid& g, int order, bool shifts, bool distances, bool vectors, std::uintptr_t ask, std::uintptr_t context,
                int dimension);
/// Returns (offsets, neighbours, shifts or None).
nb::tuple neighbours(Grid& g, int kind, std::uintptr_t ask, std::uintptr_t context, int dimension);
/// Returns (offsets, entries, periods or None, whether there are images).
nb::tuple packed_neighbours(Grid& g, int kind);
/// Returns (offsets, neighbours, shifts or None); with counts only the offsets.
nb::tuple between(Grid& g, Grid& asking, const Array& pairs, const Array& begin, const Array& ids, bool counts, int dimension);
nb::tuple query(Grid& g, const Array& lo, const Array& hi, const Array& radius, double one_radius, const Array& world, int take,
                double radius_scale, bool counts, int dimension);
/// Numbers on the host for particles that are tested one by one; there may be no worlds.
using Places = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Radii = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using WorldsOf = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
/// Returns (ids, distances, images) of the k nearest of each point, or of each particle if there are no points; images may be
/// None. With counts returns only how many of the k there are.
nb::tuple nearest(Grid& g, const Places& x, const WorldsOf& world, int k, bool by_surfaces, double within, bool images,
                  bool counts, int dimension);
/// Returns 1 or 0 for each particle: whether it touches.
nb::object touches(Grid& g, const Places& x, const Radii& r, const WorldsOf& world);
/// Returns the id of each; with if_free, -1 for a particle that touches another. If the input of one is bad, none is inserted.
nb::object insert(Grid& g, const Places& x, const Radii& r, const WorldsOf& world, bool if_free);
/// Returns (ids, S, d, D, offsets), with None for quantities that were not wanted. images: 32 or 64 bits, or 0.
nb::tuple entries(Grid& g, int kind, bool itself, bool nearer, bool swapped, int images, bool distances, bool vectors,
                  int dimension);
/// Returns these entries for points nearer than twice the radius in that box; offsets only if wanted. Keeps none of the points'
/// arrays. lengths: the measure of rounding of hgrid/_lists.py, without the points; below 0 in an open box.
nb::tuple near(Grid& g, const HeldBox& box, const Array& x, double radius, double lengths, int kind, bool itself, bool swapped,
               int images, bool distances, bool vectors, bool offsets, int dimension);
/// Returns (neighbours, counts, shifts or None); a width below 0 means the length of the longest list.
nb::tuple matrix(Grid& g, int kind, std::int64_t width, std::int64_t padding, bool shifts, int dimension);
/// Copies numbers of the host to where the grid works.
nb::object put(Grid& g, const nb::ndarray<nb::ro, nb::c_contig, nb::device::cpu>& numbers);
/// Returns the list of each of `size` entries.
nb::object list_ids(Grid& g, const Array& offsets, std::int64_t size);
/// Returns the plan in the order of hgrid.Plan; levels, direction, keys and table as in hgrid.h.
nb::tuple plan(Grid& g);

/// Returns arrays of a neighbor list whose own arrays are in that memory.
nb::tuple rows(const Place& place, const hgrid_neighbour_list& list, const std::array<Memory, 3>& memory, int dimension);
hgrid_entry_options asked_for(int kind, bool itself, bool nearer, bool swapped, int images, bool distances, bool vectors);
nb::tuple entries_of(const Place& place, const hgrid_entry_options& asked, const hgrid_entry_list& found, const Memory& memory,
                     int dimension, bool offsets = true);
/// Returns make(), or None unless it is wanted.
template <class Make>
nb::object or_none(bool given, const Make& make) {
  return given ? make() : nb::none();
}

/// Describes numbers in rows of that shape, where the grid works, for the C API to read or write.
hgrid_array there(const void* data, std::int32_t type, std::initializer_list<std::int64_t> shape);

}  // namespace hgrid::python
