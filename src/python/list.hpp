// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "python/answers.hpp"

namespace hgrid::python {

using Held = std::shared_ptr<Grid>;

/// A list whose entries follow the previous list, with its grid, whose turn it uses.
template <class Self>
class Followed {
 public:
  /// Returns the sizes of the list and of the previous one.
  std::pair<std::int64_t, std::int64_t> sizes() {
    auto history = sized<hgrid_history>();
    run([&](const Door& door) { door.require(self().history_of(door, &history)); });
    return {history.size, history.size_before};
  }

  /// Returns where each entry was in the previous list, or -1, and the size of that list.
  nb::tuple origins() {
    auto history = sized<hgrid_history>();
    std::pair<const std::int64_t*, Memory> from;
    run([&](const Door& door) {
      door.require(self().history_of(door, &history));
      from = grid_->copy_of(history.from, history.size);
    });
    return nb::make_tuple(grid_->place().give(history.size > 0 ? from.first : nullptr, {history.size}, from.second),
                          history.size_before);
  }

  /// Brings values [entries of the previous list, ...] without gaps to this list; a first list has none. `fresh` has the bytes
  /// of one number for new pairs, or is None: zeros.
  nb::object carry(const Array& values, const nb::object& fresh) {
    const nb::dlpack::dtype type = values.is_valid() ? values.dtype() : nb::dtype<double>();
    std::vector<std::size_t> shape{0};
    if (values.is_valid()) shape.assign(values.shape_ptr(), values.shape_ptr() + values.ndim());
    std::int64_t each = 1;
    for (std::size_t k = shape.size(); k-- > 1;) {
      if (shape[k] > 1 && values.stride(k) != each) refuse_strides();
      each *= static_cast<std::int64_t>(shape[k]);
    }
    const std::int64_t n = shape.empty() ? 0 : static_cast<std::int64_t>(shape[0]);
    if (n > 1 && values.stride(0) != each) refuse_strides();
    const std::int32_t number = HGRID_TYPE(type.code, type.bits, type.lanes);
    const void* const one = fresh.is_none() ? nullptr : nb::borrow<nb::bytes>(fresh).data();
    auto history = sized<hgrid_history>();
    std::pair<void*, Memory> to;
    run([&](const Door& door) {
      door.require(self().history_of(door, &history));
      if (n != history.size_before) {
        throw DoorError{.code = "size_mismatch",
                        .message = "values has " + std::to_string(n) + (n == 1 ? " entry" : " entries") +
                                   "; the list before this one had " + std::to_string(history.size_before),
                        .argument = "values",
                        .value = static_cast<double>(n)};
      }
      to = grid_->allocate(history.size * each * (type.bits / 8));
      const void* const from = n > 0 ? values.data() : nullptr;
      const hgrid_array before = there(from, number, {n, each}), now = there(to.first, number, {history.size, each});
      door.require(self().carry_by(door, &before, &now, one));
    });
    shape[0] = static_cast<std::size_t>(history.size);
    return grid_->place().give(history.size * each > 0 ? to.first : nullptr, type, shape, to.second);
  }

 protected:
  explicit Followed(Held grid) : grid_(std::move(grid)) {}
  template <class F>
  void run(const F& f) {
    grid_->run([&] { f(grid_->door()); });
  }

  Held grid_;

 private:
  Self& self() { return static_cast<Self&>(*this); }
  [[noreturn]] static void refuse_strides() {
    throw DoorError{.code = "unsupported", .message = "values has strides; copy it into one piece", .argument = "values"};
  }
};

/// A list for a time loop.
class List : public Followed<List> {
 public:
  List(Held grid, int kind, double skin, bool choose_skin, bool rebuild, int check_every, bool wrapped)
      : Followed(std::move(grid)) {
    auto options = sized<hgrid_verlet_options>();
    options.kind = kind, options.skin = skin, options.choose_skin = choose_skin, options.no_rebuild = !rebuild;
    options.check_every = check_every, options.wrapped = wrapped;
    run([&](const Door& door) { door.require(door.verlet_create(grid_->get(), &options, &list_)); });
    owner_ = {list_, [held = grid_](hgrid_verlet* list) { held->door().verlet_destroy(list); }};
  }
  List(const List&) = delete;

