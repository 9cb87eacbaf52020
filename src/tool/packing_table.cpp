// SPDX-License-Identifier: BSD-3-Clause
#include "packing_table.hpp"

#include <utility>

namespace hgrid::tool {

io::ParticleTable table_of(Packing packing) {
  io::ParticleTable table;
  table.dimension = packing.dimension;
  const double length = packing.length;
  table.box = io::BoxBounds{{}, {length, length, packing.dimension == 3 ? length : 0}};
  table.x = std::move(packing.x);
  table.y = std::move(packing.y);
  table.z = std::move(packing.z);
  table.r = std::move(packing.r);
  return table;
}

io::ParticleTable demo_particles() {
  PackingOptions options;
  options.sizes = {SizeDistribution::Kind::power_law, 100, -3};
  options.particles = 100000;
  options.fraction = 0.62;
  return table_of(random_packing(options));
}

}  // namespace hgrid::tool
