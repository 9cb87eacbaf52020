// SPDX-License-Identifier: BSD-3-Clause
// What Python states, as the C++ library takes it. The package's Python code has looked at shapes and types; these are
// pointers.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "hgrid/core/names.hpp"
#include "hgrid/core/region.hpp"
#include "hgrid/core/turn.hpp"
#include "hgrid/options.hpp"

namespace hgrid::python {

[[noreturn]] inline void refuse(const char* argument, const std::string& why, double value = 0,
                                ErrorCode code = ErrorCode::invalid_argument) {
  throw Error(code, std::string(argument) + " " + why, {.argument = argument, .value = value});
}

/// The choice of that name. Throws `invalid_argument` with all names.
template <Named Enum>
Enum choice(const std::string& name, const char* argument) {
  if (const auto value = from_name<Enum>(name)) return *value;
  std::string all;
  for (const char* other : enum_names<Enum>) all += (all.empty() ? "'" : ", '") + std::string(other) + "'";
  refuse(argument, "is '" + name + "'; it must be one of " + all);
}

/// Of one that may be left open: an empty name does that.
template <Named Enum>
std::optional<Enum> open_choice(const std::string& name, const char* argument) {
  if (name.empty()) return std::nullopt;
  return choice<Enum>(name, argument);
}

/// A box of either dimension: open if nothing is given, along `vectors` (rows) if these are, else from lo to hi, tilted. `cell`
/// has the vectors in rows in any case, zeros where it is open, as distances are computed with them; empty if all axes are.
struct BoxSpec {
  std::vector<double> lo, hi, tilt, vectors, cell;
  std::vector<bool> periodic;

  /// Throws `invalid_box`. The sizes are those of the dimension, or 0.
  template <int D>
  Box<D> box() const {
    if (periodic.empty()) return Box<D>::open();
    if (periodic.size() != D) {
      throw Error(ErrorCode::invalid_box,
                  "the box has " + std::to_string(periodic.size()) + " axes, the grid " + std::to_string(D),
                  {.argument = "box", .value = static_cast<double>(periodic.size())});
    }
    Vec<bool, D> wraps;
    for (std::size_t k = 0; k < D; ++k) wraps.v[k] = periodic[k];
    if (!vectors.empty()) {
      Vec<Vec<double, D>, D> rows;
      for (std::size_t j = 0; j < D; ++j) {
        for (std::size_t k = 0; k < D; ++k) rows.v[j].v[k] = vectors[j * D + k];
      }
      return box_of_vectors<D>(rows, wraps);
    }
    Vec<double, D> from, to;
    Vec<double, Box<D>::tilts> tilts{};
    for (std::size_t k = 0; k < D; ++k) from.v[k] = lo[k], to.v[k] = hi[k];
    for (std::size_t t = 0; t < tilt.size(); ++t) tilts.v[t] = tilt[t];
    return tilted(Box<D>::periodic(from, to, wraps), tilts);
  }
};

/// Particles of either dimension and real type; strides in elements.
struct Inputs {
  int dimension = 3;
  bool is_float = false, skip = false;
  std::int64_t count = 0, owned = -1;
  const void *x = nullptr, *radius = nullptr, *extra = nullptr;
  std::ptrdiff_t row = 0, column = 0, radius_stride = 0;
  double radius_scale = 1;
  const index_t* group = nullptr;
  const std::uint8_t* active = nullptr;
  std::uint8_t active_bits = 0xff;
  Exclusions exclusions = {};
  Cutoffs cutoffs = {};
  Worlds worlds = {};

  template <class Real, int D>
  Particles<Real, D> of_type() const {
    Particles<Real, D> p{};
    const auto* const first = static_cast<const Real*>(x);
    for (int k = 0; k < D; ++k) p.position[k] = count == 0 ? first : first + k * column;
    p.stride = row, p.count = count;
    p.radius = static_cast<const Real*>(radius), p.radius_stride = radius_stride, p.radius_scale = radius_scale;
    p.extra = static_cast<const Real*>(extra), p.group = group, p.owned = owned;
    p.active = active, p.active_bits = active_bits;
    p.nonfinite = skip ? NonFinite::skip : NonFinite::error;
    p.exclusions = exclusions, p.cutoffs = cutoffs, p.worlds = worlds;
    return p;
  }
};

template <int D>
using AnyParticles = std::variant<Particles<double, D>, Particles<float, D>>;

/// Throws `size_mismatch` for particles of another dimension.
template <int D>
AnyParticles<D> particles_of(const Inputs& in) {
  if (in.dimension != D) {
    refuse("x", "has " + std::to_string(in.dimension) + " columns; the grid has " + std::to_string(D) + " dimensions",
           in.dimension, ErrorCode::size_mismatch);
  }
  if (in.is_float) return in.of_type<float, D>();
  return in.of_type<double, D>();
}

/// Regions in rows, [count][dimension]; `radius` and `world` may be null.
struct RegionSpec {
  const double *lo, *hi, *radius;
  const index_t* world;
  offset_t count;

  template <int D>
  std::vector<Region<D>> regions() const {
    std::vector<Region<D>> all(static_cast<std::size_t>(count));
    for (offset_t q = 0; q < count; ++q) {
      Region<D>& r = all[static_cast<std::size_t>(q)];
      for (int k = 0; k < D; ++k) r.lo[k] = lo[q * D + k], r.hi[k] = hi[q * D + k];
      r.radius = radius == nullptr ? 0 : radius[q], r.world = world == nullptr ? 0 : world[q];
    }
    return all;
  }
};

}  // namespace hgrid::python
