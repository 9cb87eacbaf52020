// SPDX-License-Identifier: BSD-3-Clause
// Records in buckets, for several parts of an input concurrently, in its order within each part. The size of a bucket need not
// be known: it takes memory page by page. If the last records filled similar buckets, it takes most pages in advance.
#pragma once

#include <algorithm>
#include <atomic>

#include "hgrid/memory/reserve.hpp"
#include "hgrid/threads/host_exec.hpp"

namespace hgrid::inline v0_2::detail {

inline constexpr offset_t least_records = 64;  ///< wanted records per part of the input and bucket, on average

template <class Record>
class RecordPages {
 public:
  /// Reserves room for n records.
  void reserve(const HostExec& exec, offset_t n, offset_t buckets) {
    const Shape s(exec, n, buckets);
    if (s.portions() > portions_.size() || buckets >= starts_.size()) filled_ = 0;  // for any failure after this
    reserve_all(exec, Need{records_, s.records()}, Need{next_page_, s.pages}, Need{portions_, s.portions()},
                Need{chains_, s.portions()}, Need{starts_, buckets + 1});
  }
  bool has_room(const HostExec& exec, offset_t n, offset_t buckets) const {
    const Shape s(exec, n, buckets);
    return records_.size() >= s.records() && next_page_.size() >= s.pages && portions_.size() >= s.portions() &&
           starts_.size() > buckets;
  }

  /// Empties all buckets for n records. Any distribution over buckets has enough pages.
  void empty(const HostExec& exec, offset_t n, offset_t buckets) {
    shape_ = Shape(exec, n, buckets);
    filled_ = 0;
    std::fill_n(portions_.data(), shape_.portions(), Portion{});
    std::fill_n(chains_.data(), shape_.portions(), Chain{});
    start_with(0);
  }
  /// Empties all buckets, and gives each bucket most of the pages that it filled last, one after the other. There may then be
  /// too few pages. Returns false, without doing anything, if the last distribution is unknown.
  bool empty_alike(const HostExec& exec, offset_t n, offset_t buckets) {
    const Shape last = shape_, now(exec, n, buckets);
    if (filled_ == 0 || filled_ != now.portions() || starts_.data()[last.buckets] > now.records()) return false;
    shape_ = now;
    filled_ = 0;
    index_t at = 0;
    for (offset_t b = 0; b < now.buckets; ++b) {
      for (offset_t part = 0; part < now.parts; ++part) {
        const offset_t s = number_of(part, b);
        const index_t first = at;
        at += count_of(s, last) / now.page_records;
        portions_.data()[s] = {}, chains_.data()[s] = {0, first, at};
      }
    }
    start_with(at);
    return true;
  }

  /// Returns the number of parts into which the input is to be cut.
  offset_t parts() const { return shape_.parts; }

  /// Puts records of one part of the input into buckets.
  class Writer {
   public:
    Writer(RecordPages& pages, offset_t part) : pages_(pages), number_(pages.number_of(part, 0)) {}

    /// Returns a copyable function of bucket and record, valid as long as the writer lives. It returns false if there are no
    /// more pages.
    auto put() {
      return [ this, records = pages_.records_.data(), own = pages_.portions_.data() +
               number_ ](index_t bucket, const Record& r) __attribute__((always_inline)) {
        Portion& s = own[bucket];
        if (s.next == s.end && !add_page(bucket)) return false;
        Record* const to = records + s.next++;
        *to = r;
        __builtin_prefetch(to + 2, 1);  // will be cached when this bucket is used again, after some hundreds of records
        return true;
      };
    }

   private:
    bool add_page(index_t bucket) {
      const Shape& shape = pages_.shape_;
      Portion& portion = pages_.portions_.data()[number_ + bucket];
      Chain& chain = pages_.chains_.data()[number_ + bucket];
      const index_t last = static_cast<index_t>(portion.end / shape.page_records) - 1;
      index_t number = chain.pages == 0 ? chain.first : last + 1;
      if (number >= chain.given_end) {
        if (next_ == end_) next_ = pages_.taken_.fetch_add(shape.at_once), end_ = next_ + shape.at_once;
        if (next_ >= shape.pages) return false;
        number = next_++;
        pages_.template fetch<true>(next_);  // will be taken soon
      }
      (chain.pages == 0 ? chain.first : pages_.next_page_.data()[last]) = number;
      ++chain.pages;
      const std::uint32_t begin = static_cast<std::uint32_t>(number) * static_cast<std::uint32_t>(shape.page_records);
      portion = {begin, begin + static_cast<std::uint32_t>(shape.page_records)};
      return true;
    }

    RecordPages& pages_;
    offset_t number_;             // of the part's first portion
    index_t next_ = 0, end_ = 0;  // pages taken, not yet used
  };

