// SPDX-License-Identifier: BSD-3-Clause
// hgrid._xla: searches as XLA's foreign functions, which hgrid/jax.py calls. Their results have the sizes for which a program
// was compiled; entries that do not fit are counted and left out.
#include <nanobind/nanobind.h>
#include <xla/ffi/api/ffi.h>

#include <algorithm>
#include <array>
#include <cfenv>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <tuple>

#include "python/door.hpp"

namespace nb = nanobind;
namespace ffi = xla::ffi;

namespace hgrid::python {
namespace {

using Numbers = ffi::Result<ffi::Buffer<ffi::S32>>;

const Door* door;  // from hgrid._core, so that the wheel has the library only once

/// Restores normal arithmetic. XLA's threads flush denormal numbers to zero, and then hgrid's contract does not hold.
class PlainArithmetic {
 public:
  PlainArithmetic() {
    std::fegetenv(&theirs_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~PlainArithmetic() { std::fesetenv(&theirs_); }
  PlainArithmetic(const PlainArithmetic&) = delete;
  PlainArithmetic& operator=(const PlainArithmetic&) = delete;

 private:
  std::fenv_t theirs_;
};

/// Returns the error of a call with this status, in the form that hgrid/jax.py expects.
ffi::Error error_of(int status, const std::string& of = "") {
  auto e = sized<hgrid_error>();
  door->last_error(&e);
  std::string said = e.message;
  if (status == HGRID_ERROR_NONFINITE && e.index >= 0) {
    const std::string argument = std::string(e.argument) == "radii" ? "cutoff" : e.argument;
    said = argument + "[" + std::to_string(e.index) + "] is " + std::to_string(e.value);
  }
  const bool memory = status == HGRID_ERROR_OUT_OF_MEMORY;
  return {memory ? ffi::ErrorCode::kResourceExhausted : ffi::ErrorCode::kInvalidArgument, of + said};
}

/// The arrays of systems one after the other, each of n particles. A buffer without numbers counts as absent.
struct Systems {
  ffi::AnyBuffer x, cell, radii, active;
  std::int64_t count = 1, n = 0;
  int dimension = 0;

  Systems(ffi::AnyBuffer positions, ffi::AnyBuffer vectors, ffi::AnyBuffer r, ffi::AnyBuffer flags)
      : x(positions), cell(vectors), radii(r), active(flags) {
    const auto shape = x.dimensions();
    for (std::size_t k = 0; k + 2 < shape.size(); ++k) count *= shape[k];
    n = shape[shape.size() - 2], dimension = static_cast<int>(shape[shape.size() - 1]);
  }

  static double number(const ffi::AnyBuffer& of, std::int64_t k) {
    return of.element_type() == ffi::F64 ? static_cast<const double*>(of.untyped_data())[k]
                                         : static_cast<const float*>(of.untyped_data())[k];
  }

  static double largest(const ffi::AnyBuffer& of, std::int64_t from, std::int64_t size) {
    double most = 0;
    for (std::int64_t k = from; k < from + size; ++k) most = std::max(most, std::abs(number(of, k)));
    return most;
  }

  /// Returns the part for system k of an array with `size` numbers per system.
  static const void* part(const ffi::AnyBuffer& of, std::int64_t k, std::int64_t size) {
    return static_cast<const char*>(of.untyped_data()) +
           k * size * static_cast<std::int64_t>(ffi::ByteWidth(of.element_type()));
  }

  hgrid_particles particles(std::int64_t k, double cutoff) const {
    const std::int32_t type = x.element_type() == ffi::F64 ? HGRID_FLOAT64 : HGRID_FLOAT32;
    auto p = sized<hgrid_particles>();
    p.positions = hgrid_array_2d(part(x, k, n * dimension), type, n, dimension);
    if (radii.element_count() > 0) {
      p.radii = hgrid_array_1d(part(radii, k, n), type, n);
    } else {
      p.radius_scale = 0.5 * cutoff;
    }
    if (active.element_count() > 0) p.active = hgrid_array_1d(part(active, k, n), HGRID_BOOL, n);
    return p;
  }

  std::array<double, 9> vectors(std::int64_t k) const {
    std::array<double, 9> v{};
    for (std::int64_t e = 0; e < dimension * dimension; ++e)
      v[static_cast<std::size_t>(e)] = number(cell, k * dimension * dimension + e);
    return v;
  }

  /// Returns a skin beyond all rounding, as in hgrid/_lists.py.
  double rounding(std::int64_t k, double cutoff) const {
    const double reach = radii.element_count() > 0 ? 2 * largest(radii, k * n, n) : cutoff;
    const double size =
        reach + largest(cell, k * dimension * dimension, dimension * dimension) + largest(x, k * n * dimension, n * dimension);
    return std::isfinite(size) ? 0x1p-46 * size : 0.0;
  }
};

struct Asked {
  double cutoff;
  std::int64_t periodic;  // one bit for each vector
  std::int32_t threads;
  bool full;
};

struct Destroy {
  void operator()(hgrid_grid* grid) const { door->destroy(grid); }
};
using Grid = std::unique_ptr<hgrid_grid, Destroy>;

/// Keeps the grids of a thread's last small calls, like hgrid/_lists.py: making a grid takes longer than building it again.
class Kept {
 public:
  /// Takes a kept grid, or makes one. Returns the status.
  int take(int dimension, const Asked& asked, Grid& grid) {
    grid = std::move(grids_[{dimension, asked.threads, asked.periodic != 0}]);
    if (grid) return HGRID_OK;
    auto options = sized<hgrid_options>();
    options.dimension = dimension, options.threads = asked.threads;
    hgrid_grid* made = nullptr;
    const int status = door->create(&options, nullptr, &made);
    grid.reset(made);
    return status;
  }
  void put_back(Grid grid, int dimension, const Asked& asked, std::int64_t points, std::int64_t entries) {
    if (points > most_points || entries > most_entries) return;
    grids_[{dimension, asked.threads, asked.periodic != 0}] = std::move(grid);
  }

 private:
  static constexpr std::int64_t most_points = 20'000, most_entries = 200'000;

  std::map<std::tuple<int, std::int32_t, bool>, Grid> grids_;
};
thread_local Kept kept;

/// Finds the entries of one system.
int entries(hgrid_grid* grid, const Systems& systems, std::int64_t k, const Asked& asked, hgrid_entry_list& found) {
  double skin = 0;
  if (asked.periodic != 0) {
    const std::array<double, 9> vectors = systems.vectors(k);
    auto box = sized<hgrid_box>();
    box.vectors = vectors.data();
    for (int axis = 0; axis < systems.dimension; ++axis) box.periodic[axis] = asked.periodic >> axis & 1;
    if (const int status = door->set_box(grid, &box); status != HGRID_OK) return status;
    skin = systems.rounding(k, asked.cutoff);
  }
  const hgrid_particles now = systems.particles(k, asked.cutoff);
  if (const int status = door->build(grid, &now, skin); status != HGRID_OK) return status;
  auto wanted = sized<hgrid_entry_options>();
  wanted.kind = asked.full ? HGRID_FULL : HGRID_HALF, wanted.images = 1;
  return door->entries(grid, &now, &wanted, &found);
}

/// Calls put(k, entries) for each system.
template <class Put>
ffi::Error search(const Systems& systems, const Asked& asked, const Put& put) {
  const PlainArithmetic plain;
  Grid grid;
  if (const int status = kept.take(systems.dimension, asked, grid); status != HGRID_OK) return error_of(status);
  std::int64_t most = 0;
  for (std::int64_t k = 0; k < systems.count; ++k) {
    auto found = sized<hgrid_entry_list>();
    if (const int status = entries(grid.get(), systems, k, asked, found); status != HGRID_OK) {
      return error_of(status, systems.count > 1 ? "system " + std::to_string(k) + ": " : "");
    }
    put(k, found);
    most = std::max(most, found.size);
  }
  kept.put_back(std::move(grid), systems.dimension, asked, systems.n, most);
  return ffi::Error::Success();
}

std::int32_t narrowed(std::int64_t k) { return static_cast<std::int32_t>(std::min<std::int64_t>(k, INT32_MAX)); }

/// Writes entries from `first` on into room for `room` of them. Entries that do not fit are left out; the rest of the room
/// receives `padding` and zeros.
void fill(const hgrid_entry_list& found, std::int64_t first, std::int64_t size, int dimension, std::int64_t room,
          std::int32_t padding, std::int32_t* i, std::int32_t* j, std::int32_t* shifts) {
  const std::int64_t fit = std::min(size, room);
  for (std::int64_t k = 0; k < fit; ++k) {
    if (i != nullptr) i[k] = static_cast<std::int32_t>(found.ids[first + k]);
    j[k] = static_cast<std::int32_t>(found.ids[found.size + first + k]);
    std::copy_n(found.images + 3 * (first + k), dimension, shifts + k * dimension);
  }
  if (i != nullptr) std::fill(i + fit, i + room, padding);
  std::fill(j + fit, j + room, padding);
  std::fill(shifts + fit * dimension, shifts + room * dimension, 0);
}

ffi::Error list(ffi::AnyBuffer x, ffi::AnyBuffer cell, ffi::AnyBuffer radii, ffi::AnyBuffer active, Numbers i, Numbers j,
                Numbers shifts, Numbers count, double cutoff, std::int64_t periodic, std::int32_t threads, bool full) {
  const Systems systems(x, cell, radii, active);
  const std::int64_t room = i->dimensions().back();
  return search(systems, {cutoff, periodic, threads, full}, [&](std::int64_t k, const hgrid_entry_list& found) {
    fill(found, 0, found.size, systems.dimension, room, narrowed(systems.n), i->typed_data() + k * room,
         j->typed_data() + k * room, shifts->typed_data() + k * room * systems.dimension);
    count->typed_data()[k] = narrowed(found.size);
  });
}

ffi::Error matrix(ffi::AnyBuffer x, ffi::AnyBuffer cell, ffi::AnyBuffer radii, ffi::AnyBuffer active, Numbers j, Numbers shifts,
                  Numbers counts, double cutoff, std::int64_t periodic, std::int32_t threads, bool full) {
  const Systems systems(x, cell, radii, active);
  const std::int64_t room = j->dimensions().back();
  return search(systems, {cutoff, periodic, threads, full}, [&](std::int64_t k, const hgrid_entry_list& found) {
    for (std::int64_t p = 0; p < systems.n; ++p) {
      const std::int64_t row = k * systems.n + p, first = found.offsets[p], size = found.offsets[p + 1] - first;
      fill(found, first, size, systems.dimension, room, narrowed(systems.n), nullptr, j->typed_data() + row * room,
           shifts->typed_data() + row * room * systems.dimension);
      counts->typed_data()[row] = narrowed(size);
    }
  });
}

auto particles() {
  return ffi::Ffi::Bind().Arg<ffi::AnyBuffer>().Arg<ffi::AnyBuffer>().Arg<ffi::AnyBuffer>().Arg<ffi::AnyBuffer>();
}

template <class Binding>
auto with_options(Binding&& binding) {
  return std::forward<Binding>(binding)
      .template Attr<double>("cutoff")
      .template Attr<std::int64_t>("periodic")
      .template Attr<std::int32_t>("threads")
      .template Attr<bool>("full");
}

using S32 = ffi::Buffer<ffi::S32>;
XLA_FFI_DEFINE_HANDLER(list_handler, list, with_options(particles().Ret<S32>().Ret<S32>().Ret<S32>().Ret<S32>()));
XLA_FFI_DEFINE_HANDLER(matrix_handler, matrix, with_options(particles().Ret<S32>().Ret<S32>().Ret<S32>()));

}  // namespace

NB_MODULE(_xla, m) {
  door = static_cast<const Door*>(nb::cast<nb::capsule>(nb::module_::import_("hgrid._core").attr("door")).data());
  m.attr("list") = nb::capsule(reinterpret_cast<void*>(list_handler));
  m.attr("matrix") = nb::capsule(reinterpret_cast<void*>(matrix_handler));
}

}  // namespace hgrid::python
