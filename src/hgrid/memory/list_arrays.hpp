// SPDX-License-Identifier: BSD-3-Clause
// The memory of lists, and checks of what a checkpoint restores into it.
#pragma once

#include <algorithm>
#include <string>

#include "hgrid/core/contact.hpp"
#include "hgrid/core/entry_order.hpp"
#include "hgrid/core/error.hpp"
#include "hgrid/core/packed_neighbour.hpp"
#include "hgrid/memory/generation.hpp"
#include "hgrid/memory/reserve.hpp"

namespace hgrid::inline v0_2::detail {

[[noreturn]] inline void throw_capacity(const char* what, offset_t needed, offset_t capacity) {
  throw Error(ErrorCode::capacity,
              std::string("the ") + what + " has room for " + counted(capacity, "contact") + ", " + std::to_string(needed) +
                  (needed == 1 ? " is" : " are") + " needed; a functor takes them without a list",
              {.argument = what, .count = capacity, .needed = needed});
}

[[noreturn]] inline void throw_one_sided() {
  throw Error(ErrorCode::unsupported, "a gather has no pairs, because i may have j and j lack i; take full lists or partners",
              {.argument = "rule"});
}

/// Throws `capacity` if n entries of `entry` bytes, and their images, exceed the memory limit of the executor.
template <class Exec>
void require_room(const Exec& exec, offset_t n, std::size_t entry, bool images) {
  const std::size_t each = entry + (images ? sizeof(Image) : 0), limit = exec.memory_limit();
  if (static_cast<std::size_t>(n) > limit / each) throw_capacity("list", n, static_cast<offset_t>(limit / each));
}

/// The memory of a list of any kind of entries.
template <class Memory, class Entry>
struct EntryArrays {
  explicit EntryArrays(const Memory& memory) : entries(memory, 0), images(memory, 0), found(memory, 2) {}

  offset_t room(bool with_images) const { return with_images ? std::min(entries.size(), images.size()) : entries.size(); }
  /// Returns the size of `found`. It gets one more place when entries grow, because an earlier graph may still write to the old
  /// places.
  offset_t places(bool grows) const { return found.size() == 0 ? 2 : found.size() + grows; }
  std::size_t bytes() const { return entries.bytes() + images.bytes() + found.bytes(); }

  typename Memory::template Buffer<Entry> entries;
  typename Memory::template Buffer<Image> images;
  typename Memory::template Buffer<offset_t> found;  // number of entries and, for an asker, of the call that found it
  ClearedByMove<offset_t> size;
  // Generation of the grid whose contacts were enqueued last. 0: filled since then, or enqueued in a graph that may run at any
  // time.
  ClearedByMove<std::uint64_t> enqueued;
  ClearedByMove<bool> confirmed;  // a client's predicate chose among the contacts
  bool has_images = false;

  /// Call before a wait with or without a predicate. Throws `invalid_argument` if a predicate is missing.
  void expect_wait(bool predicate) {
    if (confirmed && !predicate)
      throw Error(ErrorCode::invalid_argument,
                  "a predicate chose among the contacts of this list; call wait(list, only(touches))", {.argument = "list"});
    if (!confirmed && predicate) enqueued = 0;  // all contacts were enqueued
  }
};

template <class Memory>
struct PairArrays : EntryArrays<Memory, Pair> {
  using EntryArrays<Memory, Pair>::EntryArrays;

  /// Empties the list and reserves room for n contacts. Returns true if it had too little. Throws `capacity` or
  /// `out_of_memory`.
  template <class Exec>
  bool make_room(const Exec& exec, bool with_images, offset_t n) {
    const bool grows = n > this->room(with_images);
    if (grows) {
      require_room(exec, n, sizeof(Pair), with_images);
      const offset_t wanted = n + n / 8;  // counts fluctuate from step to step
      reserve_all(exec, Need{this->entries, wanted}, Need{this->images, with_images ? wanted : 0},
                  Need{this->found, this->places(true)});
    }
    this->size = 0;  // until they are written: filling may fail
    this->has_images = with_images;
    return grows;
  }

  /// Returns the first n contacts, for writing.
  PairColumns<index_t> first_columns(offset_t n) {
    if (n == 0) return {};  // there may be no memory
    index_t* const ids = reinterpret_cast<index_t*>(this->entries.data());
    return {ids, ids + 1, 2, this->has_images ? this->images.data() : nullptr, n};
  }

