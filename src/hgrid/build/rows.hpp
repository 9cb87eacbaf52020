// SPDX-License-Identifier: BSD-3-Clause
// Rows of a neighbour list from pairs: count, scan, scatter, sort each row; and sorted pairs from rows.
#pragma once

#include "hgrid/build/lists.hpp"
#include "hgrid/build/neighbours.hpp"
#include "hgrid/build/reserve.hpp"
#include "hgrid/build/stages.hpp"

namespace hgrid::rows {

/// The buffers that `fill` fills; `next` is scratch.
template <class Exec>
struct Buffers {
  typename Exec::template Buffer<offset_t>& offsets;
  typename Exec::template Buffer<index_t>& neighbours;
  typename Exec::template Buffer<Image>& images;
  typename Exec::template Buffer<offset_t>& next;
};

struct Copy {
  const offset_t* from;
  offset_t* to;
  HGRID_HD void operator()(offset_t i) const { to[i] = from[i]; }
};

/// Turns pairs into rows 0 .. n - 1, each sorted; both rows of a pair if `full`. Throws `out_of_memory`.
template <Executor Exec>
void fill(const Exec& exec, const PairList<Exec>& pairs, bool full, index_t n, const Buffers<Exec>& b) {
  const offset_t entries = full ? 2 * pairs.size() : pairs.size();
  const offset_t room = entries > b.neighbours.size() ? entries + entries / 8 : entries;
  reserve_all(exec, Need{b.offsets, n + 1}, Need{b.next, n}, Need{b.neighbours, room},
              Need{b.images, pairs.has_images() ? room : 0});
  offset_t* offsets = b.offsets.data();
  Image* images = pairs.has_images() ? b.images.data() : nullptr;
  exec.for_each("hgrid::clear_rows", n, Fill<offset_t>{offsets, 0});
  exec.for_each("hgrid::count_rows", pairs.size(), CountRows<Exec>{pairs.pairs(), offsets, full});
  exec.exclusive_scan("hgrid::scan_rows", offsets, n);
  exec.for_each("hgrid::copy_rows", n, Copy{offsets, b.next.data()});
  exec.for_each("hgrid::scatter_rows", pairs.size(),
                ScatterToRows<Exec>{pairs.pairs(), pairs.images(), b.next.data(), b.neighbours.data(), images, full});
  const offset_t per_block = Exec::on_host ? 256 : 1;
  exec.for_each_block("hgrid::sort_rows", (n + per_block - 1) / per_block,
                      SortRows{n, per_block, offsets, b.neighbours.data(), images});
}

/// Writes the rows of a half list as sorted pairs.
template <Executor Exec, class Integer>
void write_sorted(const Exec& exec, const NeighbourList<Exec>& list, const PairOutput<Integer>& out) {
  exec.for_each("hgrid::write_sorted_pairs", list.rows(),
                WriteSortedPairs<Integer>{list.offsets(), list.neighbours(), list.images(), out.first, out.second,
                                          out.stride, out.image});
}

}  // namespace hgrid::rows
