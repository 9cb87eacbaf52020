// SPDX-License-Identifier: BSD-3-Clause
#include "python/answers.hpp"

#include <utility>

namespace hgrid::python {
namespace {

template <class Make>
nb::object or_none(bool given, const Make& make) {
  return given ? make() : nb::none();
}

}  // namespace

hgrid_array there(const void* data, std::int32_t type, std::initializer_list<std::int64_t> shape) {
  hgrid_array array = hgrid_array_of(data, type, static_cast<int>(shape.size()), shape.begin(), nullptr);
  array.device_type = 0;  // where the grid works
  return array;
}

static nb::dlpack::dtype real_of(std::int32_t type) { return type == HGRID_FLOAT32 ? nb::dtype<float>() : nb::dtype<double>(); }

nb::tuple pairs(Grid& g, int order, bool shifts, bool distances, bool vectors, int dimension) {
  auto list = sized<hgrid_pair_list>();
  std::int32_t real = HGRID_FLOAT64;
  std::pair<void*, Memory> S, d, D;
  const Memory memory = g.run([&] {
    g.door().require(g.door().pairs(g.get(), order, &list));
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
static nb::tuple kept_rows(Grid& g, int dimension, const Call& call) {
  auto list = sized<hgrid_neighbour_list>();
  const Memory memory = g.run([&] {
    g.door().require(call(&list));
    return g.keep();
  });
  return rows(g.place(), list, {memory, memory, memory}, dimension);
}

nb::tuple neighbours(Grid& g, int kind, int dimension) {
  return kept_rows(g, dimension, [&](auto* out) { return g.door().neighbours(g.get(), kind, out); });
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
                double radius_scale, int dimension) {
  auto regions = sized<hgrid_regions>();
  regions.lo = array_of(lo), regions.hi = array_of(hi), regions.radius = array_of(radius), regions.world = array_of(world);
  regions.one_radius = one_radius, regions.take = take, regions.radius_scale = radius_scale;
  return kept_rows(g, dimension, [&](auto* out) { return g.door().query(g.get(), &regions, out); });
}

namespace {

// The status of a call for particle i of an array, which an error then names in place of the id that it would have had.
void require_of(const Grid& g, std::int64_t i, int status) {
  try {
    g.door().require(status);
  } catch (DoorError& e) {
    const std::string id = " of particle " + std::to_string(e.index) + " (";
    if (const std::size_t at = e.message.find(id); at != std::string::npos) {
      e.message.replace(at, id.size(), " of particle " + std::to_string(i) + " ("), e.index = i;
    }
    throw;
  }
}

// call(i, position, radius, world) gives a status, for each particle.
template <class Call>
void for_each_particle(const Grid& g, const Places& x, const Radii& r, const WorldsOf& world, const Call& call) {
  for (std::size_t i = 0; i < x.shape(0); ++i) {
    const std::int32_t of = world.is_valid() ? world.data()[i] : 0;
    require_of(g, static_cast<std::int64_t>(i), call(i, x.data() + i * x.shape(1), r.data()[i], of));
  }
}

}  // namespace

nb::object touches(Grid& g, const Places& x, const Radii& r, const WorldsOf& world) {
  const auto n = static_cast<std::int64_t>(x.shape(0));
  const auto [to, memory] = g.run([&] {
    auto room = g.allocate(n);
    for_each_particle(g, x, r, world, [&](std::size_t i, const double* at, double radius, std::int32_t of) {
      int found = 0;
      const int status = g.door().touches(g.get(), at, radius, of, &found);
      static_cast<std::uint8_t*>(room.first)[i] = static_cast<std::uint8_t>(found);
      return status;
    });
    return room;
  });
  return g.place().give(static_cast<std::uint8_t*>(n > 0 ? to : nullptr), {n}, memory);
}

nb::object insert(Grid& g, const Places& x, const Radii& r, const WorldsOf& world, bool if_free) {
  const auto n = static_cast<std::int64_t>(x.shape(0));
  const auto [to, memory] = g.run([&] {
    auto room = g.allocate(4 * n);
    int found = 0;  // nobody asks; but all of them are looked at before the first is inserted
    for_each_particle(g, x, r, world, [&](std::size_t, const double* at, double radius, std::int32_t of) {
      return g.door().touches(g.get(), at, radius, of, &found);
    });
    for_each_particle(g, x, r, world, [&](std::size_t i, const double* at, double radius, std::int32_t of) {
      std::int32_t& id = static_cast<std::int32_t*>(room.first)[i];
      return if_free ? g.door().insert_if_free(g.get(), at, radius, of, &id) : g.door().insert(g.get(), at, radius, of, &id);
    });
    return room;
  });
  return g.place().give(static_cast<std::int32_t*>(n > 0 ? to : nullptr), {n}, memory);
}

nb::tuple entries_of(const Place& place, const hgrid_entry_options& asked, const hgrid_entry_list& e, const Memory& memory,
                     int dimension, bool offsets) {
  const std::int64_t n = e.size;
  const auto here = [&](const auto* data) { return n > 0 ? data : nullptr; };
  return nb::make_tuple(place.give(here(e.ids), {2, n}, memory),
                        or_none(asked.images + asked.wide_images != 0,
                                [&] {
                                  return asked.images != 0 ? place.table(here(e.images), n, 3, dimension, memory)
                                                           : place.give(here(e.wide_images), {n, dimension}, memory);
                                }),
                        or_none(asked.distances != 0, [&] { return place.give(here(e.distances), {n}, memory); }),
                        or_none(asked.vectors != 0,
                                [&] {
                                  return place.give(here(e.vectors), {n, dimension}, memory);
                                }),
                        or_none(offsets, [&] { return place.give(e.offsets, {e.lists + 1}, memory); }));
}

hgrid_entry_options asked_for(int kind, bool itself, bool nearer, bool swapped, int images, bool distances, bool vectors) {
  auto asked = sized<hgrid_entry_options>();
  asked.kind = kind, asked.itself = itself, asked.all = !nearer, asked.swapped = swapped;
  asked.images = images == 32, asked.wide_images = images == 64, asked.distances = distances, asked.vectors = vectors;
  return asked;
}

nb::tuple entries(Grid& g, int kind, bool itself, bool nearer, bool swapped, int images, bool distances, bool vectors,
                  int dimension) {
  const hgrid_entry_options asked = asked_for(kind, itself, nearer, swapped, images, distances, vectors);
  auto found = sized<hgrid_entry_list>();
  const Memory memory = g.run([&] {
    g.door().require(g.door().entries(g.get(), &g.built(), &asked, &found));
    return g.keep();
  });
  return entries_of(g.place(), asked, found, memory, dimension);
}

nb::tuple near(Grid& g, const HeldBox& box, const Array& x, double radius, double lengths, int kind, bool itself, bool swapped,
               int images, bool distances, bool vectors, bool offsets, int dimension) {
  const HeldParticles points(x, radius);
  const hgrid_box given = box.get();
  const double rounding = lengths < 0 || x.shape(0) == 0 ? 0.0 : 0x1p-46 * (lengths + largest_of(x));
  const hgrid_entry_options asked = asked_for(kind, itself, true, swapped, images, distances, vectors);
  auto found = sized<hgrid_entry_list>();
  const Memory memory = g.run([&] {
    g.door().require(g.door().set_box(g.get(), &given));
    g.door().require(g.door().build(g.get(), &points.get(), std::isfinite(rounding) ? rounding : 0.0));
    g.door().require(g.door().entries(g.get(), &points.get(), &asked, &found));
    return g.keep();
  });
  return entries_of(g.place(), asked, found, memory, dimension, offsets);
}

nb::tuple matrix(Grid& g, int kind, std::int64_t width, std::int64_t padding, bool shifts, int dimension) {
  std::int64_t n = 0, longest = 0;
  std::pair<void*, Memory> neighbours, counts, images;
  const std::int64_t columns = g.run([&] {
    auto plan = sized<hgrid_plan_report>();
    g.door().require(g.door().plan(g.get(), &plan));
    n = plan.particles;
    counts = g.allocate(4 * n);
    const auto fill = [&](std::int64_t w) {
      auto m = sized<hgrid_neighbour_matrix>();
      neighbours = g.allocate(4 * n, w);
      m.neighbours = there(neighbours.first, HGRID_INT32, {n, w}), m.counts = there(counts.first, HGRID_INT32, {n});
      if (shifts || plan.periodic == 1) {
        images = g.allocate(12 * n, w);
        m.images = there(images.first, HGRID_INT32, {n, w, 3});
      }
      m.padding = padding;
      return g.door().matrix(g.get(), kind, &m, &longest);
    };
    const int status = fill(std::max<std::int64_t>(width, 0));
    if (status != HGRID_ERROR_CAPACITY || width >= 0) return g.door().require(status), std::max(width, longest);
    return g.door().require(fill(longest)), longest;
  });
  const Place& place = g.place();
  const auto here = [&](const auto& memory) { return n * columns > 0 ? static_cast<std::int32_t*>(memory.first) : nullptr; };
  const auto size = [](std::int64_t k) { return static_cast<std::size_t>(k); };
  return nb::make_tuple(place.give(here(neighbours), {n, columns}, neighbours.second),
                        place.give(n > 0 ? static_cast<std::int32_t*>(counts.first) : nullptr, {n}, counts.second),
                        or_none(shifts, [&] {
                          return place.give(here(images), nb::dtype<std::int32_t>(), {size(n), size(columns), size(dimension)},
                                            images.second, {3 * columns, 3, 1});
                        }));
}

nb::object put(Grid& g, const nb::ndarray<nb::ro, nb::c_contig, nb::device::cpu>& numbers) {
  const auto bytes = static_cast<std::int64_t>(numbers.nbytes());
  const auto [to, memory] = g.run([&] {
    auto room = g.allocate(bytes);
    g.door().require(g.door().copy(g.get(), room.first, numbers.data(), bytes, HGRID_FROM_HOST));
    return room;
  });
  return g.place().give(bytes > 0 ? to : nullptr, numbers.dtype(), {numbers.shape_ptr(), numbers.shape_ptr() + numbers.ndim()},
                        memory);
}

nb::object list_ids(Grid& g, const Array& offsets, std::int64_t size) {
  const auto [to, memory] = g.run([&] {
    auto room = g.allocate(4 * size);
    const hgrid_array begins = array_of(offsets), lists = there(room.first, HGRID_INT32, {size});
    g.door().require(g.door().list_ids(g.get(), &begins, &lists));
    return room;
  });
  return g.place().give(static_cast<std::int32_t*>(size > 0 ? to : nullptr), {size}, memory);
}

nb::tuple plan(Grid& g) {
  auto report = sized<hgrid_plan_report>();
  auto work = sized<hgrid_work_report>();
  std::vector<hgrid_level_report> levels;
  g.run([&] {
    g.door().require(g.door().plan(g.get(), &report));
    for (std::int32_t h = 0; h < report.levels; ++h) {
      levels.push_back(sized<hgrid_level_report>());
      g.door().require(g.door().level(g.get(), h, &levels.back()));
    }
    g.door().require(g.door().work(g.get(), &work));
  });
  nb::list of_levels;
  for (const hgrid_level_report& l : levels) {
    of_levels.append(nb::make_tuple(l.radius_max, l.radius_bound,
                                    nb::make_tuple(l.cell_size[0], l.cell_size[1], l.cell_size[2]), l.particles));
  }
  const bool on_host = g.place().device_type == 1;
  return nb::make_tuple(of_levels, report.direction, report.keys, report.table,
                        report.table == HGRID_DENSE ? report.dense_cost : report.compacted_cost, work.candidates, work.rows,
                        report.particles, report.skipped, report.skin, report.bytes, on_host ? report.threads : 0,
                        on_host ? g.door().instructions() : "cuda");
}

}  // namespace hgrid::python
