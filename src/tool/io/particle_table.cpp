// SPDX-License-Identifier: BSD-3-Clause
#include "io/particle_table.hpp"

#include <fmt/format.h>

#include "hgrid/core/error.hpp"

namespace hgrid::io {

std::optional<BoxBounds> without_vectors(const BoxBounds& box) {
  if (!box.vectors) return box;
  const auto& [a, b, c] = *box.vectors;
  const bool below = a[1] == 0 && a[2] == 0 && b[2] == 0, whole = a[0] > 0 && b[1] > 0 && c[2] >= 0;
  if (!below || !whole) return std::nullopt;
  return BoxBounds{box.lo, {box.lo[0] + a[0], box.lo[1] + b[1], box.lo[2] + c[2]}, {b[0], c[0], c[1]}};
}

std::optional<BoxBounds> brick_of(const BoxBounds& box) {
  const std::optional<BoxBounds> bounds = without_vectors(box);
  return bounds && bounds->tilt == std::array<double, 3>{} ? bounds : std::nullopt;
}

void require_complete(const ParticleTable& table) {
  const std::size_t n = table.x.size();
  const auto require = [&](const char* names, const std::vector<double>& a, const std::vector<double>& b,
                           const std::vector<double>& c) {
    if (a.size() == n && b.size() == n && c.size() == n) return;
    throw Error(ErrorCode::size_mismatch,
                fmt::format("particle table: {} have {}, {}, {} and {} values", names, n, a.size(), b.size(), c.size()));
  };
  if (table.boxes) {
    require("x, hx, hy and hz", table.extent[0], table.extent[1], table.extent[2]);
    return require("x, y, z and hx", table.y, table.z, table.extent[0]);
  }
  require("x, y, z and r", table.y, table.z, table.r);
}

void require_spheres(const ParticleTable& table) {
  require_complete(table);
  if (table.boxes) throw Error(ErrorCode::unsupported, "particle table: boxes, in a format that has radii alone");
}

}  // namespace hgrid::io
