// SPDX-License-Identifier: BSD-3-Clause
// Neighbor lists in the order of the search: sorted rows of entries, which lie anywhere in memory until all are found.
#pragma once

#include <algorithm>
#include <atomic>

#include "hgrid/core/image_code.hpp"
#include "hgrid/memory/reserve.hpp"
#include "hgrid/threads/host_exec.hpp"

namespace hgrid::inline v0_2::detail {

class FoundRows {
 public:
  using Code = std::uint16_t;
  static_assert(image_code_bits <= 16);

  /// Clears all rows. If memory `may_grow`, reserves room for a guessed number of entries plus one block per worker. Each row
  /// must be put once, except if `some_empty`.
  void begin(const HostExec& exec, offset_t rows, bool some_empty, offset_t entries, bool images, bool may_grow) {
    const offset_t workers = exec.concurrency();
    block_ = std::clamp<offset_t>(entries / (8 * workers), least_block, most_block);
    const offset_t wanted = may_grow ? std::max<offset_t>(taken_, entries + entries / 8) + workers * block_ : 0;
    const offset_t room = std::max(wanted > ids_.size() ? with_margin(wanted, 0) : 0, ids_.size());
    reserve_all(exec, Need{ids_, room}, Need{codes_, images && may_grow ? room : 0}, Need{begin_, rows},
                Need{length_, rows + 1});
    rows_ = rows, has_codes_ = images, taken_ = 0, entries_ = 0;
    if (some_empty) std::fill_n(begin_.data(), rows, 0), std::fill_n(length_.data(), rows, 0);
  }

  /// A piece of memory for the entries of one worker; null if there is no room.
  struct Block {
    index_t* ids = nullptr;
    Code* codes = nullptr;  ///< null if there are no images
    offset_t size = 0;
  };
  Block another_block(offset_t least) {
    const offset_t size = std::max(block_, least), at = taken_.fetch_add(size, std::memory_order_relaxed);
    if (at + size > room()) return {};
    return {ids_.data() + at, has_codes_ ? codes_.data() + at : nullptr, size};
  }

  /// Makes the first n entries of this memory the row of particle i. Without codes all are in place.
  void put(index_t i, const Block& at, index_t n, bool coded) {
    begin_.data()[i] = 2 * (at.ids - ids_.data()) + coded;
    length_.data()[i] = n;
  }
  void add(offset_t entries) { entries_ += entries; }

  /// Returns the number of entries when all are found, including rows for which there was no room.
  offset_t entries() const { return entries_; }
  bool has_all() const { return taken_ <= room(); }

  /// Call when all rows were found and fit: computes where each row goes, one after the other.
  void settle(const HostExec& exec) { exec.exclusive_scan("hgrid::scan_lists", length_.data(), rows_); }

  /// Calls f(i, first entry, ids, codes or null, entries) for rows [from, to) of an order of all rows, or of their own order if
  /// it is null.
  template <class F>
  void for_each(offset_t from, offset_t to, const index_t* order, const F& f) const {
    const offset_t* const first = length_.data();
    const auto row = [&](offset_t k) { return order == nullptr ? k : order[k]; };
    for (offset_t k = from; k < to; ++k) {
      if (k + rows_ahead < to) fetch(row(k + rows_ahead));
      const offset_t i = row(k), at = begin_.data()[i] / 2;
      f(static_cast<index_t>(i), first[i], ids_.data() + at, begin_.data()[i] % 2 != 0 ? codes_.data() + at : nullptr,
        static_cast<index_t>(first[i + 1] - first[i]));
    }
  }
  offset_t size() const { return rows_; }
  /// Returns how many entries the rows before row i have.
  offset_t before(offset_t i) const { return length_.data()[i]; }

  std::size_t bytes() const { return ids_.bytes() + codes_.bytes() + begin_.bytes() + length_.bytes(); }

 private:
  static constexpr offset_t least_block = 2048, most_block = 65536;

  static constexpr offset_t rows_ahead = 8;

  [[gnu::always_inline]] void fetch(offset_t i) const {
    constexpr offset_t line = 64 / sizeof(index_t);
    const offset_t n = std::min<offset_t>(length_.data()[i + 1] - length_.data()[i], 16 * line), at = begin_.data()[i] / 2;
    for (offset_t k = 0; k < n; k += line) __builtin_prefetch(ids_.data() + at + k);
    if (begin_.data()[i] % 2 == 0) return;
    for (offset_t k = 0; k < n; k += 64 / sizeof(Code)) __builtin_prefetch(codes_.data() + at + k);
  }

  offset_t room() const { return has_codes_ ? std::min(ids_.size(), codes_.size()) : ids_.size(); }

  HostBuffer<index_t> ids_;
  HostBuffer<Code> codes_;
  HostBuffer<offset_t> begin_;   // twice the place where a row begins, plus 1 if it has codes
  HostBuffer<offset_t> length_;  // of each row; once settled, the number of entries before it
  offset_t rows_ = 0;
  bool has_codes_ = false;
  offset_t block_ = least_block;
  std::atomic<offset_t> taken_{0}, entries_{0};
};

}  // namespace hgrid::inline v0_2::detail
