// SPDX-License-Identifier: BSD-3-Clause
// Pairs as text.
#pragma once

#include "io/atomic_file.hpp"
#include "io/pair_source.hpp"

namespace hgrid::io {

/// Writes a header and a row per pair, "i,j,ix,iy,iz,overlap"; overlaps read back to the same double.
void write_pairs_csv(AtomicFile& file, const PairSource& pairs);

}  // namespace hgrid::io
