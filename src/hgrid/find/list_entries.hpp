// SPDX-License-Identifier: BSD-3-Clause
// Neighbor lists from pairs: counts, scans, scatters, sorts the list of each particle. Also sorted pairs from lists.
#pragma once

#include "hgrid/cells/stages.hpp"
#include "hgrid/core/entry_order.hpp"
#include "hgrid/find/lists_have_room.hpp"
#include "hgrid/lists.hpp"
#include "hgrid/memory/reserve.hpp"

namespace hgrid::inline v0_2::detail {

/// Pairs that become lists 0 .. lists - 1. With `full`, each pair goes into both lists, except marked pairs.
struct ListInput {
  const Pair* pairs;
  const Image* images;  // or null
  offset_t count;
  index_t lists;
  bool full;
  bool one_sided = false;              ///< some pair may be marked (`marked` in core/contact.hpp)
  const offset_t* admitted = nullptr;  ///< the number of pairs, if the host does not know it; `count` is then the largest
                                       ///< possible number

  HGRID_HD bool has(offset_t k) const { return admitted == nullptr || k < *admitted; }

  /// Returns the number of entries; if pairs are marked, the largest possible number.
  HGRID_HD offset_t entries() const { return full ? 2 * count : count; }

  /// Calls put(list, neighbour, image or null) for each entry of pair k. No pair may be marked.
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

  /// Calls put(list, neighbour, image or null) for each entry of pair k, which may be marked.
  template <class Put>
  HGRID_HD void for_each_entry(offset_t k, const Put& put) const {
    const index_t j = pairs[k].j;
    if (!one_sided || j >= 0) return for_each_entry_unmarked(k, put);
    put(pairs[k].i, marked(j), images == nullptr ? nullptr : &images[k]);
  }
};

/// The lists to be filled: offsets [lists + 1], entries [ListInput::entries()].
template <class Entries = ListEntries>
struct ListArrays {
  offset_t* offsets;
  Entries entries;
};
template <class Entries>
ListArrays(offset_t*, Entries) -> ListArrays<Entries>;  // clang 14 does not deduce this

template <class Exec>
struct CountEntries {
  ListInput in;
  offset_t* counts;

  HGRID_HD void operator()(offset_t k) const {
    if (!in.has(k)) return;
    in.for_each_entry(k, [&](index_t list, index_t, const Image*) { Exec::atomic_add(&counts[list], offset_t{1}); });
  }
};

/// Writes each pair into its list or lists. `next` holds the lists' offsets and is advanced.
template <class Exec, class Entries>
struct ScatterEntry {
  ListInput in;
  offset_t* next;
  Entries out;

  HGRID_HD void operator()(offset_t k) const {
    if (!in.has(k)) return;
    in.for_each_entry(k, [&](index_t list, index_t neighbour, const Image* image) {
      out.put(Exec::atomic_add(&next[list], offset_t{1}), neighbour, image);
    });
  }
};

/// Decides how many pairs go into enqueued lists: all that were found, or none if the pairs or the entries have no room.
struct AdmitPairs {
  const offset_t* found;
  offset_t room;  // for pairs
  offset_t entries_of_pair, room_of_entries;
  offset_t* needed;    // number of entries, or -1 if it is unknown
  offset_t* admitted;  // number of pairs

  HGRID_HD void operator()(offset_t) const {
    const offset_t n = *found <= room ? *found : -1;
    *needed = n < 0 ? -1 : n * entries_of_pair;
    *admitted = n < 0 || *needed > room_of_entries ? 0 : n;
  }
};

/// Corrects the number of entries, which was computed as if each pair were in two lists although some are in one.
struct KeepNumber {
  const offset_t* entries;
  offset_t room;
  offset_t* needed;

  HGRID_HD void operator()(offset_t) const {
    if (*needed > 0 && *needed <= room) *needed = *entries;
  }
};

/// Sorts pairs into lists, with one atomic counter for each list. Executors name such a class as their `ListSort`.
template <class Exec>
class ScatterEntries {
 public:
  void reserve(const Exec& exec, const ListInput& in) {
    reserve_all(exec, Need{next_, in.lists});
    exec.template reserve_scan<offset_t>(in.lists);
    exec.reserve_lists(in.lists, in.entries());
  }

  template <class Entries>
  void run(const Exec& exec, const ListInput& in, const ListArrays<Entries>& out) {
    count(exec, in, out.offsets, [] {});
    const auto copy = [&](offset_t* next) {
      exec.for_each("hgrid::copy_lists", in.lists, CopyAll<offset_t>{out.offsets, next});
    };
    write(exec, in, out, in.entries(), copy);
  }

  /// Computes the offsets of lists. `begin` counts the lists' other entries first.
  template <class Begin>
  void count(const Exec& exec, const ListInput& in, offset_t* offsets, const Begin& begin) {
    exec.for_each("hgrid::clear_lists", in.lists, Fill<offset_t>{offsets, 0});
    begin();
    exec.for_each("hgrid::count_entries", in.count, CountEntries<Exec>{in, offsets});
    exec.exclusive_scan("hgrid::scan_lists", offsets, in.lists);
  }

