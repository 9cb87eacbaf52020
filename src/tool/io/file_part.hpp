// SPDX-License-Identifier: BSD-3-Clause
// A file cut into parts of about the same size, each for a reader of its own.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "io/particle_table.hpp"

namespace hgrid::io {

struct FilePart {
  int number, of;  ///< the first has number 0

  /// Where part k of [begin, end) begins.
  std::int64_t begin_of(int k, std::int64_t begin, std::int64_t end) const {
    return begin + (end - begin) / of * k + (end - begin) % of * k / of;
  }
};

/// The particles in one part of a file; those of all parts, one after the other, are those of the file. Nothing where a file
/// cannot be read in parts: a text table with ids, one that states a box between its rows, an .npy file in Fortran order, other
/// formats, streams and compressed files. What is wrong with a file as a whole, or where, `read_particles` says: this throws
/// any Error, or returns nothing.
std::optional<ParticleTable> read_particles_part(const std::string& path, const ReadOptions& options, const FilePart& part);

}  // namespace hgrid::io
