// SPDX-License-Identifier: BSD-3-Clause
// A neighbour list from pairs: count, scan, scatter, sort the list of each particle; and sorted pairs from it.
#pragma once

#include "hgrid/engine/entry_order.hpp"
#include "hgrid/engine/reserve.hpp"
#include "hgrid/engine/stages.hpp"
#include "hgrid/lists.hpp"

namespace hgrid::inline v0_1::detail {

/// Pairs that are to become lists 0 .. lists - 1; both lists of a pair if `full`, but for those that are marked.
struct ListInput {
  const Pair* pairs;
  const Image* images;  // or null
  offset_t count;
  index_t lists;
  bool full;
  bool one_sided = false;  ///< some pair may be marked (`marked` in core/contact.hpp)

  /// How many there are, or where pairs are marked, at most are.
  HGRID_HD offset_t entries() const { return full ? 2 * count : count; }

  /// Calls put(list, neighbour, image or null) for each entry of pair k, none of them being marked.
  template <class Put>
  HGRID_HD void for_each_entry_unmarked(offset_t k, const Put& put) const {
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

  /// The same of any pairs.
  template <class Put>
  HGRID_HD void for_each_entry(offset_t k, const Put& put) const {
    const index_t j = pairs[k].j;
    if (!one_sided || j >= 0) return for_each_entry_unmarked(k, put);
    put(pairs[k].i, marked(j), images == nullptr ? nullptr : &images[k]);
  }
};

/// The lists to be filled: offsets [lists + 1], entries [ListInput::entries()].
struct ListArrays {
  offset_t* offsets;
  ListEntries entries;
};

template <class Exec>
struct CountEntries {
  ListInput in;
  offset_t* counts;

  HGRID_HD void operator()(offset_t k) const {
    in.for_each_entry(k, [&](index_t list, index_t, const Image*) { Exec::atomic_add(&counts[list], offset_t{1}); });
  }
};

/// Puts each pair into its list or lists; `next` holds the lists' offsets and is advanced.
template <class Exec>
struct ScatterEntry {
  ListInput in;
  offset_t* next;
  ListEntries out;

  HGRID_HD void operator()(offset_t k) const {
    in.for_each_entry(k, [&](index_t list, index_t neighbour, const Image* image) {
      const offset_t to = Exec::atomic_add(&next[list], offset_t{1});
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

/// Sorts pairs into lists by one atomic counter for each list. Executors name such a class as their `ListSort`.
template <class Exec>
class ScatterEntries {
 public:
  void reserve(const Exec& exec, const ListInput& in) {
    reserve_all(exec, Need{next_, in.lists});
    exec.template reserve_scan<offset_t>(in.lists);
    exec.reserve_lists(in.lists, in.entries());
  }

  void run(const Exec& exec, const ListInput& in, const ListArrays& out) {
    const offset_t lists = in.lists;
    exec.for_each("hgrid::clear_lists", lists, Fill<offset_t>{out.offsets, 0});
    exec.for_each("hgrid::count_entries", in.count, CountEntries<Exec>{in, out.offsets});
    exec.exclusive_scan("hgrid::scan_lists", out.offsets, lists);
    exec.for_each("hgrid::copy_lists", lists, CopyOffsets{out.offsets, next_.data()});
    exec.for_each("hgrid::scatter_entries", in.count, ScatterEntry<Exec>{in, next_.data(), out.entries});
    exec.sort_lists(lists, out.offsets, out.entries, in.entries());
  }

  std::size_t bytes() const { return next_.bytes(); }

 private:
  typename Exec::template Buffer<offset_t> next_;
};

/// Writes the lists of a half list as pairs sorted by (i, j, image).
template <class Integer>
struct WriteSortedPairs {
  ListView in;
  PairColumns<Integer> out;

  HGRID_HD void operator()(offset_t list) const {
    for (offset_t k = in.offsets[list]; k < in.offsets[list + 1]; ++k) {
      out.first[k * out.stride] = static_cast<Integer>(list);
      out.second[k * out.stride] = static_cast<Integer>(in.neighbours[k]);
      if (out.image != nullptr) out.image[k] = in.image(k);
    }
  }
};

/// How many entries the longest list has.
struct LongestList {
  offset_t entries = 0;
  HGRID_HD void join(const LongestList& o) { entries = o.entries > entries ? o.entries : entries; }
};

struct MeasureList {
  const offset_t* offsets;
  HGRID_HD void operator()(offset_t list, LongestList& longest) const { longest.join({offsets[list + 1] - offsets[list]}); }
};

/// Writes a list as a line of the matrix, which is wide enough.
template <class Integer>
struct WriteMatrix {
  ListView in;
  NeighbourMatrix<Integer> out;

  HGRID_HD void operator()(offset_t list) const {
    const offset_t begin = in.offsets[list], n = in.offsets[list + 1] - begin;
    if (out.counts != nullptr) out.counts[list] = static_cast<Integer>(n);
    for (offset_t k = 0; k < out.width; ++k) {
      const offset_t to = list * out.width + k;
      out.neighbours[to] = k < n ? static_cast<Integer>(in.neighbours[begin + k]) : out.padding;
      if (out.images != nullptr) out.images[to] = k < n ? in.image(begin + k) : Image{};
    }
  }
};

template <class Exec, class Memory, class Integer>
void write_sorted_pairs(const Exec& exec, const NeighbourArrays<Memory>& lists, const PairColumns<Integer>& out) {
  exec.for_each("hgrid::write_sorted_pairs", lists.lists, WriteSortedPairs<Integer>{ListView(lists), out});
}

}  // namespace hgrid::inline v0_1::detail
