// SPDX-License-Identifier: BSD-3-Clause
// Tells whether a pair is excluded. Every touching pair is checked, so particles without exclusions must cost next to nothing.
#pragma once

#include "hgrid/core/types.hpp"

namespace hgrid::inline v0_2::detail {

/// A word with one bit for each of 64 consecutive ids: set if the id has a list. The words of a million particles fit the
/// cache.
using ListedIds = std::uint64_t;
inline constexpr int ids_per_word = 64;

HGRID_HD constexpr offset_t words_of_ids(offset_t ids) { return (ids + ids_per_word - 1) / ids_per_word; }

/// Exclusions as lists of ascending ids: within one build, or between query and target particles.
struct ExclusionTable {
  const ListedIds* listed;  ///< null: there are no exclusions
  const offset_t* begin;    ///< [lists + 1]
  const index_t* ids;

  HGRID_HD bool excludes(index_t i, index_t j) const {
    const bool of_i = is_listed(i), of_j = is_listed(j);
    if (!(of_i | of_j)) return false;  // one branch, which is nearly always taken
    return (of_i && has_entry(i, j)) || (of_j && has_entry(j, i));
  }

  /// Returns whether j, an id of another set, is in the list of i.
  HGRID_HD bool has(index_t i, index_t j) const { return is_listed(i) && has_entry(i, j); }

 private:
  HGRID_HD bool is_listed(index_t i) const {
    const auto at = static_cast<std::uint32_t>(i);
    return (listed[at / ids_per_word] >> (at % ids_per_word) & 1) != 0;
  }

  HGRID_HD bool has_entry(index_t i, index_t j) const {
    for (offset_t first = begin[i], end = begin[i + 1]; first < end;) {
      const offset_t middle = first + (end - first) / 2;
      if (ids[middle] == j) return true;
      if (ids[middle] < j) {
        first = middle + 1;
      } else {
        end = middle;
      }
    }
    return false;
  }
};

}  // namespace hgrid::inline v0_2::detail
