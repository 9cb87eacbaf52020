// SPDX-License-Identifier: BSD-3-Clause
// The writers' one door: the format of an output from its name.
#pragma once

#include <string>

#include "io/atomic_file.hpp"
#include "io/frame_column.hpp"
#include "io/pair_source.hpp"
#include "io/particle_table.hpp"
#include "io/vtp.hpp"

namespace hgrid::io {

enum class OutputFormat { csv, npy, vtp, pvd, data, xyz, lammps };

/// By the end of the path, whatever its case; "-" is CSV, and so are devices and FIFOs. Throws
/// Error(invalid_argument) naming what is known: csv, npy, vtp and pvd for pairs; csv, npy, data, vtp, xyz, extxyz and
/// lmp for particles. A .data is one of MercuryDPM.
OutputFormat pair_format(const std::string& path);
OutputFormat particle_format(const std::string& path);

/// Writes without committing; a .pvd is written by io/pvd.hpp. Several frames go into one table, which is .csv; only .vtp needs
/// the box, the coordination and the walls, as `write_vtp` takes them.
void write_pairs(AtomicFile& file, OutputFormat format, const FoundPairs& found, const FrameColumn& frame = {});
void write_particles(AtomicFile& file, OutputFormat format, const ParticleTable& particles);

/// Returns what is in a table and not in a file of this format, such as "ids, the box"; empty if the file holds everything.
std::string left_out(OutputFormat format, const ParticleTable& particles);

}  // namespace hgrid::io
