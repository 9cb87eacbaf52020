// SPDX-License-Identifier: BSD-3-Clause
// Objects that Python holds: particles with their arrays, and grids that run without Python's lock.
#pragma once

#include <array>
#include <functional>
#include <mutex>
#include <string_view>
#include <utility>

#include "python/arrays.hpp"
#include "python/turn.hpp"

namespace hgrid::python {

/// hgrid_box of either dimension, with its vectors.
struct HeldBox {
  hgrid_box box = sized<hgrid_box>();
  std::array<double, 9> vectors{};
  bool has_vectors = false;

  HeldBox(const std::vector<double>& lo, const std::vector<double>& hi, const std::vector<double>& tilt,
          const std::vector<double>& rows, const std::vector<bool>& periodic)
      : has_vectors(!rows.empty()) {
    const auto copy = [](const std::vector<double>& from, double* to, std::size_t most) {
      std::copy_n(from.begin(), std::min(from.size(), most), to);
    };
    copy(lo, box.lo, 3), copy(hi, box.hi, 3), copy(tilt, box.tilt, 3), copy(rows, vectors.data(), vectors.size());
    for (std::size_t k = 0; k < std::min<std::size_t>(periodic.size(), 3); ++k) box.periodic[k] = periodic[k];
  }

  /// Returns the box, valid as long as this object.
  hgrid_box get() const {
    hgrid_box given = box;
    if (has_vectors) given.vectors = vectors.data();
    return given;
  }
};

/// Particles with their arrays, by the names of hgrid_particles: hgrid/_particles.py and _device.py choose these.
class HeldParticles {
 public:
  HeldParticles(const nb::dict& arrays, double radius_scale, std::int32_t active_bits, std::int32_t ghosts, bool skip,
                std::int32_t worlds) {
    particles_.radius_scale = radius_scale, particles_.active_bits = active_bits, particles_.ghosts = ghosts;
    particles_.nonfinite = skip ? HGRID_SKIP : HGRID_REFUSE, particles_.worlds = worlds;
    for (const auto [name, given] : arrays) {
      arrays_.push_back(nb::cast<Array>(given));
      particles_.*field_of(nb::cast<const char*>(name)) = array_of(arrays_.back());
    }
  }

  /// Takes one radius for all.
  HeldParticles(const Array& x, double radius) : arrays_{x} {
    particles_.positions = array_of(x), particles_.radius_scale = radius, particles_.nonfinite = HGRID_REFUSE;
  }

  const hgrid_particles& get() const { return particles_; }

 private:
  using Field = hgrid_array hgrid_particles::*;
  static Field field_of(std::string_view name) {
#define HGRID_FIELD(field) \
  if (name == #field) return &hgrid_particles::field;
    HGRID_ARRAYS_OF_PARTICLES(HGRID_FIELD)
#undef HGRID_FIELD
    throw DoorError{.code = "internal", .message = "particles have no " + std::string(name)};
  }

  hgrid_particles particles_ = sized<hgrid_particles>();
  std::vector<Array> arrays_;
};

/// Checks now and then, while a grid works, whether Ctrl-C was pressed, if Python's main thread runs the work, and reports
/// progress to `hgrid.progress`.
class Interrupts {
 public:
  /// Watches while the grid with that turn works.
  explicit Interrupts(const Turn& turn) : turn_(turn) {}
  hgrid_watch watch() {
    return {sizeof(hgrid_watch), [](void* self, double share) { return static_cast<Interrupts*>(self)->look(share); }, this};
  }
  void begin() { next_ = std::chrono::steady_clock::now() + pause; }

 private:
  static constexpr std::chrono::milliseconds pause{50};

  // Checks for signals. The exception that a handler raised is kept in Python's thread state, and the work ends with `stopped`.
  std::int32_t look(double share) {
    if (std::chrono::steady_clock::now() < next_) return 0;
    const nb::gil_scoped_acquire gil;
    const Turn::Lent lent(turn_);  // to handlers of signals, and to the progress callback
    if (PyErr_CheckSignals() != 0) return 1;
    try {
      nb::module_::import_("hgrid._progress").attr("tell")(share);
    } catch (nb::python_error& e) {
      e.restore();
      return 1;
    }
    next_ = std::chrono::steady_clock::now() + pause;
    return 0;
  }