  /// `widened` has the particles with margins, or is null.
  bool update(const HeldParticles& now, const HeldParticles* widened) {
    int rebuilt = 0;
    run([&](const Door& door) {
      door.require(door.verlet_update(list_, &now.get(), widened == nullptr ? nullptr : &widened->get(), &rebuilt));
    });
    return rebuilt != 0;
  }
  void build(const HeldParticles& particles) {
    run([&](const Door& door) { door.require(door.verlet_build(list_, &particles.get())); });
  }

  /// Captures an update in a graph, or updates at once if nothing is captured.
  void enqueue(const HeldParticles& now) {
    run([&](const Door& door) { door.require(door.verlet_enqueue_update(list_, &now.get(), nullptr)); });
  }
  /// Returns whether updates must be captured, at first or again.
  bool wait(const HeldParticles& now) {
    int capture = 0;
    run([&](const Door& door) { door.require(door.verlet_wait(list_, &now.get(), nullptr, &capture)); });
    return capture != 0;
  }
  /// Returns (offsets, neighbours, shifts or None, status, graph): the list's memory, to which graphs write, with its room, and
  /// the guard of hgrid.h. The arrays keep the list alive.
  nb::tuple in_graphs(int dimension) {
    auto list = sized<hgrid_neighbour_list>();
    auto guard = sized<hgrid_list_guard>();
    run([&](const Door& door) {
      door.require(door.verlet_neighbours(list_, &list));
      door.require(door.verlet_guard(list_, &guard));
    });
    const Memory memory(owner_, nullptr);
    const Place& place = grid_->place();
    return nb::make_tuple(
        place.give(list.offsets, {list.lists + 1}, memory), place.give(list.neighbours, {guard.room}, memory),
        or_none(list.images != nullptr, [&] { return place.table(list.images, guard.room, 3, dimension, memory); }),
        place.give(guard.status, {2}, memory), guard.graph);
  }

  nb::tuple neighbours(int dimension) {
    auto list = sized<hgrid_neighbour_list>();
    std::array<Memory, 3> memory;
    run([&](const Door& door) {  // copies, because the list's memory is reused
      door.require(door.verlet_neighbours(list_, &list));
      std::tie(list.offsets, memory[0]) = grid_->copy_of(list.offsets, list.lists + 1);
      std::tie(list.neighbours, memory[1]) = grid_->copy_of(list.neighbours, list.size);
      if (list.images != nullptr && list.size > 0)
        std::tie(list.images, memory[2]) = grid_->copy_of(list.images, 3 * list.size);
    });
    return rows(grid_->place(), list, memory, dimension);
  }

  /// Returns [n, dimension], or None unless positions may be wrapped.
  nb::object periods(int dimension) {
    const std::int32_t* at = nullptr;
    auto list = sized<hgrid_neighbour_list>();
    std::pair<const std::int32_t*, Memory> copy;
    run([&](const Door& door) {
      door.require(door.verlet_periods(list_, &at));
      door.require(door.verlet_neighbours(list_, &list));
      if (at != nullptr) copy = grid_->copy_of(at, 3 * list.lists);
    });
    if (at == nullptr) return nb::none();
    return grid_->place().table(list.lists > 0 ? copy.first : nullptr, list.lists, 3, dimension, copy.second);
  }

  nb::tuple entries(const HeldParticles& now, bool nearer, int images, bool distances, bool vectors, int dimension) {
    auto list = sized<hgrid_neighbour_list>();
    hgrid_entry_options asked = asked_for(HGRID_FULL, false, nearer, false, images, distances, vectors);
    asked.list = &list;
    auto found = sized<hgrid_entry_list>();
    Memory memory;
    run([&](const Door& door) {
      door.require(door.verlet_neighbours(list_, &list));
      door.require(door.entries(grid_->get(), &now.get(), &asked, &found));
      memory = grid_->keep();
    });
    return entries_of(grid_->place(), asked, found, memory, dimension);
  }

  nb::tuple counters() {
    auto c = sized<hgrid_verlet_counters>();
    run([&](const Door& door) { door.require(door.verlet_counts(list_, &c)); });
    return nb::make_tuple(c.steps, c.checks, c.builds, c.dangerous, c.overtaken, c.disorder, c.skin, c.wrapped);
  }

