// SPDX-License-Identifier: BSD-3-Clause
// Entries of neighbor lists on their way from a search to their lists: one word each, in buckets of consecutive lists. Each
// thread fills pages of its own, so there is no counting pass, and no thread waits.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>

#include "hgrid/memory/reserve.hpp"
#include "hgrid/threads/host_exec.hpp"
#include "host/sort/entry_word.hpp"

namespace hgrid::inline v0_2::detail {

class ListBuckets {
 public:
  static constexpr offset_t page_entries = 128;

  /// Empties the buckets for this many lists, with neighbors whose ids are below `ids`. If memory `may_grow`, reserves room for
  /// a guessed number of entries.
  void begin(const HostExec& exec, index_t lists, index_t ids, offset_t entries, bool may_grow) {
    lists_ = lists, ids_ = ids;
    list_bits_ = bits_for(lists, entries);
    buckets_ = (offset_t{lists} >> list_bits_) + 1;
    workers_ = exec.concurrency();
    pages_ = 0, entries_ = 0;
    // Each thread has one page per bucket that is not full.
    const offset_t wanted = may_grow ? entries / page_entries + workers_ * buckets_ : 0;
    const offset_t pages = wanted > page_room() ? with_margin(wanted, 0) : page_room();
    reserve_all(exec, Need{words_, (pages + workers_) * page_entries}, Need{page_, pages}, Need{order_, pages},
                Need{next_, workers_ * buckets_}, Need{begin_, buckets_ + 1}, Need{first_page_, buckets_ + 1});
    std::fill_n(next_.data(), workers_ * buckets_, 0);
  }

  /// Adds entries for one thread. Keep it in a local variable, so that its members stay in registers.
  class Writer {
   public:
    Writer(ListBuckets& buckets, offset_t worker)
        : b_(&buckets),
          worker_(worker),
          next_(buckets.next_.data() + worker * buckets.buckets_),
          words_(buckets.words_.data()),
          bits_(buckets.list_bits_),
          lists_((EntryWord{1} << bits_) - 1) {}

    [[gnu::always_inline]] void add(index_t list, index_t neighbour, std::uint32_t code) {
      const index_t bucket = list >> bits_;
      offset_t to = next_[bucket];
      if (to % page_entries == 0) [[unlikely]]
        to = b_->another_page(bucket, worker_);
      next_[bucket] = to + 1;
      words_[to] = entry_word(static_cast<EntryWord>(list) & lists_, neighbour, code);
    }

    /// Call when all entries have been added, with their number.
    void finish(offset_t entries) {
      b_->entries_ += entries;
      for (offset_t bucket = 0; bucket < b_->buckets_; ++bucket) {
        const offset_t page = next_[bucket] / page_entries, some = next_[bucket] % page_entries;
        if (some > 0 && page < b_->page_room()) b_->page_.data()[page].entries = static_cast<index_t>(some);
      }
    }

   private:
    ListBuckets* b_;
    offset_t worker_;
    offset_t* next_;
    EntryWord* words_;
    int bits_;
    EntryWord lists_;
  };

  /// Returns the number of entries when all writers have finished, including entries for which there was no room.
  offset_t entries() const { return entries_; }
  bool has_all() const { return pages_ <= page_room(); }

  /// Call then, if the buckets have all entries: finds the pages and the first entry of each bucket.
  void settle() {
    offset_t* const next = first_page_.data();
    std::fill_n(next, buckets_ + 1, 0);
    std::fill_n(begin_.data(), buckets_ + 1, 0);
    for (offset_t k = 0; k < pages_; ++k) ++next[page_.data()[k].bucket + 1];
    for (offset_t k = 0; k < pages_; ++k) begin_.data()[page_.data()[k].bucket + 1] += page_.data()[k].entries;
    for (offset_t b = 0; b < buckets_; ++b) next[b + 1] += next[b], begin_.data()[b + 1] += begin_.data()[b];
    for (offset_t k = 0; k < pages_; ++k) order_.data()[next[page_.data()[k].bucket]++] = static_cast<index_t>(k);
    for (offset_t b = buckets_; b > 0; --b) next[b] = next[b - 1];
    next[0] = 0;
  }

