// SPDX-License-Identifier: BSD-3-Clause
// Measures and writes the entries of one list: plain loops, which compilers vectorise, compiled for each instruction set and
// chosen at run time.
#pragma once

#include "hgrid/core/measured_entries.hpp"
#include "host/neighbours/found_rows.hpp"

namespace hgrid::inline v0_2::detail {

/// The entries of the list of particle i in memory. Without codes and images all are in place.
struct ListRow {
  index_t i, count;
  const index_t* ids;
  const FoundRows::Code* codes;  ///< of images, or null
  const Image* images;           ///< instead of codes, or null
  const Image* wraps;            ///< periods by which each particle lay outside the box, not in the images; or null
};

/// Writes the wanted entries of a list from number `at` on, and returns where they end. Without columns it only counts.
template <class Real, int D>
offset_t write_row(const WantedEntries<Real, D>& wanted, const ListRow& row, const EntryColumns& to, offset_t at);

/// Call after the last row that a thread writes past the caches: other threads see the rows from here on.
void finish_rows();

}  // namespace hgrid::inline v0_2::detail
