// SPDX-License-Identifier: BSD-3-Clause
// Text tables: a row per particle; comma, semicolon, or blanks and tabs between columns; LF or CRLF.
#pragma once

#include <optional>

#include "io/atomic_file.hpp"
#include "io/byte_source.hpp"
#include "io/file_part.hpp"
#include "io/particle_table.hpp"

namespace hgrid::io {

/// Reads a text table. A header names columns in any order (see role_of); "# x y z r" and Yade's "#format x_y_z_r" are also
/// headers, and the options may name columns instead. A row of units may follow it. Without a header two columns mean x y,
/// three x y z, and four x y z r. Lines that begin with '#' or '%' are comments, except "# box x0 y0 z0 x1 y1 z1" (in 2-D "#
/// box x0 y0 x1 y1"), which states the box. Blank lines are ignored. A column named id must hold integers, each once; columns
/// with other names are ignored. Throws Error(format), also for a table without rows.
ParticleTable read_text_table(ByteSource& source, const ReadOptions& options);

/// Returns the rows of one part of a plain file, in order. Returns nothing if rows have ids, or boxes are stated between them.
/// Errors name lines by their numbers in the part.
std::optional<ParticleTable> read_text_part(ByteSource& source, const ReadOptions& options, const FilePart& part);

/// Writes a "# box" line if there is a box along the axes, a header and a row per particle, "x,y,z,r" or in 2-D "x,y,r", after
/// "id" if there are ids; for boxes "hx,hy,hz" instead of "r". Numbers have the fewest digits that read back to exactly the
/// same double.
void write_particles_csv(AtomicFile& file, const ParticleTable& table);

}  // namespace hgrid::io
