// SPDX-License-Identifier: BSD-3-Clause
// Pairs of particles from a file, which a search is to leave out.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hgrid/core/types.hpp"

namespace hgrid::io {

/// Reads a text table of two ids a row, of `particles` particles, and returns the pairs sorted. A header names the columns
/// i and j among any others, as in the pairs that the tool writes; without one each row has these two. Lines that begin with
/// '#' are passed over. Throws Error(io), and Error(format) naming line, column and value.
std::vector<Pair> read_excluded_pairs(const std::string& path, std::int64_t particles);

}  // namespace hgrid::io
