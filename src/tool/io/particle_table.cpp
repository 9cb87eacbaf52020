// SPDX-License-Identifier: BSD-3-Clause
#include "io/particle_table.hpp"

#include <fmt/format.h>

#include "hgrid/core/error.hpp"

namespace hgrid::io {

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
