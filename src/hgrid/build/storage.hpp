// SPDX-License-Identifier: BSD-3-Clause
// All memory of a grid, in the executor's space: grow-only, reserved together before a build writes anything.
#pragma once

#include "hgrid/build/inspect.hpp"
#include "hgrid/build/radix_sort.hpp"
#include "hgrid/build/reserve.hpp"
#include "hgrid/core/grid_view.hpp"

namespace hgrid {

/// What a build needs room for.
struct StorageSize {
  offset_t particles = 0;
  key_t cells = 0;
  TableKind table = TableKind::dense;
  KeyOrder keys = KeyOrder::row_major;
  bool groups = false, periodic = false;
};

template <Executor Exec, int D>
struct Storage {
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

  SortBuffers<Exec> sort;                    // id[current] stays: the particle of each slot
  Buffer<double> x[D], radius;               // slots
  Buffer<index_t> group;
  Buffer<Image> wraps;
  Buffer<Level<D>> levels;
  Buffer<double> radius_max;
  Buffer<index_t> level_begin;
  Buffer<index_t> cell_begin, cell_end;      // cell_end: dense Morton; compacted: places, the last being the count
  Buffer<key_t> cell_key;

  void reserve(const Exec& exec, const StorageSize& s) {
    const offset_t n = s.particles, padded = n + slot_padding, cells = static_cast<offset_t>(s.cells);
    const bool dense = s.table == TableKind::dense;
    const bool morton = s.keys == KeyOrder::morton;
    reserve_coordinates(
        exec, padded, Need{sort.key[0], n}, Need{sort.key[1], n}, Need{sort.id[0], n}, Need{sort.id[1], n},
        Need{sort.counts, SortBuffers<Exec>::counts_needed(exec, n)}, Need{radius, padded},
        Need{group, s.groups ? n : 0}, Need{wraps, s.periodic ? n : 0}, Need{levels, max_levels},
        Need{radius_max, max_levels}, Need{level_begin, max_levels + 1}, Need{cell_begin, (dense ? cells : n) + 1},
        Need{cell_end, dense ? (morton ? cells : 0) : n + 1}, Need{cell_key, dense ? 0 : n});
  }

  std::size_t bytes() const {
    std::size_t sum = radius.bytes() + group.bytes() + wraps.bytes() + levels.bytes() + radius_max.bytes() +
                      level_begin.bytes() + cell_begin.bytes() + cell_end.bytes() + cell_key.bytes() +
                      sort.counts.bytes();
    for (int k = 0; k < 2; ++k) sum += sort.key[k].bytes() + sort.id[k].bytes();
    for (int k = 0; k < D; ++k) sum += x[k].bytes();
    return sum;
  }

 private:
  template <class... Needs>
  void reserve_coordinates(const Exec& exec, offset_t n, Needs... needs) {
    if constexpr (D == 2) {
      reserve_all(exec, needs..., Need{x[0], n}, Need{x[1], n});
    } else {
      reserve_all(exec, needs..., Need{x[0], n}, Need{x[1], n}, Need{x[2], n});
    }
  }
};

}  // namespace hgrid