  /// Writes at most `most` entries, after the entries that `begin(next)` writes. `begin` leaves in `next` where each list
  /// continues.
  template <class Entries, class Begin>
  void write(const Exec& exec, const ListInput& in, const ListArrays<Entries>& out, offset_t most, const Begin& begin) {
    begin(next_.data());
    exec.for_each("hgrid::scatter_entries", in.count, ScatterEntry<Exec, Entries>{in, next_.data(), out.entries});
    exec.sort_lists(in.lists, out.offsets, out.entries, most);
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
    const offset_t behind = in.offsets[list + 1] < out.size ? in.offsets[list + 1] : out.size;
    for (offset_t k = in.offsets[list]; k < behind; ++k) {
      out.first[k * out.stride] = static_cast<Integer>(list);
      out.second[k * out.stride] = static_cast<Integer>(in.neighbours[k]);
      if (out.image != nullptr) out.image[k] = in.image(k);
    }
  }
};

/// The number of entries of the longest list.
struct LongestList {
  offset_t entries = 0;
  HGRID_HD void join(const LongestList& o) { entries = o.entries > entries ? o.entries : entries; }
};

struct MeasureList {
  const offset_t* offsets;
  HGRID_HD void operator()(offset_t list, LongestList& longest) const { longest.join({offsets[list + 1] - offsets[list]}); }
};

/// Keeps for the user the length of the longest list, or -1 if the lists had no room.
struct KeepLongest {
  const LongestList* measured;
  const offset_t* found;
  offset_t room;
  offset_t* longest;

  HGRID_HD void operator()(offset_t) const { *longest = *found < 0 || *found > room ? -1 : measured->entries; }
};

/// Writes a list as a line of the matrix; entries beyond its width are cut off.
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

/// Throws `size_mismatch` if the matrix does not have one line for each particle.
template <class Integer>
void require_lines(const NeighbourMatrix<Integer>& out, offset_t particles) {
  static_assert(sizeof(Integer) >= 4, "ids need 32 bits");
  if (out.particles == particles) return;
  throw Error(ErrorCode::size_mismatch,
              "a matrix of " + counted(out.particles, "line") + " for " + counted(particles, "particle"),
              {.argument = "particles", .count = out.particles, .needed = particles});
}

/// Throws `capacity` if the longest list does not fit into the width of the matrix.
template <class Integer>
void require_width(const NeighbourMatrix<Integer>& out, offset_t longest) {
  if (longest <= out.width) return;
  throw Error(ErrorCode::capacity,
              "the neighbour matrix is " + std::to_string(out.width) + " wide; a particle has " + std::to_string(longest) +
                  " neighbours. Remedy: a width of " + std::to_string(longest) + " or more",
              {.argument = "width", .count = out.width, .needed = longest});
}

/// Writes the lists into the matrix. Throws `invalid_argument` if `used` > 0 columns are needed and the matrix has null
/// pointers.
template <class Exec, class Memory, class Integer>
void write_matrix(const Exec& exec, const NeighbourArrays<Memory>& lists, const NeighbourMatrix<Integer>& out, offset_t used) {
  if (used > 0 && (out.neighbours == nullptr || (lists.has_images && out.images == nullptr))) {
    throw Error(ErrorCode::invalid_argument, "the neighbour matrix has null pointers (a periodic box needs images)");
  }
  exec.for_each("hgrid::write_matrix", out.neighbours == nullptr ? 0 : out.particles,
                WriteMatrix<Integer>{ListView(lists), out});
}

/// Fills the matrix and returns the width that is filled. Waits. Throws `capacity`, and `invalid_argument` if the matrix has
/// null pointers.
template <class Exec, class Memory, class Integer>
offset_t fill_matrix(const Exec& exec, const NeighbourArrays<Memory>& lists, offset_t longest,
                     const NeighbourMatrix<Integer>& out) {
  require_width(out, longest);
  write_matrix(exec, lists, out, longest);
  exec.wait();
  return longest;
}

/// Throws `invalid_argument` or `capacity` if n sorted pairs do not fit.
template <class Integer>
void require_columns(const PairColumns<Integer>& out, offset_t n, bool has_images) {
  static_assert(sizeof(Integer) >= 4, "ids need 32 bits");
  if (out.stride == 0) throw Error(ErrorCode::invalid_argument, "the pair output has a stride of 0", {.argument = "stride"});
  if (n > out.size) throw_capacity("output", n, out.size);
  if (n > 0 && (out.first == nullptr || out.second == nullptr || (has_images && !out.image))) {
    throw Error(ErrorCode::invalid_argument, "the pair output has null pointers (a periodic box needs images)");
  }
}

template <class Exec, class Memory, class Integer>
void write_sorted_pairs(const Exec& exec, const NeighbourArrays<Memory>& lists, const PairColumns<Integer>& out) {
  exec.for_each("hgrid::write_sorted_pairs", lists.lists, WriteSortedPairs<Integer>{ListView(lists), out});
}

/// Fills the user's memory and returns the number of pairs. Waits. Errors: `require_columns`.
template <class Exec, class Memory, class Integer>
offset_t fill_columns(const Exec& exec, const NeighbourArrays<Memory>& sorted, const PairColumns<Integer>& out) {
  const offset_t n = sorted.size;
  require_columns(out, n, sorted.has_images);
  write_sorted_pairs(exec, sorted, out);
  exec.wait();
  return n;
}

}  // namespace hgrid::inline v0_2::detail