  nb::bytes save() { return grid_->saved(grid_->door().verlet_save, list_); }
  void restore(const nb::bytes& bytes) {
    const void* const data = bytes.data();
    const auto size = static_cast<std::int64_t>(bytes.size());
    run([&](const Door& door) { door.require(door.verlet_restore(list_, data, size)); });
  }

  int history_of(const Door& door, hgrid_history* out) { return door.verlet_history(list_, out); }
  int carry_by(const Door& door, const hgrid_array* before, const hgrid_array* now, const void* fresh) {
    return door.verlet_carry(list_, before, now, fresh);
  }

 private:
  hgrid_verlet* list_ = nullptr;
  std::shared_ptr<hgrid_verlet> owner_;
};

/// A wall of triangles.
class Mesh : public Followed<Mesh> {
 public:
  Mesh(Held grid, const Array& vertices, const Array& corners) : Followed(std::move(grid)) {
    auto given = sized<hgrid_triangles>();
    given.vertices = array_of(vertices), given.corners = array_of(corners);
    run([&](const Door& door) { door.require(door.mesh_create(grid_->get(), &given, &mesh_)); });
  }
  Mesh(const Mesh&) = delete;
  ~Mesh() { grid_->door().mesh_destroy(mesh_); }

  /// Returns (offsets, particles, shifts or None, points).
  nb::tuple contacts(const HeldParticles& now, double margin) {
    auto found = sized<hgrid_wall_list>();
    auto list = sized<hgrid_neighbour_list>();
    std::array<Memory, 3> memory;
    std::pair<const double*, Memory> points;
    run([&](const Door& door) {  // copies, because the list's memory is reused
      door.require(door.mesh_contacts(mesh_, &now.get(), margin, &found));
      list.lists = found.lists, list.size = found.size, list.images = found.images;
      std::tie(list.offsets, memory[0]) = grid_->copy_of(found.offsets, found.lists + 1);
      std::tie(list.neighbours, memory[1]) = grid_->copy_of(found.neighbours, found.size);
      if (found.images != nullptr && found.size > 0)
        std::tie(list.images, memory[2]) = grid_->copy_of(found.images, 3 * found.size);
      points = grid_->copy_of(found.points, 3 * found.size);
    });
    const nb::tuple all = rows(grid_->place(), list, memory, 3);
    return nb::make_tuple(all[0], all[1], all[2], give_rows(points, found.size));
  }

  nb::object vertices() {
    double* at = nullptr;
    std::int64_t n = 0;
    std::pair<const double*, Memory> copy;
    run([&](const Door& door) {
      door.require(door.mesh_vertices(mesh_, &at, &n));
      copy = grid_->copy_of(at, 3 * n);
    });
    return give_rows(copy, n);
  }
  /// Takes numbers of the host.
  void move(const nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>& vertices) {
    const auto given = static_cast<std::int64_t>(vertices.shape(0));
    const bool threes = vertices.shape(1) == 3;
    const void* const from = vertices.data();
    double* at = nullptr;
    std::int64_t n = 0;
    run([&](const Door& door) {
      door.require(door.mesh_vertices(mesh_, &at, &n));
      if (given != n || !threes) {
        throw DoorError{.code = "size_mismatch",
                        .message = "the mesh has " + std::to_string(n) + " vertices, with three coordinates each",
                        .argument = "vertices",
                        .count = given,
                        .needed = n};
      }
      door.require(door.copy(grid_->get(), at, from, 24 * n, HGRID_FROM_HOST));
    });
  }

  int history_of(const Door& door, hgrid_history* out) { return door.mesh_history(mesh_, out); }
  int carry_by(const Door& door, const hgrid_array* before, const hgrid_array* now, const void* fresh) {
    return door.mesh_carry(mesh_, before, now, fresh);
  }

 private:
  nb::object give_rows(const std::pair<const double*, Memory>& numbers, std::int64_t n) {
    return grid_->place().give(n > 0 ? numbers.first : nullptr, {n, 3}, numbers.second);
  }

  hgrid_mesh* mesh_ = nullptr;
};

}  // namespace hgrid::python