  /// Call when all records are written: finds the first slot of each bucket, and keeps the distribution for `empty_alike`.
  void settle() {
    index_t sum = 0;
    for (offset_t b = 0; b < shape_.buckets; ++b) {
      starts_.data()[b] = sum;
      for (offset_t part = 0; part < shape_.parts; ++part) sum += count_of(number_of(part, b), shape_);
    }
    starts_.data()[shape_.buckets] = sum;
    filled_ = shape_.portions();
  }

  /// Returns whether buckets hold the records that were written, and nothing has failed since.
  bool filled() const { return filled_ > 0; }
  /// Returns the first slot of each bucket, [buckets + 1]; the last is the number of slots.
  const index_t* starts() const { return starts_.data(); }
  HostBuffer<Record>& memory() { return records_; }

  template <class F>
  void for_each_in(offset_t bucket, const F& f) const {
    const index_t page_records = shape_.page_records;
    for (offset_t part = 0; part < shape_.parts; ++part) {
      const offset_t s = number_of(part, bucket);
      index_t page = chains_.data()[s].first;
      for (index_t left = count_of(s, shape_); left > 0; left -= page_records) {
        const Record* r = begin_of(page);
        if (left > page_records) page = next_of(page);
        for (const Record* const end = r + std::min(left, page_records); r < end; ++r) f(*r);
      }
    }
  }

  /// Returns a number for a record. The next function returns the record with that number.
  std::uint32_t place(const Record& r) const { return static_cast<std::uint32_t>(&r - records_.data()); }
  const Record& record(std::uint32_t place) const { return records_.data()[place]; }

  /// Returns the first bucket from which on all records lie at or after number `record`; the number of buckets if none is
  /// known.
  offset_t first_behind(offset_t record) const {
    const offset_t page = (record - 1) / shape_.page_records + 1;
    if (pages_given_ < page) return shape_.buckets;
    offset_t b = 1;
    while (b < shape_.buckets && chains_.data()[number_of(shape_.parts - 1, b - 1)].given_end < page) ++b;
    return b;
  }

  std::size_t bytes() const {
    return records_.bytes() + next_page_.bytes() + portions_.bytes() + chains_.bytes() + starts_.bytes();
  }

 private:
  // How the input is cut into parts and memory into pages, so that partly filled pages take at most a sixteenth of it. Buckets
  // of similar size grow at the same time; an odd number of records per page keeps them from sharing sets of a cache.
  struct Shape {
    Shape() = default;
    Shape(const HostExec& exec, offset_t n, offset_t number)
        : buckets(number),
          parts(std::clamp<offset_t>(n / (least_records * number), 1, exec.parts_of(n))),
          at_once(parts > 1 ? 8 : 1) {
      const offset_t partly_full = portions() + parts * at_once;
      page_records = static_cast<index_t>(std::clamp<offset_t>(n / (16 * partly_full), 3, 63)) | 1;
      pages = n / page_records + partly_full;
    }
    offset_t portions() const { return parts * buckets; }
    offset_t records() const { return pages * page_records; }

    offset_t buckets = 0, parts = 1;
    index_t at_once = 1;  // pages that a part takes at once, so that parts rarely compete
    index_t page_records = 3;
    offset_t pages = 0;
  };

  // One part's records in one bucket: a chain of pages, all full except the last, where records go to `next` on.
  struct Portion {
    std::uint32_t next, end;
  };
  struct Chain {
    index_t pages, first;
    index_t given_end;  // pages from `first` to this one were given in advance
  };

  const Record* begin_of(index_t number) const { return records_.data() + offset_t{number} * shape_.page_records; }

  // Prefetches the beginning of a page; hardware prefetches the rest.
  template <bool to_write>
  void fetch(index_t number) const {
    const auto* const begin = reinterpret_cast<const std::byte*>(begin_of(number));
    for (int line = 0; line < 4; ++line) __builtin_prefetch(begin + 64 * line, to_write);
  }
  // Returns the page after this one in its chain.
  index_t next_of(index_t number) const {
    const index_t next = next_page_.data()[number];
    if (next != number + 1) fetch<false>(next);
    return next;
  }

  offset_t number_of(offset_t part, offset_t bucket) const { return part * shape_.buckets + bucket; }
  index_t count_of(offset_t portion, const Shape& shape) const {
    const Portion& s = portions_.data()[portion];
    return chains_.data()[portion].pages * shape.page_records - static_cast<index_t>(s.end - s.next);
  }
  void start_with(index_t given) { pages_given_ = given, taken_ = given; }

  HostBuffer<Record> records_;
  HostBuffer<index_t> next_page_;  // [pages] the page after each in its chain
  HostBuffer<Portion> portions_;   // [parts][buckets]
  HostBuffer<Chain> chains_;       // of each portion
  HostBuffer<index_t> starts_;
  Shape shape_;
  index_t pages_given_ = 0;
  std::atomic<index_t> taken_{0};  // pages
  offset_t filled_ = 0;            // portions
};

}  // namespace hgrid::inline v0_2::detail