  const Turn& turn_;
  std::chrono::steady_clock::time_point next_;
};

/// A grid, used by one Python thread at a time; the others wait.
class Grid {
 public:
  /// An empty name stands for the module's own library.
  Grid(const std::string& library, int device_id, std::uintptr_t stream, int dimension, const HeldBox* box, int threads,
       std::array<int, 4> rule_direction_keys_table, const std::vector<std::vector<double>>& levels);
  Grid(const Grid&) = delete;
  ~Grid() { place_.door.destroy(grid_); }

  const Place& place() const { return place_; }
  const Turn& turn() const { return turn_; }
  const Door& door() const { return place_.door; }
  hgrid_grid* get() const { return grid_; }

  /// Runs f() without Python's lock, one thread after the other. A thread that has the turn may wait for that lock, so no
  /// thread waits for the turn while it holds the lock. Callbacks of the grid do not wait either: the C API says what they may
  /// do.
  template <class F>
  auto run(const F& f) {
    return run_with(*this, f);
  }
  /// Runs f() with the turn of another grid, too.
  template <class F>
  auto run_with(Grid& other, const F& f) {
    const nb::gil_scoped_release without;
    const auto look_for_signals = [] {
      const nb::gil_scoped_acquire gil;
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
    };
    const auto take = [&](Grid& grid) {
      if (Turn::Lent::has(grid.turn_)) return std::unique_lock<std::timed_mutex>();
      auto turn = grid.turn_.take(look_for_signals);
      grid.interrupts_.begin();
      return turn;
    };
    const bool before = std::less<>()(&other, this);  // in a fixed order, so that two threads do not wait for each other
    Grid &first = before ? other : *this, &second = before ? *this : other;
    const auto turn = take(first);
    if (&first == &second) return f();
    const Turn::Lent lent(first.turn_);  // to handlers of signals while this waits
    const auto turn_of_second = take(second);
    return f();
  }

  /// Holds the arrays of a build until the next build has its own.
  void build(std::shared_ptr<const HeldParticles> particles, double skin);

  /// Releases these arrays: afterwards only the build's lists are known.
  void forget();

  /// Returns the particles of the last build. Throws `stale` if a list built the grid since, `not_built` before. Call within
  /// run.
  const hgrid_particles& built() const;

  /// Returns a checkpoint.
  template <class Handle>
  nb::bytes saved(int (*save)(Handle*, const void**, std::int64_t*), Handle* handle) {
    const std::string copy = run([&] {  // a copy, because the bytes belong to the handle
      const void* bytes = nullptr;
      std::int64_t size = 0;
      door().require(save(handle, &bytes, &size));
      return std::string(static_cast<const char*>(bytes), static_cast<std::size_t>(size));
    });
    return nb::bytes(copy.data(), copy.size());
  }

  /// Keeps the last result of the C API. Call within run, like the next ones.
  Memory keep() const;
  /// Allocates memory there for Python. A size beyond any memory counts as the largest one.
  std::pair<void*, Memory> allocate(std::int64_t bytes, std::int64_t times = 1) const;
  std::pair<void*, Memory> zeros(std::int64_t bytes) const;
  template <class T>
  std::pair<const T*, Memory> copy_of(const T* from, std::int64_t n) const {
    const auto [to, memory] = allocate(n * static_cast<std::int64_t>(sizeof(T)));
    door().require(door().copy(grid_, to, from, n * static_cast<std::int64_t>(sizeof(T)), HGRID_WITHIN));
    return {static_cast<const T*>(to), memory};
  }

 private:
  Memory owned(hgrid_memory* memory) const { return {memory, door().release}; }

  Place place_;
  hgrid_grid* grid_ = nullptr;
  Turn turn_;
  Interrupts interrupts_{turn_};
  std::shared_ptr<const HeldParticles> built_;
  std::uint64_t generation_ = 0;  // generation of that build
};

}  // namespace hgrid::python
