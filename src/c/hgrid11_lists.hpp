// SPDX-License-Identifier: BSD-3-Clause
// Results: light views of the grid's memory, which are copied by value, and lists that are kept. Include hgrid11.hpp.
#ifndef HGRID11_LISTS_HPP
#define HGRID11_LISTS_HPP

#include <cstddef>
#include <exception>
#include <iterator>
#include <memory>
#include <mutex>
#include <utility>

#include "hgrid11_box.hpp"

namespace hgrid11 {
inline namespace v0_2 {

/// Two ids, i < j, or i = j for a particle that touches its own image; the distance vector is x_i - x_j - shift(image).
struct Pair {
  std::int32_t i, j;
  Image image;
};

/// One entry of the list of a particle or region.
struct Neighbour {
  std::int32_t id;
  Image image;
  std::int64_t entry;  ///< index among all entries of the neighbor list, from 0; a PairArray has its value there
};

/// One entry of the lists of all particles: the vector x_j - x_i + shift(image), from particle i to its neighbor j, and its
/// length.
template <int D>
struct Entry {
  std::int64_t i, j;
  Image image;
  double distance;
  std::array<double, D> vector;
};

template <int D>
class Grid;

namespace detail {

/// Frees what hgrid.h has made.
struct Destroy {
  void operator()(hgrid_grid* grid) const { hgrid_destroy(grid); }
  void operator()(hgrid_verlet* list) const { hgrid_verlet_destroy(list); }
  void operator()(hgrid_mesh* mesh) const { hgrid_mesh_destroy(mesh); }
  void operator()(hgrid_memory* memory) const { hgrid_release(memory); }
};

/// Base class of lists, which are structs of hgrid.h. Only the list that the grid made last can be kept; the ticket tells
/// whether it is that one.
template <class Struct>
class Given {
 public:
  using All = Struct;

  Given() : all_(), ticket_(0) {}
  Given(const Struct& all, std::uint64_t ticket) : all_(all), ticket_(ticket) {}

 protected:
  Struct all_;

 private:
  template <int D>
  friend class hgrid11::Grid;
  std::uint64_t ticket_;
};

/// Iterates over a view that makes its elements: `*at` is list[k], a value.
template <class List, class Element>
class Iterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = Element;
  using difference_type = std::ptrdiff_t;
  using pointer = const Element*;
  using reference = Element;

  Iterator(const List& list, std::int64_t k) : list_(list), k_(k) {}
  Element operator*() const { return list_[k_]; }
  Iterator& operator++() { return ++k_, *this; }
  Iterator operator++(int) {
    const Iterator before = *this;
    return ++k_, before;
  }
  bool operator==(const Iterator& other) const { return k_ == other.k_; }
  bool operator!=(const Iterator& other) const { return k_ != other.k_; }

 private:
  List list_;
  std::int64_t k_;
};

inline Image image_at(const std::int32_t* images, std::int64_t k) {
  if (images == nullptr) return {{0, 0, 0}};
  return {{images[3 * k], images[3 * k + 1], images[3 * k + 2]}};
}

/// A predicate for the C API. Exceptions must not pass through C: the first one is thrown after it has returned.
template <class Touches>
class Asked {
 public:
  explicit Asked(const Touches& touches) : touches_(&touches) {}
  Asked(const Asked&) = delete;
  Asked& operator=(const Asked&) = delete;

  hgrid_predicate get() {
    hgrid_predicate predicate = sized<hgrid_predicate>();
    predicate.ask = ask, predicate.context = this;
    return predicate;
  }
  void require(int status) const {
    if (thrown_) std::rethrow_exception(thrown_);
    detail::require(status);
  }

 private:
  static std::int32_t ask(void* context, const hgrid_contact* contacts, std::int64_t count, std::uint8_t* touch) {
    Asked* const self = static_cast<Asked*>(context);
    try {
      for (std::int64_t k = 0; k < count; ++k) {
        const bool answer = (*self->touches_)(contacts[k].i, contacts[k].j, image_at(contacts[k].image, 0));
        touch[k] = answer ? 1 : 0;
      }
      return 0;
    } catch (...) {
      const std::lock_guard<std::mutex> lock(self->mutex_);
      if (!self->thrown_) self->thrown_ = std::current_exception();
      return 1;
    }
  }

  const Touches* touches_;
  std::mutex mutex_;
  std::exception_ptr thrown_;
};

inline Neighbour entry_of(const hgrid_neighbour_list& all, std::int64_t /*list*/, std::int64_t k) {
  return {all.neighbours[k], image_at(all.images, k), k};
}

inline Neighbour entry_of(const hgrid_packed_list& all, std::int64_t list, std::int64_t k) {
  const std::uint64_t bits = all.entries[k];
  Neighbour n = {HGRID_PACKED_NEIGHBOUR(bits), {{0, 0, 0}}, k};
  for (int axis = 0; axis < 3 && all.periodic != 0; ++axis) {
    n.image.m[axis] = HGRID_PACKED_IMAGE(bits, axis);
    if (all.periods != nullptr) n.image.m[axis] += all.periods[3 * list + axis] - all.periods[3 * n.id + axis];
  }
  return n;
}

}  // namespace detail

/// Contacts.
class PairList : public detail::Given<hgrid_pair_list> {
 public:
  using Given::Given;