  Order order = Order::fixed;  // in which contacts were enqueued
};

/// Returns whether one entry comes before another one within a list.
inline bool comes_before(index_t a, const Image& image_a, index_t b, const Image& image_b) {
  if (a != b) return a < b;
  return std::lexicographical_compare(image_a.m, image_a.m + 3, image_b.m, image_b.m + 3);
}

/// The largest number of an image between positions as far outside the box as is allowed, plus the images of a search.
inline constexpr std::int32_t largest_image_number = INT32_MAX - 8;

/// Returns whether the host's arrays are neighbor lists that hgrid could have made: offsets from 0 to the number of entries,
/// neighbors that exist, entries ascending within each list. `neighbour(k)` and `image(list, k)` return the members of an
/// entry.
template <class Offsets, class NeighbourOf, class ImageOf>
bool are_lists(ListKind kind, bool of_regions, int dimension, const Offsets& offsets, offset_t entries,
               const NeighbourOf& neighbour, const ImageOf& image) {
  const auto lists = static_cast<offset_t>(offsets.size()) - 1;
  const auto ids = of_regions ? offset_t{most_particles} : lists;  // regions do not tell how many particles there are
  if (offsets.front() != 0 || offsets.back() != entries || !std::is_sorted(offsets.begin(), offsets.end())) return false;
  for (offset_t i = 0; i < lists; ++i) {
    const offset_t begin = offsets[static_cast<std::size_t>(i)], end = offsets[static_cast<std::size_t>(i) + 1];
    for (offset_t k = begin; k < end; ++k) {
      const index_t j = neighbour(k);
      if (j < 0 || j >= ids) return false;
      const Image m = image(i, k);
      for (int a = 0; a < 3; ++a) {
        if (m[a] < -largest_image_number || m[a] > largest_image_number || (a >= dimension && m[a] != 0)) return false;
      }
      if (kind == ListKind::half && !is_oriented(static_cast<index_t>(i), j, m)) return false;
      if (k > begin && !comes_before(neighbour(k - 1), image(i, k - 1), j, m)) return false;
    }
  }
  return true;
}

/// Lists of any kind of entries, one list after the other.
template <class Memory, class Entry>
struct ListStorage : EntryArrays<Memory, Entry> {
  explicit ListStorage(const Memory& memory) : EntryArrays<Memory, Entry>(memory), offsets(memory, 1) {}

  std::size_t bytes() const { return offsets.bytes() + EntryArrays<Memory, Entry>::bytes(); }

  typename Memory::template Buffer<offset_t> offsets;
  ClearedByMove<index_t> lists;
  bool of_regions = false;  // an asker filled the lists: they do not belong to particles, so they have no particle ids

  /// Call before a wait for the lists of a grid's own particles. Also throws `invalid_argument` if an asker filled the lists.
  void expect_own_wait(bool predicate) {
    if (of_regions)
      throw Error(ErrorCode::invalid_argument, "an asker from outside filled this list last; call wait(list, asker)",
                  {.argument = "list"});
    this->expect_wait(predicate);
  }
};

/// Saves or restores the members that all kinds have in common. Returns the number of entries.
template <class Lists, class A>
offset_t archive_numbers(Lists& lists, bool regions, A& a) {
  offset_t count = lists.size;
  index_t number = lists.lists;
  a(count, number, lists.has_images, lists.of_regions);
  a.require("numbers of lists", [&] {
    if (number == 0) return count == 0 && (regions || !lists.of_regions);
    return number > 0 && number <= most_particles && count >= 0 && lists.of_regions == regions;
  });
  lists.size = count, lists.lists = number;
  return count;
}

/// Entries are the neighbors, each with its image if the box is periodic.
template <class Memory, class Entry = index_t>
struct NeighbourArrays : ListStorage<Memory, index_t> {
  using ListStorage<Memory, index_t>::ListStorage;

