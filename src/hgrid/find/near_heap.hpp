// SPDX-License-Identifier: BSD-3-Clause
// The nearest particles that a device thread has found so far, in the memory of the results.
#pragma once

#include "hgrid/core/grid_view.hpp"

namespace hgrid::inline v0_2::detail {

/// Rows of k nearest particles, one for each point. During the search, `id` holds slots, `distance` keys and `image` image
/// numbers of the search.
struct NearRows {
  index_t k;
  index_t* id;
  double* distance;
  Image* image;    ///< or null
  index_t* count;  ///< particles in each row, by item
};

/// One row as a heap with at most k particles. The farthest is on top.
class NearHeap {
 public:
  /// Starts a heap for particles with keys up to `bound`.
  HGRID_HD NearHeap(const index_t* id, const NearRows& rows, offset_t row, index_t count, double bound)
      : id_(id),
        slot_(rows.id + row * rows.k),
        key_(rows.distance + row * rows.k),
        image_(rows.image == nullptr ? nullptr : rows.image + row * rows.k),
        most_(rows.k),
        count_(count),
        bound_(bound) {}

  HGRID_HD index_t count() const { return count_; }
  /// Returns the bound: particles with larger keys are not among the nearest.
  HGRID_HD double bound() const { return bound_; }

  /// Adds a particle with a key within the bound.
  HGRID_HD void add(double key, index_t slot, const Image& image) {
    const Entry entry{key, slot, image};
    if (count_ < most_) {
      index_t at = count_++;
      for (; at > 0 && is_behind(entry, (at - 1) / 2); at = (at - 1) / 2) put(at, entry_at((at - 1) / 2));
      put(at, entry);
    } else if (!is_behind(entry, 0)) {
      sink(count_, entry);
    }
    if (count_ == most_) bound_ = key_[0];
  }

  /// Sorts the nearest first. Afterwards it is no longer a heap.
  HGRID_HD void sort() {
    for (index_t end = count_ - 1; end > 0; --end) {
      const Entry last = entry_at(end);
      put(end, entry_at(0));
      sink(end, last);
    }
  }

 private:
  struct Entry {
    double key;
    index_t slot;
    Image image;
  };

  HGRID_HD Entry entry_at(index_t at) const { return {key_[at], slot_[at], image_ == nullptr ? Image{} : image_[at]}; }
  HGRID_HD void put(index_t at, const Entry& entry) {
    key_[at] = entry.key, slot_[at] = entry.slot;
    if (image_ != nullptr) image_[at] = entry.image;
  }

  /// Returns whether an entry comes after the entry at `at` in the order of results.
  HGRID_HD bool is_behind(const Entry& entry, index_t at) const {
    return entry.key > key_[at] || (entry.key == key_[at] && id_[entry.slot] > id_[slot_[at]]);
  }

  /// Replaces the top of a heap with `end` entries by an entry.
  HGRID_HD void sink(index_t end, const Entry& entry) {
    index_t at = 0;
    for (index_t below = 1; below < end; below = 2 * at + 1) {
      if (below + 1 < end && is_behind(entry_at(below + 1), below)) ++below;
      if (is_behind(entry, below)) break;
      put(at, entry_at(below));
      at = below;
    }
    put(at, entry);
  }

  const index_t* id_;
  index_t* slot_;
  double* key_;
  Image* image_;
  index_t most_, count_;
  double bound_;
};

}  // namespace hgrid::inline v0_2::detail
