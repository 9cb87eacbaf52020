// SPDX-License-Identifier: BSD-3-Clause
// Results. They live in the executor's memory space, keep their capacity, and may be reused every step.
#pragma once

#include <algorithm>
#include <string>

#include "hgrid/build/executor.hpp"
#include "hgrid/build/generation.hpp"
#include "hgrid/core/contact.hpp"
#include "hgrid/core/error.hpp"

namespace hgrid {

[[noreturn]] inline void throw_capacity(const char* what, offset_t needed, offset_t capacity) {
  throw Error(ErrorCode::capacity,
              std::string("the ") + what + " has room for " + std::to_string(capacity) + " contacts, " +
                  std::to_string(needed) + " are needed; a functor takes them without a list",
              {.argument = what, .count = capacity, .needed = needed});
}

/// Throws `capacity` if n entries of so many bytes, and their images, exceed what the executor may take.
template <class Exec>
void require_room(const Exec& exec, offset_t n, std::size_t entry, bool images) {
  const std::size_t each = entry + (images ? sizeof(Image) : 0), limit = exec.memory_limit();
  if (static_cast<std::size_t>(n) > limit / each) throw_capacity("list", n, static_cast<offset_t>(limit / each));
}

/// Contacts as pairs of ids with the periodic image of each (none in an open box), in the order of contract C6.
template <class Exec>
class PairList {
 public:
  explicit PairList(const Exec& exec) : pairs_(exec, 0), images_(exec, 0), found_(exec, 1) {}

  offset_t size() const { return size_; }
  bool has_images() const { return has_images_; }
  const Pair* pairs() const { return pairs_.data(); }                           ///< [size]
  const Image* images() const { return has_images_ ? images_.data() : nullptr; }  ///< [size] or null
  /// All of them as a view, in the executor's memory, until the list is filled again.
  PairColumns<const index_t> columns() const { return columns_of(pairs(), images(), size()); }
  /// Contacts that fit without reallocation, with images if the list has them.
  offset_t capacity() const { return room(has_images_); }
  /// Where the number of contacts lies that `Grid::enqueue_pairs` found, in the executor's memory. More than capacity():
  /// the others were not written. Negative: it could not be found out without more memory.
  const offset_t* found() const { return found_.data(); }
  std::size_t bytes() const { return pairs_.bytes() + images_.bytes() + found_.bytes(); }

 private:
  template <class E, int D> friend class Grid;
  offset_t room(bool images) const { return images ? std::min(pairs_.size(), images_.size()) : pairs_.size(); }

  typename Exec::template Buffer<Pair> pairs_;
  typename Exec::template Buffer<Image> images_;
  typename Exec::template Buffer<offset_t> found_;
  ClearedByMove<offset_t> size_;
  ClearedByMove<std::uint64_t> enqueued_;  // generation of the grid whose contacts were enqueued last; 0: filled since
  bool has_images_ = false;
};

/// The partners of each particle, rows by id (CSR). A row is sorted by neighbour, then image. In a half list each
/// contact stands in the row of its smaller id; a full list has it in both rows, with the image negated in the
/// second.
template <class Exec>
class NeighbourList {
 public:
  NeighbourList(const Exec& exec, ListKind kind)
      : kind_(kind), offsets_(exec, 1), neighbours_(exec, 0), images_(exec, 0) {}

  ListKind kind() const { return kind_; }
  index_t rows() const { return rows_; }
  offset_t size() const { return size_; }
  bool has_images() const { return has_images_; }
  const offset_t* offsets() const { return offsets_.data(); }                     ///< [rows + 1]
  const index_t* neighbours() const { return neighbours_.data(); }                ///< [size]
  const Image* images() const { return has_images_ ? images_.data() : nullptr; }  ///< [size] or null
  std::size_t bytes() const { return offsets_.bytes() + neighbours_.bytes() + images_.bytes(); }

 private:
  template <class E, int D> friend class Grid;
  template <class E, int D> friend class Queries;
  offset_t room(bool images) const { return images ? std::min(neighbours_.size(), images_.size()) : neighbours_.size(); }

  ListKind kind_;
  typename Exec::template Buffer<offset_t> offsets_;
  typename Exec::template Buffer<index_t> neighbours_;
  typename Exec::template Buffer<Image> images_;
  ClearedByMove<offset_t> size_;
  ClearedByMove<index_t> rows_;
  bool has_images_ = false;
};

/// The plain arrays of a neighbour list.
struct ListRows {
  const offset_t* offsets;
  const index_t* neighbours;
  const Image* images;  // or null
  index_t rows;

  template <class Exec>
  explicit ListRows(const NeighbourList<Exec>& list)
      : offsets(list.offsets()), neighbours(list.neighbours()), images(list.images()), rows(list.rows()) {}

  HGRID_HD Image image(offset_t k) const { return images == nullptr ? Image{} : images[k]; }

  /// -1, 0, 1: entry k before, at or after (neighbour, image), the order within rows.
  HGRID_HD int compare(offset_t k, index_t neighbour, const Image& m) const {
    if (neighbours[k] != neighbour) return neighbours[k] < neighbour ? -1 : 1;
    const Image own = image(k);
    for (int a = 0; a < 3; ++a) {
      if (own[a] != m[a]) return own[a] < m[a] ? -1 : 1;
    }
    return 0;
  }
};

}  // namespace hgrid
