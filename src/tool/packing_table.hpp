// SPDX-License-Identifier: BSD-3-Clause
// Generated packings as tables of particles.
#pragma once

#include "hgrid/packing/packing.hpp"
#include "io/particle_table.hpp"

namespace hgrid::tool {

io::ParticleTable table_of(Packing packing);

/// 100,000 particles of size ratio 100: seconds to find all contacts of, in a periodic box if wanted.
io::ParticleTable demo_particles();

}  // namespace hgrid::tool
