// SPDX-License-Identifier: BSD-3-Clause
// Rows of a neighbour list from pairs: count, scan, scatter, sort each row; and sorted pairs from rows.
#pragma once

#include "hgrid/engine/reserve.hpp"
#include "hgrid/engine/row_order.hpp"
#include "hgrid/engine/stages.hpp"
#include "hgrid/lists.hpp"

namespace hgrid {

/// Pairs that are to become rows 0 .. rows - 1; both rows of a pair if `full`.
struct RowInput {
  const Pair* pairs;
  const Image* images;  // or null
  offset_t count;
  index_t rows;
  bool full;

  HGRID_HD offset_t entries() const { return full ? 2 * count : count; }

  /// Calls put(row, neighbour, image or null) for each entry of pair k.
  template <class Put>
  HGRID_HD void for_each_entry(offset_t k, const Put& put) const {
    const auto [i, j] = pairs[k];
    if (images == nullptr) {
      put(i, j, nullptr);
      if (full) put(j, i, nullptr);
    } else {
      put(i, j, &images[k]);
      const Image turned = -images[k];
      if (full) put(j, i, &turned);
    }
  }
};

/// The rows to be filled: offsets [rows + 1], entries [RowInput::entries()].
struct RowArrays {
  offset_t* offsets;
  RowEntries entries;
};

template <class Exec>
struct CountRows {
  RowInput in;
  offset_t* counts;

  HGRID_HD void operator()(offset_t k) const {
    in.for_each_entry(k, [&](index_t row, index_t, const Image*) { Exec::atomic_add(&counts[row], offset_t{1}); });
  }
};

/// Puts each pair into its row or rows; `next` holds the rows' offsets and is advanced.
template <class Exec>
struct ScatterToRows {
  RowInput in;
  offset_t* next;
  RowEntries out;

  HGRID_HD void operator()(offset_t k) const {
    in.for_each_entry(k, [&](index_t row, index_t neighbour, const Image* image) {
      const offset_t to = Exec::atomic_add(&next[row], offset_t{1});
      out.neighbours[to] = neighbour;
      if (image != nullptr) out.images[to] = *image;
    });
  }
};

struct CopyOffsets {
  const offset_t* from;
  offset_t* to;
  HGRID_HD void operator()(offset_t i) const { to[i] = from[i]; }
};

/// Sorts pairs into rows by one atomic counter for each row. Executors name such a class as their `RowSort`.
template <class Exec>
class ScatterRows {
 public:
  void reserve(const Exec& exec, const RowInput& in) {
    reserve_all(exec, Need{next_, in.rows});
    exec.template reserve_scan<offset_t>(in.rows);
    exec.reserve_rows(in.rows, in.entries());
  }

  void run(const Exec& exec, const RowInput& in, const RowArrays& out) {
    const offset_t rows = in.rows;
    exec.for_each("hgrid::clear_rows", rows, Fill<offset_t>{out.offsets, 0});
    exec.for_each("hgrid::count_rows", in.count, CountRows<Exec>{in, out.offsets});
    exec.exclusive_scan("hgrid::scan_rows", out.offsets, rows);
    exec.for_each("hgrid::copy_rows", rows, CopyOffsets{out.offsets, next_.data()});
    exec.for_each("hgrid::scatter_rows", in.count, ScatterToRows<Exec>{in, next_.data(), out.entries});
    exec.sort_rows(rows, out.offsets, out.entries, in.entries());
  }

  std::size_t bytes() const { return next_.bytes(); }

 private:
  typename Exec::template Buffer<offset_t> next_;
};

/// Writes the rows of a half list as pairs sorted by (i, j, image).
template <class Integer>
struct WriteSortedPairs {
  ListRows in;
  PairColumns<Integer> out;

  HGRID_HD void operator()(offset_t row) const {
    for (offset_t k = in.offsets[row]; k < in.offsets[row + 1]; ++k) {
      out.first[k * out.stride] = static_cast<Integer>(row);
      out.second[k * out.stride] = static_cast<Integer>(in.neighbours[k]);
      if (out.image != nullptr) out.image[k] = in.image(k);
    }
  }
};

template <class Exec, class Memory, class Integer>
void write_sorted_pairs(const Exec& exec, const NeighbourArrays<Memory>& rows, const PairColumns<Integer>& out) {
  exec.for_each("hgrid::write_sorted_pairs", rows.rows, WriteSortedPairs<Integer>{ListRows(rows), out});
}

}  // namespace hgrid
