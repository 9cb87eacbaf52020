// SPDX-License-Identifier: BSD-3-Clause
#include "python/answers.hpp"

#include <utility>

namespace hgrid::python {

hgrid_array there(const void* data, std::int32_t type, std::initializer_list<std::int64_t> shape) {
  hgrid_array array = hgrid_array_of(data, type, static_cast<int>(shape.size()), shape.begin(), nullptr);
  array.device_type = 0;  // where the grid works
  return array;
}

namespace {

// Returns the status of a call for particle i of an array. Its error then names i instead of the id that the particle would
// have had.
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

// Calls call(i, position, radius, world), which returns a status, for each particle.
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
    auto* const ids = static_cast<std::int32_t*>(room.first);
    // All particles are tested before the first is inserted. Particles that touch something then are not searched for again.
    for_each_particle(g, x, r, world, [&](std::size_t i, const double* at, double radius, std::int32_t of) {
      int found = 0;
      const int status = g.door().touches(g.get(), at, radius, of, &found);
      ids[i] = found != 0 ? -1 : 0;
      return status;
    });
    for_each_particle(g, x, r, world, [&](std::size_t i, const double* at, double radius, std::int32_t of) {
      if (!if_free) return g.door().insert(g.get(), at, radius, of, &ids[i]);
      return ids[i] < 0 ? HGRID_OK : g.door().insert_if_free(g.get(), at, radius, of, &ids[i]);
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
    const auto along_axes = [](const double(&v)[3]) { return nb::make_tuple(v[0], v[1], v[2]); };
    of_levels.append(
        nb::make_tuple(l.radius_max, l.radius_bound, along_axes(l.cell_size), l.particles, along_axes(l.extent_max)));
  }
  const bool on_host = g.place().device_type == 1;
  return nb::make_tuple(of_levels, report.direction, report.keys, report.table,
                        report.table == HGRID_DENSE ? report.dense_cost : report.compacted_cost, work.candidates, work.rows,
                        report.particles, report.skipped, report.skin, report.bytes, on_host ? report.threads : 0,
                        on_host ? g.door().instructions() : "cuda");
}

}  // namespace hgrid::python
