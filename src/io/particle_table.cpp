// SPDX-License-Identifier: BSD-3-Clause
#include "io/particle_table.hpp"

#include <fmt/format.h>

#include "hgrid/core/error.hpp"

namespace hgrid::io {

void require_complete(const ParticleTable& table) {
  const std::size_t n = table.x.size();
  if (table.y.size() != n || table.z.size() != n || table.r.size() != n) {
    throw Error(ErrorCode::size_mismatch, fmt::format("particle table: x, y, z and r have {}, {}, {} and {} values", n,
                                                      table.y.size(), table.z.size(), table.r.size()));
  }
}

}  // namespace hgrid::io