  std::int64_t size() const { return all_.size; }
  bool has_images() const { return all_.images != nullptr; }
  const std::int32_t* pairs() const { return all_.pairs; }    ///< [size][2]
  const std::int32_t* images() const { return all_.images; }  ///< [size][3]; null in an open box
  Pair operator[](std::int64_t k) const { return {all_.pairs[2 * k], all_.pairs[2 * k + 1], detail::image_at(all_.images, k)}; }

  using iterator = detail::Iterator<PairList, Pair>;
  iterator begin() const { return {*this, 0}; }
  iterator end() const { return {*this, size()}; }
};

/// The list of one particle or region: its neighbors, by id and image.
template <class All>
class Neighbours {
 public:
  Neighbours(const All& all, std::int64_t list)
      : all_(all), list_(list), first_(all.offsets[list]), size_(all.offsets[list + 1] - first_) {}

  std::int64_t size() const { return size_; }
  Neighbour operator[](std::int64_t k) const { return detail::entry_of(all_, list_, first_ + k); }

  using iterator = detail::Iterator<Neighbours, Neighbour>;
  iterator begin() const { return {*this, 0}; }
  iterator end() const { return {*this, size_}; }

 private:
  All all_;
  std::int64_t list_, first_, size_;
};

/// The neighbors of each particle, or the particles of each region: list[i] is the list of i.
class NeighbourList : public detail::Given<hgrid_neighbour_list> {
 public:
  using Given::Given;

  std::int64_t lists() const { return all_.lists; }
  std::int64_t size() const { return all_.size; }  ///< of all lists together
  bool has_images() const { return all_.images != nullptr; }
  const std::int64_t* offsets() const { return all_.offsets; }        ///< [lists + 1]
  const std::int32_t* neighbours() const { return all_.neighbours; }  ///< [size]
  const std::int32_t* images() const { return all_.images; }          ///< [size][3]; null in an open box
  Neighbours<hgrid_neighbour_list> operator[](std::int64_t i) const { return {all_, i}; }

  /// Gives the struct of hgrid.h.
  const hgrid_neighbour_list& get() const { return all_; }
};

/// Neighbor lists with 8 bytes per entry.
class PackedList : public detail::Given<hgrid_packed_list> {
 public:
  using Given::Given;

  std::int64_t lists() const { return all_.lists; }
  std::int64_t size() const { return all_.size; }
  bool has_images() const { return all_.periodic != 0; }
  const std::int64_t* offsets() const { return all_.offsets; }   ///< [lists + 1]
  const std::uint64_t* entries() const { return all_.entries; }  ///< [size]
  const std::int32_t* periods() const { return all_.periods; }   ///< [lists][3], or null
  Neighbours<hgrid_packed_list> operator[](std::int64_t i) const { return {all_, i}; }
};

/// The entries of the lists of all particles, one list after the other, with distances and vectors.
template <int D>
class EntryList : public detail::Given<hgrid_entry_list> {
 public:
  using Given::Given;

  std::int64_t lists() const { return all_.lists; }
  std::int64_t size() const { return all_.size; }
  const std::int64_t* offsets() const { return all_.offsets; }  ///< [lists + 1]
  const double* distances() const { return all_.distances; }    ///< [size]
  const double* vectors() const { return all_.vectors; }        ///< [size][D]
  Entry<D> operator[](std::int64_t k) const {
    Entry<D> entry = {all_.ids[k], all_.ids[size() + k], detail::image_at(all_.images, k), all_.distances[k], {}};
    for (int axis = 0; axis < D; ++axis) entry.vector[static_cast<std::size_t>(axis)] = all_.vectors[D * k + axis];
    return entry;
  }

  using iterator = detail::Iterator<EntryList, Entry<D>>;
  iterator begin() const { return {*this, 0}; }
  iterator end() const { return {*this, size()}; }
};

/// A list that the caller owns, independent of the grid, which fills another one next. It can be moved but not copied.
template <class List>
class Kept : public List {
 public:
  Kept() {}
  Kept(Kept&& other) noexcept : List(other), memory_(std::move(other.memory_)) { other.clear(); }
  Kept& operator=(Kept&& other) noexcept {
    if (this == &other) return *this;
    static_cast<List&>(*this) = other;
    memory_ = std::move(other.memory_);
    other.clear();
    return *this;
  }

 private:
  template <int D>
  friend class Grid;
  Kept(const List& list, hgrid_memory* memory) : List(list), memory_(memory) {}
  void clear() { static_cast<List&>(*this) = List(); }

  std::unique_ptr<hgrid_memory, detail::Destroy> memory_;
};

}  // namespace v0_2
}  // namespace hgrid11

#endif
