// SPDX-License-Identifier: BSD-3-Clause
// What Python holds: particles with the arrays that they lie in, and grids that run without Python's lock.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "python/any_grid.hpp"

namespace nb = nanobind;

namespace hgrid::python {

using Array = nb::ndarray<nb::ro, nb::device::cpu>;

/// An array over those numbers, which keeps their owner alive; Python may write to it. In a table of rows `shown` columns are
/// seen.
template <class T>
nb::object array_of(const Numbers<T>& numbers, std::size_t ndim, const std::size_t* shape, const std::int64_t* strides) {
  static T nothing{};
  T* const data = numbers.size == 0 ? &nothing : const_cast<T*>(numbers.data);
  const nb::capsule owner(new Owner(numbers.owner), [](void* p) noexcept { delete static_cast<Owner*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, T>(data, ndim, shape, owner, strides));
}
template <class T>
nb::object array_of(const Numbers<T>& numbers) {
  const std::size_t shape[] = {static_cast<std::size_t>(numbers.size)};
  return array_of(numbers, 1, shape, nullptr);
}
template <class T>
nb::object table_of(const Numbers<T>& numbers, offset_t rows, offset_t columns, offset_t shown) {
  const std::size_t shape[] = {static_cast<std::size_t>(rows), static_cast<std::size_t>(shown)};
  const std::int64_t strides[] = {columns, 1};
  return array_of(numbers, 2, shape, strides);
}

/// Particles, and the arrays that they lie in. Shapes and types are those that hgrid/_particles.py makes.
class HeldParticles {
 public:
  HeldParticles(Array x, Array radius, double radius_scale, Array extra, Array group, Array active, int active_bits,
                std::int64_t owned, bool skip, Array excluded, Array excluded_begin, Array types, Array cutoffs, Array world,
                std::int64_t worlds)
      : arrays_{x, radius, extra, group, active, excluded, excluded_begin, types, cutoffs, world} {
    Inputs& in = inputs_;
    in.is_float = x.dtype() == nb::dtype<float>();
    in.dimension = static_cast<int>(x.shape(1)), in.count = static_cast<std::int64_t>(x.shape(0));
    in.x = x.data(), in.row = x.stride(0), in.column = x.stride(1);
    in.radius = radius.data(), in.radius_stride = radius.stride(0), in.radius_scale = radius_scale;
    in.extra = of<void>(extra), in.group = of<index_t>(group), in.active = of<std::uint8_t>(active);
    in.active_bits = static_cast<std::uint8_t>(active_bits);
    in.owned = owned, in.skip = skip;
    if (excluded_begin.is_valid()) {
      in.exclusions = Exclusions::in_lists(of<offset_t>(excluded_begin), of<index_t>(excluded), size_of(excluded));
    } else if (excluded.is_valid()) {
      in.exclusions = Exclusions::in_pairs(of<Pair>(excluded), size_of(excluded));
    }
    if (types.is_valid()) in.cutoffs = {of<index_t>(types), of<double>(cutoffs), static_cast<index_t>(cutoffs.shape(0))};
    if (world.is_valid()) in.worlds = {of<index_t>(world), static_cast<index_t>(worlds)};
  }

  const Inputs& inputs() const { return inputs_; }

 private:
  template <class T>
  static const T* of(const Array& array) {
    return array.is_valid() ? static_cast<const T*>(array.data()) : nullptr;
  }
  static offset_t size_of(const Array& array) { return static_cast<offset_t>(array.shape(0)); }

  std::vector<Array> arrays_;
  Inputs inputs_;
};

/// Looks whether Ctrl-C was pressed while a grid works, now and then, if Python's main thread is at work.
class Interrupts {
 public:
  Watch watch() {
    return {&stop_, [](void* self, double) { static_cast<Interrupts*>(self)->look(); }, this};
  }
  void begin() { stop_ = false, next_ = std::chrono::steady_clock::now() + pause; }

 private:
  static constexpr std::chrono::milliseconds pause{50};

  // The exception that a handler raised waits in Python's thread state, and the work ends with `stopped`.
  void look() {
    if (std::chrono::steady_clock::now() < next_) return;
    const nb::gil_scoped_acquire gil;
    if (PyErr_CheckSignals() != 0) stop_ = true;
    next_ = std::chrono::steady_clock::now() + pause;
  }

  std::atomic<bool> stop_{false};
  std::chrono::steady_clock::time_point next_;
};

/// A grid, used by one Python thread at a time; the others wait.
class HeldGrid {
 public:
  explicit HeldGrid(std::unique_ptr<AnyGrid> grid) : grid_(std::move(grid)) { grid_->watch(interrupts_.watch()); }

  /// f(grid) without Python's lock. A thread that has the turn may wait for that lock, so nobody waits for the turn with it.
  template <class F>
  auto run(const F& f) {
    const nb::gil_scoped_release without;
    const auto turn = grid_->turn.take([] {
      const nb::gil_scoped_acquire gil;
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
    });
    interrupts_.begin();
    return f(*grid_);
  }

  /// The arrays of a build are held until those of the next one are.
  void build(const nb::object& particles, double skin) {
    const Inputs& inputs = nb::cast<const HeldParticles&>(particles).inputs();
    nb::object before;
    run([&](AnyGrid& grid) {
      grid.build(inputs, skin);
      const nb::gil_scoped_acquire gil;
      before = std::move(held_), held_ = particles;
    });
  }

 private:
  std::unique_ptr<AnyGrid> grid_;
  Interrupts interrupts_;
  nb::object held_;
};

}  // namespace hgrid::python
