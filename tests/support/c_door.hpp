// SPDX-License-Identifier: BSD-3-Clause
// Arguments for the C API: the C++ library's arguments in its terms, and its errors in the tests' terms.
#pragma once

#include <gtest/gtest.h>
#include <hgrid.h>

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "hgrid/grid.hpp"

namespace support {

/// A struct of hgrid.h with its size, all else zero.
template <class T>
T sized() {
  T s{};
  s.struct_size = sizeof(T);
  return s;
}

template <class T>
int c_type() {
  if constexpr (std::is_same_v<T, double>) return HGRID_FLOAT64;
  if constexpr (std::is_same_v<T, float>) return HGRID_FLOAT32;
  if constexpr (std::is_same_v<T, std::uint8_t>) return HGRID_UINT8;
  return sizeof(T) == 8 ? HGRID_INT64 : HGRID_INT32;
}

/// Returns an array; a null pointer means no array, unless the array is empty.
template <class T>
hgrid_array c_array(const T* data, const std::vector<std::int64_t>& shape, const std::vector<std::int64_t>& stride = {}) {
  if (data == nullptr && shape[0] > 0) return {};
  return hgrid_array_of(data, c_type<std::remove_const_t<T>>(), static_cast<int>(shape.size()), shape.data(),
                        stride.empty() ? nullptr : stride.data());
}

template <class Real, int D>
hgrid_particles c_particles(const hgrid::Particles<Real, D>& p, bool in_columns) {
  auto c = sized<hgrid_particles>();
  const std::int64_t n = p.count;
  for (int k = 0; k < D && in_columns; ++k) c.columns[k] = c_array(p.position[k], {n}, {p.stride});
  if (!in_columns) c.positions = c_array(p.position[0], {n, D}, {p.stride, p.position[1] - p.position[0]});
  c.radii = c_array(p.radius, {p.has_extents() ? 1 : n}, {p.radius_stride});
  if (p.has_extents()) c.extents = c_array(p.extent[0], {n, D}, {p.extent_stride, p.extent[1] - p.extent[0]});
  c.extra = c_array(p.extra, {n});
  c.group = c_array(p.group, {n});
  c.active = c_array(p.active, {n});
  if (p.active_bits != 0xff) c.active_bits = p.active_bits;
  const hgrid::Exclusions& e = p.exclusions;
  if (e.pairs != nullptr) c.excluded_pairs = c_array(&e.pairs->i, {e.size, 2});
  if (e.ids != nullptr) c.excluded_begin = c_array(e.begin, {n + 1}), c.excluded_ids = c_array(e.ids, {e.size});
  if (p.cutoffs.types > 0) {
    c.types = c_array(p.cutoffs.type, {n});
    c.cutoffs = c_array(p.cutoffs.distance, {p.cutoffs.types, p.cutoffs.types});
  }
  if (p.worlds.count > 0) c.world = c_array(p.worlds.of, {n}), c.worlds = p.worlds.count;
  c.radius_scale = p.radius_scale;
  if (p.owned >= 0) c.ghosts = static_cast<std::int32_t>(n - p.owned);
  c.nonfinite = static_cast<std::int32_t>(p.nonfinite);
  return c;
}

/// The result of a call of the C API or of the library below it.
struct Verdict {
  int status = HGRID_OK;
  std::string message, argument;
  std::int64_t index = -1, count = 0, needed = -1;
  double value = 0;

  bool operator==(const Verdict& o) const {
    const bool same_value = value == o.value || (std::isnan(value) && std::isnan(o.value));
    return status == o.status && message == o.message && argument == o.argument && index == o.index && count == o.count &&
           needed == o.needed && same_value;
  }
};

template <class F>
Verdict verdict_of(const F& f) {
  try {
    f();
    return {};
  } catch (const hgrid::Error& e) {
    const hgrid::Error::Detail& d = e.detail();
    return {static_cast<int>(e.code()) + 1, e.what(), d.argument, d.index, d.count, d.needed, d.value};
  }
}

inline Verdict verdict_of_door(int status) {
  if (status == HGRID_OK) return {};
  auto e = sized<hgrid_error>();
  hgrid_last_error(&e);
  EXPECT_EQ(e.code, status);
  return {status, e.message, e.argument, e.index, e.count, e.needed, e.value};
}

/// Holds a grid of the C API and destroys it.
struct DoorGrid {
  hgrid_grid* grid = nullptr;
  DoorGrid() = default;
  DoorGrid(const DoorGrid&) = delete;
  ~DoorGrid() { hgrid_destroy(grid); }
};
struct DoorVerlet {
  hgrid_verlet* list = nullptr;
  DoorVerlet() = default;
  DoorVerlet(const DoorVerlet&) = delete;
  ~DoorVerlet() { hgrid_verlet_destroy(list); }
};
struct DoorMesh {
  hgrid_mesh* mesh = nullptr;
  DoorMesh() = default;
  DoorMesh(const DoorMesh&) = delete;
  ~DoorMesh() { hgrid_mesh_destroy(mesh); }
};

template <class T>
bool same_bytes(const T* a, const void* b, std::int64_t n) {
  if (n == 0) return true;
  return a == nullptr || b == nullptr ? a == b : std::memcmp(a, b, static_cast<std::size_t>(n) * sizeof(T)) == 0;
}

}  // namespace support