  offset_t size() const { return buckets_; }
  index_t ids() const { return ids_; }
  index_t first_list(offset_t bucket) const { return static_cast<index_t>(bucket << list_bits_); }
  index_t lists_in(offset_t bucket) const {
    return static_cast<index_t>(std::min<offset_t>((bucket + 1) << list_bits_, lists_) - (bucket << list_bits_));
  }
  index_t most_lists() const { return static_cast<index_t>(std::min<offset_t>(offset_t{1} << list_bits_, lists_)); }
  /// Returns how many entries the buckets before it have.
  offset_t begin_of(offset_t bucket) const { return begin_.data()[bucket]; }
  offset_t entries_in(offset_t bucket) const { return begin_of(bucket + 1) - begin_of(bucket); }

  /// Calls f(word) for the entries of a bucket, in arbitrary order, but the same each time.
  template <class F>
  void for_each_in(offset_t bucket, const F& f) const {
    for (offset_t k = first_page_.data()[bucket]; k < first_page_.data()[bucket + 1]; ++k) {
      const index_t page = order_.data()[k], entries = page_.data()[page].entries;
      const EntryWord* const words = words_.data() + page * page_entries;
      if (k + 1 < first_page_.data()[bucket + 1]) fetch(order_.data()[k + 1]);
      for (index_t e = 0; e < entries; ++e) f(words[e]);
    }
  }

  std::size_t bytes() const {
    return words_.bytes() + page_.bytes() + order_.bytes() + next_.bytes() + begin_.bytes() + first_page_.bytes();
  }

 private:
  struct Page {
    index_t bucket, entries;
  };

  // Chooses buckets whose entries stay in the second-level cache, but not more buckets than can be written to at once.
  static int bits_for(index_t lists, offset_t entries) {
    constexpr offset_t wanted = 1 << 14;
    constexpr int most_buckets_bits = 10, most_bits = 63 - list_shift;
    const int least = static_cast<int>(std::bit_width(static_cast<std::uint32_t>(lists))) - most_buckets_bits;
    const double each = static_cast<double>(std::max<offset_t>(entries, 1)) / std::max<index_t>(lists, 1);
    int bits = std::max(least, 0);
    while (bits < most_bits && offset_t{1} << bits < lists && each * static_cast<double>(offset_t{2} << bits) <= wanted) ++bits;
    return std::min(bits, most_bits);
  }

  offset_t page_room() const { return page_.size(); }

  void fetch(index_t page) const {
    constexpr offset_t line = 64 / sizeof(EntryWord);
    for (offset_t e = 0; e < page_entries; e += line) __builtin_prefetch(words_.data() + page * page_entries + e);
  }

  // Returns where the worker may write next. If there is no room, this is a place whose contents are never read.
  [[gnu::noinline]] offset_t another_page(index_t bucket, offset_t worker) {
    const offset_t page = pages_.fetch_add(1, std::memory_order_relaxed);
    if (page >= page_room()) return (page_room() + worker) * page_entries;
    page_.data()[page] = {bucket, static_cast<index_t>(page_entries)};
    fetch(static_cast<index_t>(page));
    return page * page_entries;
  }

  index_t lists_ = 0, ids_ = 0;
  int list_bits_ = 0;
  offset_t buckets_ = 0, workers_ = 0;
  std::atomic<offset_t> pages_{0}, entries_{0};
  HostBuffer<EntryWord> words_;
  HostBuffer<Page> page_;
  HostBuffer<index_t> order_;        // pages, bucket by bucket
  HostBuffer<offset_t> next_;        // [worker][bucket] where its next entry goes; at the begin of a page: it has none
  HostBuffer<offset_t> begin_;       // [buckets + 1] entries before each
  HostBuffer<offset_t> first_page_;  // [buckets + 1] in order_
};

}  // namespace hgrid::inline v0_2::detail
