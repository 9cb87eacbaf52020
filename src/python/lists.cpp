// SPDX-License-Identifier: BSD-3-Clause
// Pairs and neighbor lists as Python gets them.
#include <utility>

#include "python/answers.hpp"
#include "python/predicate.hpp"

namespace hgrid::python {

static nb::dlpack::dtype real_of(std::int32_t type) { return type == HGRID_FLOAT32 ? nb::dtype<float>() : nb::dtype<double>(); }

nb::tuple pairs(Grid& g, int order, bool shifts, bool distances, bool vectors, std::uintptr_t ask, std::uintptr_t context,
                int dimension) {
  Predicate asked(g, ask, context);
  const hgrid_predicate predicate = asked.get();
  auto list = sized<hgrid_pair_list>();
  std::int32_t real = HGRID_FLOAT64;
  std::pair<void*, Memory> S, d, D;
  const Memory memory = asked.search([&] {
    return g.run([&] {
      g.door().require(asked.is_none() ? g.door().pairs(g.get(), order, &list)
                                       : g.door().touching_pairs(g.get(), order, &predicate, &list));
      Memory kept = g.keep();
      if (shifts && list.images == nullptr) S = g.zeros(list.size * dimension * 4);
      if (!distances && !vectors) return kept;
      const hgrid_particles& built = g.built();
      real = built.positions.type == HGRID_FLOAT32 ? HGRID_FLOAT32 : HGRID_FLOAT64;
      auto m = sized<hgrid_measured>();
      m.positions = built.positions, m.pairs = there(list.pairs, HGRID_INT32, {list.size, 2});
      if (list.images != nullptr) m.images = there(list.images, HGRID_INT32, {list.size, 3});
      const std::int64_t bytes = real == HGRID_FLOAT32 ? 4 : 8;
      if (distances) m.distances = there((d = g.allocate(bytes * list.size)).first, real, {list.size});
      if (vectors) m.vectors = there((D = g.allocate(bytes * dimension * list.size)).first, real, {list.size, dimension});
      g.door().require(g.door().measure(g.get(), &m));
      return kept;
    });
  });
  const Place& place = g.place();
  const auto n = static_cast<std::size_t>(list.size), columns = static_cast<std::size_t>(dimension);
  const auto here = [&](const void* data) { return n > 0 ? data : nullptr; };
  const bool own_shifts = list.images != nullptr;
  if (own_shifts) S = {const_cast<std::int32_t*>(list.images), memory};
  return nb::make_tuple(place.give(here(list.pairs), nb::dtype<std::int32_t>(), {n, 2}, memory),
                        or_none(own_shifts || shifts,
                                [&] {
                                  return place.give(here(S.first), nb::dtype<std::int32_t>(), {n, columns}, S.second,
                                                    {own_shifts ? 3 : dimension, 1});
                                }),
                        or_none(distances, [&] { return place.give(here(d.first), real_of(real), {n}, d.second); }),
                        or_none(vectors, [&] {
                          return place.give(here(D.first), real_of(real), {n, columns}, D.second);
                        }));
}

nb::tuple rows(const Place& place, const hgrid_neighbour_list& list, const std::array<Memory, 3>& memory, int dimension) {
  const std::int64_t n = list.size;
  return nb::make_tuple(
      place.give(list.offsets, {list.lists + 1}, memory[0]), place.give(n > 0 ? list.neighbours : nullptr, {n}, memory[1]),
      or_none(list.images != nullptr, [&] { return place.table(n > 0 ? list.images : nullptr, n, 3, dimension, memory[2]); }));
}

template <class Call>
static nb::tuple kept_rows(Grid& g, Grid& other, int dimension, const Call& call) {
  auto list = sized<hgrid_neighbour_list>();
  const Memory memory = g.run_with(other, [&] {
    g.door().require(call(&list));
    return g.keep();
  });
  return rows(g.place(), list, {memory, memory, memory}, dimension);
}

// Returns the rows of a result, or only their offsets: the grid then keeps the list, and fills it again.
template <class Call>
static nb::tuple answered(Grid& g, Grid& other, bool counts, int dimension, const Call& call) {
  if (!counts) return kept_rows(g, other, dimension, call);
  auto list = sized<hgrid_neighbour_list>();
  const auto [offsets, memory] = g.run_with(other, [&] {
    g.door().require(call(&list));
    return g.copy_of(list.offsets, list.lists + 1);
  });
  return nb::make_tuple(g.place().give(offsets, {list.lists + 1}, memory), nb::none(), nb::none());
}

nb::tuple neighbours(Grid& g, int kind, std::uintptr_t ask, std::uintptr_t context, int dimension) {
  Predicate asked(g, ask, context);
  const hgrid_predicate predicate = asked.get();
  return asked.search([&] {
    return kept_rows(g, g, dimension, [&](auto* out) {
      return asked.is_none() ? g.door().neighbours(g.get(), kind, out)
                             : g.door().touching_neighbours(g.get(), kind, &predicate, out);
    });
  });
}

nb::tuple packed_neighbours(Grid& g, int kind) {
  auto list = sized<hgrid_packed_list>();
  const Memory memory = g.run([&] {
    g.door().require(g.door().packed_neighbours(g.get(), kind, &list));
    return g.keep();
  });
  const std::int64_t n = list.size;
  const auto* const entries = reinterpret_cast<const std::int64_t*>(n > 0 ? list.entries : nullptr);
  return nb::make_tuple(g.place().give(list.offsets, {list.lists + 1}, memory), g.place().give(entries, {n}, memory),
                        or_none(list.periods != nullptr,
                                [&] {
                                  return g.place().give(list.periods, {list.lists, 3}, memory);
                                }),
                        list.periodic != 0);
}

nb::tuple query(Grid& g, const Array& lo, const Array& hi, const Array& radius, double one_radius, const Array& world, int take,
                double radius_scale, bool counts, int dimension) {
  auto regions = sized<hgrid_regions>();
  regions.lo = array_of(lo), regions.hi = array_of(hi), regions.radius = array_of(radius), regions.world = array_of(world);
  regions.one_radius = one_radius, regions.take = take, regions.radius_scale = radius_scale;
  return answered(g, g, counts, dimension, [&](auto* out) { return g.door().query(g.get(), &regions, out); });
}

nb::tuple between(Grid& g, Grid& asking, const Array& pairs, const Array& begin, const Array& ids, bool counts, int dimension) {
  const hgrid_array these = array_of(pairs), from = array_of(begin), there = array_of(ids);
  return answered(g, asking, counts, dimension,
                  [&](auto* out) { return g.door().between_excluding(g.get(), asking.get(), &these, &from, &there, out); });
}

}  // namespace hgrid::python
