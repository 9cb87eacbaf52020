// SPDX-License-Identifier: BSD-3-Clause
// From the view to results: loops over blocks of slots around the search, and the sort into rows. Slots are
// handed out in blocks so that counts cost little memory; the coarsest particles, which search most under
// Top-Down, are in the last slots and start first.
#pragma once

#include "hgrid/build/executor.hpp"
#include "hgrid/core/search.hpp"

namespace hgrid {

inline constexpr offset_t slots_per_block = 64;

HGRID_HD inline offset_t block_end(offset_t block, offset_t slots) {
  const offset_t end = (block + 1) * slots_per_block;
  return end < slots ? end : slots;
}

/// Number of contacts per block of slots.
template <int D>
struct CountContacts {
  GridView<D> grid;
  offset_t* counts;

  HGRID_HD void operator()(offset_t block) const {
    offset_t n = 0;
    for (offset_t p = block * slots_per_block; p < block_end(block, grid.slots()); ++p) {
      for_each_partner_slot<Visit::once>(grid, static_cast<index_t>(p), [&](index_t, const Shift<D>&) { ++n; });
    }
    counts[block] = n;
  }
};

/// Writes the contacts of each block from its offset on.
template <int D>
struct WriteContacts {
  GridView<D> grid;
  const offset_t* offsets;
  Pair* pairs;
  Image* images;  // or null

  HGRID_HD void operator()(offset_t block) const {
    offset_t to = offsets[block];
    for (offset_t p = block * slots_per_block; p < block_end(block, grid.slots()); ++p) {
      for_each_contact(grid, static_cast<index_t>(p), [&](index_t i, index_t j, const Image& image) {
        pairs[to] = {i, j};
        if (images != nullptr) images[to] = image;
        ++to;
      });
    }
  }
};

/// The user's functor, called as f(i, j, image) once for each contact.
template <int D, class F>
struct VisitContacts {
  GridView<D> grid;
  F f;

  HGRID_HD void operator()(offset_t block) const {
    for (offset_t p = block * slots_per_block; p < block_end(block, grid.slots()); ++p) {
      for_each_contact(grid, static_cast<index_t>(p), f);
    }
  }
};

/// The user's functor, called as f(i, j, image) for all partners j of each particle i, by one thread per i.
template <int D, class F>
struct VisitPartners {
  GridView<D> grid;
  F f;

  HGRID_HD void operator()(offset_t block) const {
    for (offset_t p = block * slots_per_block; p < block_end(block, grid.slots()); ++p) {
      const index_t i = grid.id[p];
      for_each_partner(grid, static_cast<index_t>(p), [&](index_t j, const Image& image) { f(i, j, image); });
    }
  }
};

/// Row lengths of a neighbour list, from pairs.
template <class Exec>
struct CountRows {
  const Pair* pairs;
  offset_t* counts;
  bool full;

  HGRID_HD void operator()(offset_t k) const {
    Exec::atomic_add(&counts[pairs[k].i], offset_t{1});
    if (full) Exec::atomic_add(&counts[pairs[k].j], offset_t{1});
  }
};

/// Puts each pair into its row or rows; `next` holds the rows' offsets and is advanced.
template <class Exec>
struct ScatterToRows {
  const Pair* pairs;
  const Image* pair_images;  // or null
  offset_t* next;
  index_t* neighbours;
  Image* images;
  bool full;

  HGRID_HD void operator()(offset_t k) const {
    const auto [i, j] = pairs[k];
    put(i, j, k, false);
    if (full) put(j, i, k, true);
  }

 private:
  HGRID_HD void put(index_t row, index_t neighbour, offset_t k, bool mirrored) const {
    const offset_t to = Exec::atomic_add(&next[row], offset_t{1});
    neighbours[to] = neighbour;
    if (pair_images != nullptr) images[to] = mirrored ? -pair_images[k] : pair_images[k];
  }
};

/// Sorts a block of rows, each by neighbour, then image: a heap sort, in place and without a bound on the row's
/// length. Entries are distinct, so the result does not depend on the order in which threads put them.
struct SortRows {
  offset_t rows, rows_per_block;
  const offset_t* offsets;
  index_t* neighbours;
  Image* images;  // or null

  HGRID_HD void operator()(offset_t block) const {
    const offset_t end = (block + 1) * rows_per_block;
    for (offset_t row = block * rows_per_block; row < (end < rows ? end : rows); ++row) sort(row);
  }

 private:
  HGRID_HD void sort(offset_t row) const {
    const offset_t begin = offsets[row], n = offsets[row + 1] - begin;
    for (offset_t root = n / 2 - 1; root >= 0; --root) sift(begin, root, n);
    for (offset_t end = n - 1; end > 0; --end) {
      swap(begin, begin + end);
      sift(begin, 0, end);
    }
  }

  HGRID_HD bool less(offset_t a, offset_t b) const {
    if (neighbours[a] != neighbours[b] || images == nullptr) return neighbours[a] < neighbours[b];
    for (int k = 0; k < 3; ++k) {
      if (images[a].m[k] != images[b].m[k]) return images[a].m[k] < images[b].m[k];
    }
    return false;
  }

  HGRID_HD void swap(offset_t a, offset_t b) const {
    const index_t neighbour = neighbours[a];
    neighbours[a] = neighbours[b], neighbours[b] = neighbour;
    if (images == nullptr) return;
    const Image image = images[a];
    images[a] = images[b], images[b] = image;
  }

  HGRID_HD void sift(offset_t begin, offset_t root, offset_t n) const {
    for (offset_t child; (child = 2 * root + 1) < n; root = child) {
      if (child + 1 < n && less(begin + child, begin + child + 1)) ++child;
      if (!less(begin + root, begin + child)) return;
      swap(begin + root, begin + child);
    }
  }
};

/// Writes the rows of a half list as pairs sorted by (i, j, image).
template <class Integer>
struct WriteSortedPairs {
  const offset_t* offsets;
  const index_t* neighbours;
  const Image* images;  // or null
  Integer* first;
  Integer* second;
  std::ptrdiff_t stride;
  Image* images_out;

  HGRID_HD void operator()(offset_t row) const {
    for (offset_t k = offsets[row]; k < offsets[row + 1]; ++k) {
      first[k * stride] = static_cast<Integer>(row);
      second[k * stride] = static_cast<Integer>(neighbours[k]);
      if (images_out != nullptr) images_out[k] = images != nullptr ? images[k] : Image{};
    }
  }
};

/// The work of a search, counted: candidates tested, runs looked up.
struct WorkCount {
  offset_t candidates = 0, look_ups = 0;
  HGRID_HD void join(const WorkCount& o) { candidates += o.candidates, look_ups += o.look_ups; }
};

template <int D>
struct CountWork {
  GridView<D> grid;

  HGRID_HD void operator()(offset_t p, WorkCount& work) const {
    if (p >= grid.slots()) return;
    for_each_candidate_run<Visit::once>(grid, static_cast<index_t>(p),
                                        [&](index_t begin, index_t end, const Shift<D>&) {
                                          ++work.look_ups;
                                          if (begin < end) work.candidates += end - begin;
                                        });
  }
};

}  // namespace hgrid