  /// Reserves room for lists of n entries. Throws `capacity` or `out_of_memory`; the memory is then unchanged.
  template <class Exec>
  void make_room(const Exec& exec, index_t number, offset_t n, bool with_images, bool /*with_periods*/) {
    if (n > this->room(with_images)) require_room(exec, n, sizeof(index_t), with_images);
    const offset_t wanted = with_margin(n, this->entries.size());
    reserve_all(exec, Need{this->offsets, offset_t{number} + 1}, Need{this->entries, wanted},
                Need{this->images, with_images ? wanted : 0}, Need{this->found, this->places(n > this->room(with_images))});
  }

  ListEntries to_fill(bool with_images) { return {this->entries.data(), with_images ? this->images.data() : nullptr}; }

  /// Saves or restores lists of particles or, with `regions`, of an asker.
  template <class Exec, class A>
  void archive(const Exec& exec, ListKind kind, bool regions, int dimension, A& a) {
    const offset_t count = archive_numbers(*this, regions, a);
    if (this->lists == 0) return a.clear(exec, this->offsets);
    const auto begin = a.array(exec, this->offsets, offset_t{this->lists} + 1);
    const auto ids = a.array(exec, this->entries, count);
    const auto shifts = a.array(exec, this->images, this->has_images ? count : 0);
    a.require("lists", [&] {
      return are_lists(
          kind, regions, dimension, begin, count, [&](offset_t k) { return ids[static_cast<std::size_t>(k)]; },
          [&](offset_t, offset_t k) { return shifts.empty() ? Image{} : shifts[static_cast<std::size_t>(k)]; });
    });
  }
};

/// Entries are packed. If particles may lie outside the box, `periods` [lists] holds by how many periods each one does.
template <class Memory>
struct NeighbourArrays<Memory, PackedNeighbour> : ListStorage<Memory, PackedNeighbour> {
  explicit NeighbourArrays(const Memory& memory) : ListStorage<Memory, PackedNeighbour>(memory), periods(memory, 0) {}

  offset_t room(bool /*with_images*/) const { return this->entries.size(); }
  std::size_t bytes() const { return periods.bytes() + ListStorage<Memory, PackedNeighbour>::bytes(); }

  template <class Exec>
  void make_room(const Exec& exec, index_t number, offset_t n, bool /*with_images*/, bool with_periods) {
    if (n > this->entries.size()) require_room(exec, n, sizeof(PackedNeighbour), false);
    reserve_all(exec, Need{this->offsets, offset_t{number} + 1}, Need{this->entries, with_margin(n, this->entries.size())},
                Need{periods, with_periods ? offset_t{number} : 0}, Need{this->found, this->places(n > this->entries.size())});
  }

  PackedEntries to_fill(bool /*with_images*/) { return PackedEntries{this->entries.data()}; }

  template <class Exec, class A>
  void archive(const Exec& exec, ListKind kind, bool regions, int dimension, A& a) {
    const offset_t count = archive_numbers(*this, regions, a);
    a(has_periods);
    if (this->lists == 0) return a.clear(exec, this->offsets);
    const auto begin = a.array(exec, this->offsets, offset_t{this->lists} + 1);
    const auto packed = a.array(exec, this->entries, count);
    const auto outside = a.array(exec, periods, has_periods ? offset_t{this->lists} : 0);
    const auto entry = [&](offset_t k) { return packed[static_cast<std::size_t>(k)]; };
    a.require("periods", [&] {
      return std::ranges::all_of(outside, [](const Image& p) {
        return std::ranges::all_of(p.m, [](std::int32_t n) { return n >= -most_periods && n <= most_periods; });
      });
    });
    a.require("lists", [&] {
      return are_lists(
          kind, regions, dimension, begin, count, [&](offset_t k) { return entry(k).neighbour(); },
          [&](offset_t i, offset_t k) {
            Image m = entry(k).inside();
            for (int axis = 0; axis < 3 && !outside.empty(); ++axis) {
              const auto of = [&](offset_t id) { return std::int64_t{outside[static_cast<std::size_t>(id)][axis]}; };
              m[axis] = static_cast<std::int32_t>(
                  std::clamp<std::int64_t>(m[axis] + of(i) - of(entry(k).neighbour()), INT32_MIN, INT32_MAX));
            }
            return m;
          });
    });
  }

  typename Memory::template Buffer<Image> periods;
  bool has_periods = false;
};

}  // namespace hgrid::inline v0_2::detail
