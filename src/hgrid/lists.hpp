// SPDX-License-Identifier: BSD-3-Clause
// Results. They live in the executor's memory space, keep their capacity, and may be reused every step.
#pragma once

#include <algorithm>
#include <string>

#include "hgrid/core/contact.hpp"
#include "hgrid/core/error.hpp"
#include "hgrid/core/types.hpp"
#include "hgrid/memory/generation.hpp"

namespace hgrid::inline v0_1 {

namespace detail {

struct Checkpoints;  // loop/checkpoint.hpp

[[noreturn]] inline void throw_capacity(const char* what, offset_t needed, offset_t capacity) {
  throw Error(ErrorCode::capacity,
              std::string("the ") + what + " has room for " + counted(capacity, "contact") + ", " + std::to_string(needed) +
                  (needed == 1 ? " is" : " are") + " needed; a functor takes them without a list",
              {.argument = what, .count = capacity, .needed = needed});
}

/// Throws `capacity` if n entries of `entry` bytes, and their images, exceed what the executor may take.
template <class Exec>
void require_room(const Exec& exec, offset_t n, std::size_t entry, bool images) {
  const std::size_t each = entry + (images ? sizeof(Image) : 0), limit = exec.memory_limit();
  if (static_cast<std::size_t>(n) > limit / each) throw_capacity("list", n, static_cast<offset_t>(limit / each));
}

/// The memory of a list, whatever its entries are.
template <class Memory, class Entry>
struct EntryArrays {
  explicit EntryArrays(const Memory& memory) : entries(memory, 0), images(memory, 0), found(memory, 1) {}

  offset_t room(bool with_images) const { return with_images ? std::min(entries.size(), images.size()) : entries.size(); }
  std::size_t bytes() const { return entries.bytes() + images.bytes() + found.bytes(); }

  typename Memory::template Buffer<Entry> entries;
  typename Memory::template Buffer<Image> images;
  typename Memory::template Buffer<offset_t> found;
  ClearedByMove<offset_t> size;
  ClearedByMove<std::uint64_t> enqueued;  // generation of the grid whose contacts were enqueued last; 0: filled since
  bool has_images = false;
};

template <class Memory>
struct PairArrays : EntryArrays<Memory, Pair> {
  using EntryArrays<Memory, Pair>::EntryArrays;

  /// The first n of them, to be written.
  PairColumns<index_t> first_columns(offset_t n) {
    if (n == 0) return {};  // there may be no memory
    index_t* const ids = reinterpret_cast<index_t*>(this->entries.data());
    return {ids, ids + 1, 2, this->has_images ? this->images.data() : nullptr, n};
  }

  Order order = Order::fixed;  // in which contacts were enqueued
};

}  // namespace detail

/// Contacts as pairs of ids with the periodic image of each (none in an open box), in the order of contract C6.
template <class Exec>
class PairList {
 public:
  explicit PairList(const Exec& exec) : a_(exec) {}

  offset_t size() const { return a_.size; }
  bool has_images() const { return a_.has_images; }
  const Pair* pairs() const { return a_.entries.data(); }                             ///< [size]
  const Image* images() const { return a_.has_images ? a_.images.data() : nullptr; }  ///< [size] or null
  /// All of them as a view, in the executor's memory, until the list is filled again.
  PairColumns<const index_t> columns() const { return columns_of(pairs(), images(), size()); }
  /// Contacts that fit without reallocation, with images if the list has them.
  offset_t capacity() const { return a_.room(a_.has_images); }
  /// Where the number of contacts lies that `Grid::enqueue_pairs` found, in the executor's memory. More than capacity():
  /// the others were not written. Negative: it could not be found out without more memory.
  const offset_t* found() const { return a_.found.data(); }
  std::size_t bytes() const { return a_.bytes(); }

 private:
  template <class E, int D>
  friend class Grid;
  template <class E, int D>
  friend class DistributedGrid;
  detail::PairArrays<typename Exec::Memory> a_;
};

/// Neighbours as a matrix in the user's memory, which is of the executor's space: entry [i * width + k] is the k-th neighbour
/// of particle i, in the order of a neighbour list, or `padding` behind the last.
template <class Integer>
struct NeighbourMatrix {
  Integer* neighbours;  ///< [particles * width]
  offset_t particles, width;
  Integer* counts = nullptr;  ///< [particles], the neighbours of each, or null
  Image* images = nullptr;    ///< as `neighbours`, zeros behind the last; or null in an open box
  Integer padding = static_cast<Integer>(-1);
};

namespace detail {

/// The order of entries within a list.
inline bool comes_before(index_t a, const Image& image_a, index_t b, const Image& image_b) {
  if (a != b) return a < b;
  return std::lexicographical_compare(image_a.m, image_a.m + 3, image_b.m, image_b.m + 3);
}

/// The largest number of an image between positions that lie as far outside the box as they may, and what a search adds.
inline constexpr std::int32_t largest_image_number = INT32_MAX - 8;

/// Whether the host's arrays are neighbour lists as hgrid makes them: offsets from 0 to the number of entries, neighbours that
/// there are, entries ascending within each list.
template <class Offsets, class Ids, class Images>
bool are_lists(ListKind kind, bool of_regions, int dimension, const Offsets& offsets, const Ids& neighbours,
               const Images& images) {
  const auto lists = static_cast<offset_t>(offsets.size()) - 1, entries = static_cast<offset_t>(neighbours.size());
  const auto ids = of_regions ? offset_t{most_particles} : lists;  // regions do not say how many particles there are
  const auto image = [&](offset_t k) { return images.empty() ? Image{} : images[static_cast<std::size_t>(k)]; };
  const auto neighbour = [&](offset_t k) { return neighbours[static_cast<std::size_t>(k)]; };
  if (offsets.front() != 0 || offsets.back() != entries || !std::is_sorted(offsets.begin(), offsets.end())) return false;
  for (offset_t i = 0; i < lists; ++i) {
    const offset_t begin = offsets[static_cast<std::size_t>(i)], end = offsets[static_cast<std::size_t>(i) + 1];
    for (offset_t k = begin; k < end; ++k) {
      const index_t j = neighbour(k);
      const Image m = image(k);
      if (j < 0 || j >= ids) return false;
      for (int a = 0; a < 3; ++a) {
        if (m[a] < -largest_image_number || m[a] > largest_image_number || (a >= dimension && m[a] != 0)) return false;
      }
      if (kind == ListKind::half && !is_oriented(static_cast<index_t>(i), j, m)) return false;
      if (k > begin && !comes_before(neighbour(k - 1), image(k - 1), j, m)) return false;
    }
  }
  return true;
}

/// Entries are the neighbours, one list after the other.
template <class Memory>
struct NeighbourArrays : EntryArrays<Memory, index_t> {
  explicit NeighbourArrays(const Memory& memory) : EntryArrays<Memory, index_t>(memory), offsets(memory, 1) {}

