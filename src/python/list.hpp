// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "python/answers.hpp"

namespace hgrid::python {

using Held = std::shared_ptr<Grid>;

/// A list for a time loop, and its grid, whose turn it is.
class List {
 public:
  List(Held grid, int kind, double skin, bool choose_skin, bool rebuild, int check_every) : grid_(std::move(grid)) {
    auto options = sized<hgrid_verlet_options>();
    options.kind = kind, options.skin = skin, options.choose_skin = choose_skin, options.no_rebuild = !rebuild;
    options.check_every = check_every;
    run([&](const Door& door) { door.require(door.verlet_create(grid_->get(), &options, &list_)); });
  }
  List(const List&) = delete;
  ~List() { grid_->door().verlet_destroy(list_); }

  /// `widened` is the same with margins, or null.
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

  nb::tuple neighbours(int dimension) {
    auto list = sized<hgrid_neighbour_list>();
    std::array<Memory, 3> memory;
    run([&](const Door& door) {  // copies, because the list is needed for the next one
      door.require(door.verlet_neighbours(list_, &list));
      std::tie(list.offsets, memory[0]) = grid_->copy_of(list.offsets, list.lists + 1);
      std::tie(list.neighbours, memory[1]) = grid_->copy_of(list.neighbours, list.size);
      if (list.images != nullptr && list.size > 0)
        std::tie(list.images, memory[2]) = grid_->copy_of(list.images, 3 * list.size);
    });
    return rows(grid_->place(), list, memory, dimension);
  }

  nb::tuple entries(const HeldParticles& now, int images, bool distances, bool vectors, int dimension) {
    auto list = sized<hgrid_neighbour_list>();
    hgrid_entry_options asked = asked_for(HGRID_FULL, false, true, false, images, distances, vectors);
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

  /// Its entries, and those of the list before.
  std::pair<std::int64_t, std::int64_t> sizes() {
    auto history = sized<hgrid_history>();
    run([&](const Door& door) { door.require(door.verlet_history(list_, &history)); });
    return {history.size, history.size_before};
  }

  /// Where each entry stood in the list before, or -1, and how many that had.
  nb::tuple origins() {
    auto history = sized<hgrid_history>();
    std::pair<const std::int64_t*, Memory> from;
    run([&](const Door& door) {
      door.require(door.verlet_history(list_, &history));
      from = grid_->copy_of(history.from, history.size);
    });
    return nb::make_tuple(grid_->place().give(history.size > 0 ? from.first : nullptr, {history.size}, from.second),
                          history.size_before);
  }

  /// Values [entries of the list before, ...] of numbers in one piece, or none of a first list, brought to this one. `fresh`
  /// has the bytes of one number of a new pair, or is None: zeros.
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
      door.require(door.verlet_history(list_, &history));
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
      door.require(door.verlet_carry(list_, &before, &now, one));
    });
    shape[0] = static_cast<std::size_t>(history.size);
    return grid_->place().give(history.size * each > 0 ? to.first : nullptr, type, shape, to.second);
  }

  nb::tuple counters() {
    auto c = sized<hgrid_verlet_counters>();
    run([&](const Door& door) { door.require(door.verlet_counts(list_, &c)); });
    return nb::make_tuple(c.steps, c.checks, c.builds, c.dangerous, c.overtaken, c.disorder, c.skin);
  }

  nb::bytes save() { return grid_->saved(grid_->door().verlet_save, list_); }
  void restore(const nb::bytes& bytes) {
    const void* const data = bytes.data();
    const auto size = static_cast<std::int64_t>(bytes.size());
    run([&](const Door& door) { door.require(door.verlet_restore(list_, data, size)); });
  }

 private:
  [[noreturn]] static void refuse_strides() {
    throw DoorError{.code = "unsupported", .message = "values has strides; copy it into one piece", .argument = "values"};
  }
  template <class F>
  void run(const F& f) {
    grid_->run([&] { f(grid_->door()); });
  }

  Held grid_;
  hgrid_verlet* list_ = nullptr;
};

}  // namespace hgrid::python
