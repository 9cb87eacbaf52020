// SPDX-License-Identifier: BSD-3-Clause
// Pairs of particles from a file, which a search must leave out.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hgrid/core/types.hpp"
#include "io/particle_table.hpp"

namespace hgrid::io {

/// Reads a text table of two ids per row and returns the pairs of indices, sorted. Ids are the ids of the particles, or else
/// their indices. A header names the columns i and j among any others, as in the pairs that the tool writes; without a header
/// each row has exactly these two. Lines that begin with '#' are skipped. Throws Error(io), and Error(format) naming line,
/// column and value.
std::vector<Pair> read_excluded_pairs(const std::string& path, const ParticleTable& particles);

}  // namespace hgrid::io
