// SPDX-License-Identifier: BSD-3-Clause
// Entries of neighbor lists as one word each, for their sort.
#pragma once

#include "hgrid/core/image_code.hpp"
#include "hgrid/core/packed_neighbour.hpp"

namespace hgrid::inline v0_2::detail {

/// The number of the entry's list in a bucket of lists, the neighbor, the image's code: in the order of entries.
using EntryWord = std::uint64_t;

inline constexpr int neighbour_bits = 31, list_shift = neighbour_bits + image_code_bits;

inline EntryWord entry_word(EntryWord list, index_t neighbour, std::uint32_t code) {
  return list << list_shift | static_cast<EntryWord>(neighbour) << image_code_bits | code;
}
inline index_t neighbour_of(EntryWord e) { return static_cast<index_t>(e >> image_code_bits & INT32_MAX); }
inline Image image_of(EntryWord e) { return image_of_code(static_cast<std::uint32_t>(e)); }
/// Returns PackedNeighbour::of(neighbour_of(e), image_of(e)), with five instructions less of the 145 per entry.
inline PackedNeighbour packed_of(EntryWord e) {
  constexpr int axis = PackedNeighbour::axis_bits;
  constexpr std::uint64_t shifted = PackedNeighbour::of(0, Image{}).bits - (16ull << 2 * axis | 16ull << axis | 16ull);
  const std::uint64_t code = (e >> 10 & 31) << 2 * axis | (e >> 5 & 31) << axis | (e & 31);
  return {(e >> image_code_bits & INT32_MAX) << 3 * axis | (code + shifted)};
}

}  // namespace hgrid::inline v0_2::detail
