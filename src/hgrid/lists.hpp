// SPDX-License-Identifier: BSD-3-Clause
// Results. They are in the executor's memory space, keep their capacity, and may be reused every step.
#pragma once

#include <type_traits>

#include "hgrid/memory/access.hpp"
#include "hgrid/memory/list_arrays.hpp"

namespace hgrid::inline v0_2 {

/// Contacts as pairs of ids with the periodic image of each (none in an open box), in the order of contract C6.
template <class Exec>
class PairList {
 public:
  explicit PairList(const Exec& exec) : a_(exec) {}

  offset_t size() const { return a_.size; }
  bool has_images() const { return a_.has_images; }
  const Pair* pairs() const { return a_.entries.data(); }                             ///< [size]
  const Image* images() const { return a_.has_images ? a_.images.data() : nullptr; }  ///< [size] or null
  /// Returns all contacts as a view, in the executor's memory, valid until the list is filled again.
  PairColumns<const index_t> columns() const { return columns_of(pairs(), images(), size()); }
  /// Returns the number of contacts that fit without reallocation, with images if the list has them.
  offset_t capacity() const { return a_.room(a_.has_images); }
  /// Returns where `Grid::enqueue` stores the number of contacts, in the executor's memory. If it exceeds capacity(), the
  /// others were not written. If it is negative, counting them needs more memory.
  const offset_t* found() const { return a_.found.data(); }
  std::size_t bytes() const { return a_.bytes(); }

 private:
  friend struct detail::Access;
  detail::PairArrays<typename Exec::Memory> a_;
};

/// Neighbors as a matrix in the user's memory, in the executor's space: entry [i * width + k] is the k-th neighbor of particle
/// i, in the order of a neighbor list, or `padding` after the last.
template <class Integer>
struct NeighbourMatrix {
  Integer* neighbours;  ///< [particles * width]
  offset_t particles, width;
  Integer* counts = nullptr;  ///< [particles], number of neighbors of each, or null
  Image* images = nullptr;    ///< like `neighbours`, zeros after the last; or null in an open box
  Integer padding = static_cast<Integer>(-1);
};

/// The neighbors of each particle, by id (CSR), sorted by the neighbor's id, then image. A half list has each contact with its
/// smaller id; a full list has it with both, with the image negated for the larger. `Entry` is an id, with an `Image` in a
/// second array in periodic boxes, or PackedNeighbour, which holds both in half the memory.
template <class Exec, class Entry = index_t>
class NeighbourList {
  static constexpr bool is_packed = std::is_same_v<Entry, PackedNeighbour>;
  static_assert(is_packed || std::is_same_v<Entry, index_t>, "entries are index_t or PackedNeighbour");

 public:
  NeighbourList(const Exec& exec, ListKind kind) : kind_(kind), a_(exec) {}

  ListKind kind() const { return kind_; }
  index_t lists() const { return a_.lists; }
  offset_t size() const { return a_.size; }
  bool has_images() const { return a_.has_images; }
  const offset_t* offsets() const { return a_.offsets.data(); }  ///< [lists + 1]
  const Entry* neighbours() const { return a_.entries.data(); }  ///< [size]
  /// [size] or null
  const Image* images() const requires(!is_packed) { return a_.has_images ? a_.images.data() : nullptr; }
  /// Returns by how many periods each particle lay outside the box, [lists]. May be null if none did.
  const Image* periods() const requires is_packed { return a_.has_periods ? a_.periods.data() : nullptr; }
  /// Returns the number of neighbors that fit without reallocation, with images if the list has them.
  offset_t capacity() const { return a_.room(a_.has_images); }
  /// Returns where `Grid::enqueue` stores the number of neighbors, in the executor's memory. If it exceeds capacity(), all
  /// lists are empty. If it is negative, they are empty, too, and counting them needs more memory.
  const offset_t* found() const { return a_.found.data(); }
  std::size_t bytes() const { return a_.bytes(); }

 private:
  friend struct detail::Access;
  ListKind kind_;
  detail::NeighbourArrays<typename Exec::Memory, Entry> a_;
};

template <class Exec>
using PackedList = NeighbourList<Exec, PackedNeighbour>;

/// The plain arrays of a neighbor list.
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
        of_regions(detail::Access::arrays(list).of_regions) {}
  template <class Memory>
  explicit ListView(const detail::NeighbourArrays<Memory>& a)
      : offsets(a.offsets.data()),
        neighbours(a.entries.data()),
        images(a.has_images ? a.images.data() : nullptr),
        lists(a.lists),
        of_regions(a.of_regions) {}

  HGRID_HD index_t neighbour(offset_t k) const { return neighbours[k]; }
  HGRID_HD Image image(offset_t k) const { return images == nullptr ? Image{} : images[k]; }
  /// Returns the image of entry k, which belongs to this list.
  HGRID_HD Image image(index_t /*list*/, offset_t k) const { return image(k); }
};

/// The plain arrays of a packed list, for loops over it.
struct PackedView {
  const offset_t* offsets;
  const PackedNeighbour* entries;
  const Image* periods;  // or null
  index_t lists;

  static constexpr bool of_regions = false;

  template <class Exec>
  explicit PackedView(const PackedList<Exec>& list)
      : offsets(list.offsets()), entries(list.neighbours()), periods(list.periods()), lists(list.lists()) {}

  HGRID_HD index_t neighbour(offset_t k) const { return entries[k].neighbour(); }
  /// Returns the image of entry k, which belongs to this list, for positions as the user passed them.
  HGRID_HD Image image(index_t list, offset_t k) const {
    return image_now(entries[k].inside(), periods, entries[k].neighbour(), list);
  }
};

namespace detail {

template <class Exec>
ListView view_of(const NeighbourList<Exec>& list) {
  return ListView(list);
}
template <class Exec>
PackedView view_of(const PackedList<Exec>& list) {
  return PackedView(list);
}

/// Returns -1, 0 or 1: entry k of a list comes before, at or after (neighbour, image()) in the order within lists.
template <class View, class ImageOf>
HGRID_HD int compare(const View& view, index_t list, offset_t k, index_t neighbour, const ImageOf& image) {
  const index_t own_neighbour = view.neighbour(k);
  if (own_neighbour != neighbour) return own_neighbour < neighbour ? -1 : 1;
  const Image own = view.image(list, k), other = image();
  for (int a = 0; a < 3; ++a) {
    if (own[a] != other[a]) return own[a] < other[a] ? -1 : 1;
  }
  return 0;
}

}  // namespace detail

}  // namespace hgrid::inline v0_2
