// SPDX-License-Identifier: BSD-3-Clause
// A file cut into parts of about equal size, each for a reader of its own.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "io/particle_table.hpp"

namespace hgrid::io {

struct FilePart {
  int number, of;  ///< the first has number 0

  /// Returns where part k of [begin, end) begins.
  std::int64_t begin_of(int k, std::int64_t begin, std::int64_t end) const {
    return begin + (end - begin) / of * k + (end - begin) % of * k / of;
  }
};

/// Returns the particles in one part of a file; all parts, one after the other, give the particles of the file. Returns nothing
/// if a file cannot be read in parts: a text table with ids, a table that states a box between its rows, an .npy file in
/// Fortran order, other formats, streams and compressed files. `read_particles` reports errors with their place in the whole
/// file; this function throws any Error, or returns nothing.
std::optional<ParticleTable> read_particles_part(const std::string& path, const ReadOptions& options, const FilePart& part);

}  // namespace hgrid::io
