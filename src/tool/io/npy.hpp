// SPDX-License-Identifier: BSD-3-Clause
// NumPy's .npy: reads and writes particles, writes pairs.
#pragma once

#include <optional>

#include "io/atomic_file.hpp"
#include "io/byte_source.hpp"
#include "io/file_part.hpp"
#include "io/pair_source.hpp"
#include "io/particle_table.hpp"

namespace hgrid::io {

/// Reads an array of little-endian '<f4' or '<f8', C or Fortran order, of shape N x 2 (x y: two dimensions), N x 3 (x y z) or N
/// x 4 (x y z r), or with one column per name in the options. N = 0 gives an empty table. Memory follows the bytes that exist,
/// not the shape. Throws Error(format) naming a byte, also for NaN and infinity unless the options skip such rows.
ParticleTable read_npy(ByteSource& source, const ReadOptions& options);

/// Returns the rows of one part of a plain file, in order. Returns nothing in Fortran order, or if there are fewer bytes than
/// declared.
std::optional<ParticleTable> read_npy_part(ByteSource& source, const ReadOptions& options, const FilePart& part);

/// Writes '<f8' of shape N x 4: x y z r, in 2-D with z = 0; for boxes N x 6: x y z hx hy hz. There is no room for ids and box.
void write_particles_npy(AtomicFile& file, const ParticleTable& table);

/// Writes a packed structured array: i, j ('<i8'), ix, iy, iz ('<i4'), overlap ('<f8').
void write_pairs_npy(AtomicFile& file, const PairSource& pairs, const ParticleTable& particles);

}  // namespace hgrid::io
