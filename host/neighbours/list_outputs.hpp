// SPDX-License-Identifier: BSD-3-Clause
// Writes sorted entries as neighbor lists, as packed lists, or as pairs.
#pragma once

#include <algorithm>

#include "hgrid/find/list_entries.hpp"
#include "host/neighbours/found_rows.hpp"
#include "host/sort/entry_word.hpp"
#include "host/sort/sort_kernels.hpp"

namespace hgrid::inline v0_2::detail {

/// Writes the images of n entries. Without codes all are in place.
inline void put_images(const FoundRows::Code* codes, index_t n, Image* out) {
  if (codes == nullptr) {
    std::fill_n(out, n, Image{});
  } else {
    std::transform(codes, codes + n, out, image_of_code);
  }
}

class ToLists {
 public:
  explicit ToLists(const ListArrays<>& out) : out_(out) {}

  bool has_images() const { return out_.entries.images != nullptr; }
  /// Writes entry k, which belongs to this list.
  void put(offset_t k, index_t /*list*/, EntryWord e) const {
    out_.entries.neighbours[k] = neighbour_of(e);
    if (has_images()) out_.entries.images[k] = image_of(e);
  }
  /// Writes the entries from k on.
  void put_all(offset_t k, index_t /*list*/, const index_t* ids, const FoundRows::Code* codes, index_t n) const {
    std::copy_n(ids, n, out_.entries.neighbours + k);
    if (has_images()) put_images(codes, n, out_.entries.images + k);
  }
  index_t neighbour(offset_t k) const { return out_.entries.neighbours[k]; }
  Image& image(offset_t k) const { return out_.entries.images[k]; }
  /// Notes that list `list` begins with entry k.
  void begin(index_t list, offset_t k) const { out_.offsets[list] = k; }
  /// Prefetches entries from k on, which are written soon.
  [[gnu::always_inline]] void fetch(offset_t k, offset_t n) const {
    fetch_to_write(out_.entries.neighbours + k, out_.entries.neighbours + k + n);
    if (has_images()) fetch_to_write(out_.entries.images + k, out_.entries.images + k + n);
  }
  /// Sorts lists into the entries from k on (rank_lists). The first of them is that list. `scratch` has room for one id per
  /// entry.
  void rank(const RankedLists& in, index_t /*list*/, offset_t k, index_t* /*scratch*/) const {
    rank_lists(in, out_.entries.neighbours + k, has_images() ? out_.entries.images + k : nullptr);
  }

 private:
  ListArrays<> out_;
};

class ToPackedLists {
 public:
  ToPackedLists(const ListArrays<PackedEntries>& out, bool has_images) : out_(out), has_images_(has_images) {}

  bool has_images() const { return has_images_; }
  void put(offset_t k, index_t /*list*/, EntryWord e) const { out_.entries.entries[k] = packed_of(e); }
  void put_all(offset_t k, index_t /*list*/, const index_t* ids, const FoundRows::Code* codes, index_t n) const {
    for (index_t e = 0; e < n; ++e) {
      const std::uint32_t code = codes == nullptr ? code_of_no_image : codes[e];
      out_.entries.entries[k + e] = packed_of(entry_word(0, ids[e], code));
    }
  }
  index_t neighbour(offset_t k) const { return out_.entries.entries[k].neighbour(); }
  void begin(index_t list, offset_t k) const { out_.offsets[list] = k; }
  [[gnu::always_inline]] void fetch(offset_t k, offset_t n) const {
    fetch_to_write(out_.entries.entries + k, out_.entries.entries + k + n);
  }
  void rank(const RankedLists& in, index_t /*list*/, offset_t k, index_t* /*scratch*/) const {
    rank_lists(in, out_.entries.entries + k);
  }

 private:
  ListArrays<PackedEntries> out_;
  bool has_images_;
};

/// Writes sorted entries as pairs, for which there must be room.
class ToPairs {
 public:
  explicit ToPairs(const PairColumns<index_t>& out) : pairs_(reinterpret_cast<Pair*>(out.first)), images_(out.image) {}

  bool has_images() const { return images_ != nullptr; }
  void put(offset_t k, index_t list, EntryWord e) const {
    pairs_[k] = {list, neighbour_of(e)};
    if (has_images()) images_[k] = image_of(e);
  }
  void put_all(offset_t k, index_t list, const index_t* ids, const FoundRows::Code* codes, index_t n) const {
    for (index_t e = 0; e < n; ++e) pairs_[k + e] = {list, ids[e]};
    if (has_images()) put_images(codes, n, images_ + k);
  }
  index_t neighbour(offset_t k) const { return pairs_[k].j; }
  Image& image(offset_t k) const { return images_[k]; }
  void begin(index_t /*list*/, offset_t /*k*/) const {}
  [[gnu::always_inline]] void fetch(offset_t k, offset_t n) const {
    fetch_to_write(pairs_ + k, pairs_ + k + n);
    if (has_images()) fetch_to_write(images_ + k, images_ + k + n);
  }
  void rank(const RankedLists& in, index_t list, offset_t k, index_t* scratch) const {
    rank_lists(in, scratch, has_images() ? images_ + k : nullptr);
    for (index_t l = 0; l < in.lists; ++l) {
      for (index_t e = in.begin[l]; e < in.begin[l + 1]; ++e) pairs_[k + e] = {list + l, scratch[e]};
    }
  }

 private:
  Pair* pairs_;
  Image* images_;
};

/// The periods by which the particles with lists, and the particles in them, were wrapped; by id, or null.
struct Wraps {
  const Image *of_list = nullptr, *of_neighbour = nullptr;

  bool any() const { return of_list != nullptr || of_neighbour != nullptr; }
  void add_to(Image& image, index_t list, index_t neighbour) const {
    for (int axis = 0; axis < 3; ++axis) {
      if (of_list != nullptr) image[axis] += of_list[list][axis];
      if (of_neighbour != nullptr) image[axis] -= of_neighbour[neighbour][axis];
    }
  }
};

/// Adds to the images of entries [begin, end), all of one list, the periods that wrapping took off. Packed lists store the
/// periods of particles separately.
template <class Out>
[[gnu::always_inline]] inline void add_periods(const Out& out, const Wraps& wraps, index_t list, offset_t begin, offset_t end) {
  if constexpr (requires { out.image(0); }) {
    if (!wraps.any()) return;
    for (offset_t k = begin; k < end; ++k) wraps.add_to(out.image(k), list, out.neighbour(k));
  }
}

}  // namespace hgrid::inline v0_2::detail
