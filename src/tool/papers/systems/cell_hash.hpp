// SPDX-License-Identifier: BSD-3-Clause
// The hash table of occupied cells, with which the papers of the hierarchical grid save memory.
#pragma once

#include <bit>
#include <vector>

#include "hgrid/core/types.hpp"

namespace hgrid::reference {

/// Cells with non-negative coordinates, each with the first of its particles. Open addressing.
template <int D>
class CellHash {
 public:
  static constexpr int bits = D == 3 ? 21 : 31;  ///< of a coordinate

  explicit CellHash(index_t most_cells)
      : slots_(std::bit_ceil(2 * static_cast<std::size_t>(most_cells) + 2), Entry{none, -1}),
        shift_(64 - std::countr_zero(slots_.size())) {}

  /// Returns the first particle of a cell, -1 if it is empty.
  index_t first(const Vec<index_t, D>& cell) const { return slots_[place_of(key_of(cell))].first; }

  /// Returns the first particle of a cell, to be set; the cell is occupied from then on.
  index_t& occupy(const Vec<index_t, D>& cell) {
    Entry& entry = slots_[place_of(key_of(cell))];
    if (entry.key == none) entry.key = key_of(cell), occupied_.push_back(cell);
    return entry.first;
  }

  const std::vector<Vec<index_t, D>>& occupied() const { return occupied_; }

 private:
  static constexpr cell_key_t none = ~cell_key_t{0};
  struct Entry {
    cell_key_t key;
    index_t first;
  };

  static cell_key_t key_of(const Vec<index_t, D>& cell) {
    cell_key_t key = 0;
    for (int k = 0; k < D; ++k) key = key << bits | static_cast<cell_key_t>(cell[k]);
    return key;
  }

  std::size_t place_of(cell_key_t key) const {
    std::size_t at = key * 0x9e3779b97f4a7c15u >> shift_;  // the golden ratio spreads neighboring cells
    while (slots_[at].key != key && slots_[at].key != none) at = (at + 1) & (slots_.size() - 1);
    return at;
  }

  std::vector<Entry> slots_;
  int shift_;
  std::vector<Vec<index_t, D>> occupied_;
};

}  // namespace hgrid::reference