  std::size_t bytes() const { return offsets.bytes() + EntryArrays<Memory, index_t>::bytes(); }

  /// Of particles or, `regions`, of Queries.
  template <class Exec, class A>
  void archive(const Exec& exec, ListKind kind, bool regions, int dimension, A& a) {
    offset_t count = this->size;
    index_t number = lists;
    a(count, number, this->has_images, of_regions);
    a.require("numbers of lists", [&] {
      if (number == 0) return count == 0 && (regions || !of_regions);
      return number > 0 && number <= most_particles && count >= 0 && of_regions == regions;
    });
    this->size = count, lists = number;
    if (number == 0) return a.clear(exec, offsets);
    const auto begin = a.array(exec, offsets, offset_t{number} + 1);
    const auto ids = a.array(exec, this->entries, count);
    const auto shifts = a.array(exec, this->images, this->has_images ? count : 0);
    a.require("lists", [&] { return are_lists(kind, regions, dimension, begin, ids, shifts); });
  }

  typename Memory::template Buffer<offset_t> offsets;
  ClearedByMove<index_t> lists;
  bool of_regions = false;  // the lists are those of Queries: not of particles, which alone have ids
};

}  // namespace detail

/// The neighbours of each particle, by id (CSR), sorted by the neighbour's id, then image. A half list has each contact
/// with its smaller id; a full list has it with both, with the image negated for the larger.
template <class Exec>
class NeighbourList {
 public:
  NeighbourList(const Exec& exec, ListKind kind) : kind_(kind), a_(exec) {}

  ListKind kind() const { return kind_; }
  index_t lists() const { return a_.lists; }
  offset_t size() const { return a_.size; }
  bool has_images() const { return a_.has_images; }
  const offset_t* offsets() const { return a_.offsets.data(); }                       ///< [lists + 1]
  const index_t* neighbours() const { return a_.entries.data(); }                     ///< [size]
  const Image* images() const { return a_.has_images ? a_.images.data() : nullptr; }  ///< [size] or null
  /// Neighbours that fit without reallocation, with images if the list has them.
  offset_t capacity() const { return a_.room(a_.has_images); }
  /// Where the number of neighbours lies that `Grid::enqueue_neighbours` found, in the executor's memory. More than
  /// capacity(): all lists are empty. Negative: they are, and it could not be found out without more memory.
  const offset_t* found() const { return a_.found.data(); }
  std::size_t bytes() const { return a_.bytes(); }

 private:
  template <class E, int D>
  friend class Grid;
  template <class E, int D>
  friend class Queries;
  friend struct detail::Checkpoints;
  friend struct ListView;

  ListKind kind_;
  detail::NeighbourArrays<typename Exec::Memory> a_;
};

/// The plain arrays of a neighbour list.
struct ListView {
  const offset_t* offsets;
  const index_t* neighbours;
  const Image* images;  // or null
  index_t lists;
  bool of_regions = false;

  ListView(const offset_t* list_offsets, const index_t* list_neighbours, const Image* list_images, index_t number)
      : offsets(list_offsets), neighbours(list_neighbours), images(list_images), lists(number) {}
  template <class Exec>
  explicit ListView(const NeighbourList<Exec>& list)
      : offsets(list.offsets()),
        neighbours(list.neighbours()),
        images(list.images()),
        lists(list.lists()),
        of_regions(list.a_.of_regions) {}
  template <class Memory>
  explicit ListView(const detail::NeighbourArrays<Memory>& a)
      : offsets(a.offsets.data()),
        neighbours(a.entries.data()),
        images(a.has_images ? a.images.data() : nullptr),
        lists(a.lists),
        of_regions(a.of_regions) {}

  HGRID_HD Image image(offset_t k) const { return images == nullptr ? Image{} : images[k]; }

  /// -1, 0, 1: entry k before, at or after (neighbour, image), the order within lists.
  HGRID_HD int compare(offset_t k, index_t neighbour, const Image& m) const {
    if (neighbours[k] != neighbour) return neighbours[k] < neighbour ? -1 : 1;
    const Image own = image(k);
    for (int a = 0; a < 3; ++a) {
      if (own[a] != m[a]) return own[a] < m[a] ? -1 : 1;
    }
    return 0;
  }
};

}  // namespace hgrid::inline v0_1
