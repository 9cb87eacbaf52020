// SPDX-License-Identifier: BSD-3-Clause
// Writers of files for molecular dynamics codes.
#pragma once

#include "io/atomic_file.hpp"
#include "io/particle_table.hpp"

namespace hgrid::io {

/// Writes a frame of extended XYZ, with everything in a table: positions, of two numbers in two dimensions, radii or half
/// extents, ids, box, periodic axes, time and step. Further frames may follow it.
void write_extended_xyz(AtomicFile& file, const ParticleTable& table);

/// Writes a data file of LAMMPS in atom style sphere, with density 1 and one type. Atoms without ids, or with an id below 1,
/// which LAMMPS refuses, are numbered from 1. If the table has no box, it is the smallest that holds the particles; in two
/// dimensions it reaches from -0.5 to 0.5 along z. Throws Error(unsupported) for particles with half extents.
void write_lammps_data(AtomicFile& file, const ParticleTable& table);

}  // namespace hgrid::io
