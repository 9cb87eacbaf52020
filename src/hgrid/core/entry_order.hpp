// SPDX-License-Identifier: BSD-3-Clause
// The order inside one neighbor list: by neighbor, then image. All entries differ, so the result does not depend on the order
// in which threads write them.
#pragma once

#include "hgrid/core/packed_neighbour.hpp"

namespace hgrid::inline v0_2::detail {

/// Returns the place in [begin, end) at which compare(place) is 0, or -1. compare must be negative before that place and
/// positive after it.
template <class Compare>
HGRID_HD offset_t find_sorted(offset_t begin, offset_t end, const Compare& compare) {
  while (begin < end) {
    const offset_t middle = begin + (end - begin) / 2;
    const int order = compare(middle);
    if (order == 0) return middle;
    if (order < 0) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return -1;
}

/// Sorts the entries [begin, begin + n); n should be small.
template <class Entries>
HGRID_HD void sort_by_insertion(const Entries& entries, offset_t begin, offset_t n) {
  for (offset_t k = begin + 1; k < begin + n; ++k) {
    const auto moving = entries.entry(k);
    offset_t to = k;
    for (; to > begin && Entries::less(moving, entries.entry(to - 1)); --to) entries.set(to, entries.entry(to - 1));
    entries.set(to, moving);
  }
}

/// The entries of lists in memory. `less` is the order within a list.
struct ListEntries {
  index_t* neighbours;
  Image* images;  // or null

  struct Entry {
    index_t neighbour;
    Image image;
  };

  HGRID_HD Entry entry(offset_t k) const { return {neighbours[k], images == nullptr ? Image{} : images[k]}; }

  HGRID_HD void set(offset_t k, const Entry& e) const {
    neighbours[k] = e.neighbour;
    if (images != nullptr) images[k] = e.image;
  }

  /// `image` may be null in an open box.
  HGRID_HD void put(offset_t k, index_t neighbour, const Image* image) const {
    neighbours[k] = neighbour;
    if (image != nullptr) images[k] = *image;
  }

  HGRID_HD static bool less(const Entry& a, const Entry& b) {
    if (a.neighbour != b.neighbour) return a.neighbour < b.neighbour;
    for (int k = 0; k < 3; ++k) {
      if (a.image.m[k] != b.image.m[k]) return a.image.m[k] < b.image.m[k];
    }
    return false;
  }

  /// For sorts that move whole entries: the key decides first, and the rest of the entry decides between equal keys.
  using Rest = Image;
  HGRID_HD index_t key(offset_t k) const { return neighbours[k]; }
  HGRID_HD bool has_rest() const { return images != nullptr; }
  HGRID_HD Image rest(offset_t k) const { return images[k]; }

  /// Writes one thread's part of n entries from `begin` on. Threads write images word by word, side by side.
  HGRID_HD void write(offset_t begin, int n, int thread, int threads, const index_t* keys, const Image* rests) const {
    for (int k = thread; k < n; k += threads) neighbours[begin + k] = keys[k];
    if (images == nullptr) return;
    const auto* const from = reinterpret_cast<const std::int32_t*>(rests);
    auto* const to = reinterpret_cast<std::int32_t*>(images + begin);
    for (int word = thread; word < 3 * n; word += threads) to[word] = from[word];
  }
};

struct PackedEntries {
  PackedNeighbour* entries;

  using Entry = PackedNeighbour;

  HGRID_HD Entry entry(offset_t k) const { return entries[k]; }
  HGRID_HD void set(offset_t k, Entry e) const { entries[k] = e; }
  HGRID_HD void put(offset_t k, index_t neighbour, const Image* image) const {
    entries[k] = PackedNeighbour::of(neighbour, image == nullptr ? Image{} : *image);
  }
  HGRID_HD static bool less(Entry a, Entry b) { return a < b; }

  using Rest = PackedNeighbour;
  HGRID_HD index_t key(offset_t k) const { return entries[k].neighbour(); }
  HGRID_HD bool has_rest() const { return true; }
  HGRID_HD Rest rest(offset_t k) const { return entries[k]; }
  HGRID_HD void write(offset_t begin, int n, int thread, int threads, const index_t* /*keys*/, const Rest* rests) const {
    for (int k = thread; k < n; k += threads) entries[begin + k] = rests[k];
  }
};

/// Sorts a list of any length in place, without further memory. Tuned for short lists.
template <class Entries>
class SortList {
 public:
  HGRID_HD SortList(const Entries& entries, offset_t begin) : entries_(entries), begin_(begin) {}

  HGRID_HD void operator()(offset_t n) const {
    if (n <= 24) return sort_by_insertion(entries_, begin_, n);
    for (offset_t root = n / 2 - 1; root >= 0; --root) sift(root, n);
    for (offset_t end = n - 1; end > 0; --end) {
      swap(0, end);
      sift(0, end);
    }
  }

 private:
  using Entry = typename Entries::Entry;

  HGRID_HD Entry entry(offset_t k) const { return entries_.entry(begin_ + k); }
  HGRID_HD void set(offset_t k, const Entry& e) const { entries_.set(begin_ + k, e); }

  HGRID_HD void swap(offset_t a, offset_t b) const {
    const Entry moving = entry(a);
    set(a, entry(b)), set(b, moving);
  }

  HGRID_HD void sift(offset_t root, offset_t n) const {
    for (offset_t child; (child = 2 * root + 1) < n; root = child) {
      if (child + 1 < n && Entries::less(entry(child), entry(child + 1))) ++child;
      if (!Entries::less(entry(root), entry(child))) return;
      swap(root, child);
    }
  }

  Entries entries_;
  offset_t begin_;
};

/// Sorts a block of lists.
template <class Offset, class Entries>
struct SortLists {
  offset_t lists, lists_per_item;
  const Offset* offsets;
  Entries entries;

  HGRID_HD void operator()(offset_t block) const {
    const offset_t end = (block + 1) * lists_per_item;
    for (offset_t list = block * lists_per_item; list < (end < lists ? end : lists); ++list) {
      SortList<Entries>(entries, offsets[list])(offsets[list + 1] - offsets[list]);
    }
  }
};

}  // namespace hgrid::inline v0_2::detail
