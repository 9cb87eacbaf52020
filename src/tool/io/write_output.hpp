// SPDX-License-Identifier: BSD-3-Clause
// The one interface of all writers: the format of an output follows from its name.
#pragma once

#include <string>

#include "io/atomic_file.hpp"
#include "io/frame_column.hpp"
#include "io/pair_source.hpp"
#include "io/particle_table.hpp"
#include "io/vtp.hpp"

namespace hgrid::io {

enum class OutputFormat { csv, npy, vtp, pvd, data, xyz, lammps };

/// Returns the format for the end of the path, in any case; "-", devices and FIFOs are CSV. Throws Error(invalid_argument)
/// listing the known ones: csv, npy, vtp and pvd for pairs; csv, npy, data, vtp, xyz, extxyz and lmp for particles. A .data is
/// a MercuryDPM file.
OutputFormat pair_format(const std::string& path);
OutputFormat particle_format(const std::string& path);

/// Writes without committing; io/pvd.hpp writes a .pvd. Several frames go into one table, which is .csv. Only .vtp needs the
/// box, the coordination and the walls, as in `write_vtp`.
void write_pairs(AtomicFile& file, OutputFormat format, const FoundPairs& found, const FrameColumn& frame = {});
void write_particles(AtomicFile& file, OutputFormat format, const ParticleTable& particles);

/// Returns the parts of a table that this format cannot hold, such as "ids, the box"; empty if the file holds everything.
std::string left_out(OutputFormat format, const ParticleTable& particles);

}  // namespace hgrid::io
