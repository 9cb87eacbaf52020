// SPDX-License-Identifier: BSD-3-Clause
// Sorts buckets of entries into lists. A bucket stays in the second-level cache. If its lists have few entries on the average,
// all of them are sorted together, digit by digit; the last digit is the list. Otherwise they are sorted one by one: up to some
// dozens of entries by rank, where the place of an entry is the number of lesser entries, and longer lists by digits.
#pragma once

#include <utility>

#include "host/neighbours/list_buckets.hpp"
#include "host/neighbours/list_outputs.hpp"

namespace hgrid::inline v0_2::detail {

class SortBuckets {
 public:
  /// Reserves room for the sort of all buckets.
  void reserve(const HostExec& exec, const ListBuckets& in) {
    const offset_t words = words_needed(exec, in);
    reserve_all(exec, Need{words_, with_margin(2 * words, words_.size())},
                Need{neighbours_, with_margin(words, neighbours_.size())}, Need{counts_, exec.concurrency() * counts_each(in)});
  }
  bool has_room(const HostExec& exec, const ListBuckets& in) const {
    const offset_t words = words_needed(exec, in);
    return words_.size() >= 2 * words && neighbours_.size() >= words && counts_.size() >= exec.concurrency() * counts_each(in);
  }

  template <class Out>
  void run(const HostExec& exec, const ListBuckets& in, const Out& out, const Wraps& wraps) {
    const offset_t usual = std::min(largest_of(in), most_in_cache);
    std::atomic<offset_t> next{0};
    exec.for_each_worker("hgrid::sort_lists", in.size(), [&](offset_t worker) {
      const Room room{words_.data() + 2 * worker * usual, usual, neighbours_.data() + worker * usual,
                      counts_.data() + worker * counts_each(in)};
      for (offset_t b; (b = next.fetch_add(1, std::memory_order_relaxed)) < in.size();) {
        if (in.entries_in(b) <= usual) sort(in, b, room, out, wraps);
      }
    });
    for (offset_t b = 0; b < in.size(); ++b) {  // one after the other, which bounds the memory
      const offset_t n = in.entries_in(b);
      if (n > usual) sort(in, b, {words_.data(), n, neighbours_.data(), counts_.data()}, out, wraps);
    }
  }

  std::size_t bytes() const { return words_.bytes() + neighbours_.bytes() + counts_.bytes(); }

 private:
  static constexpr offset_t most_in_cache = 1 << 17;
  static constexpr index_t least_each = 8;  // mean entries per list in a bucket from which lists are sorted one by one
  static constexpr int digit_bits = 11;
  static constexpr offset_t digits = 1 << digit_bits;
  static constexpr int most_digits = 5;
  static constexpr offset_t counters = most_digits * digits;

  // For one bucket: two arrays of `each` entries, one of neighbors, counters.
  struct Room {
    EntryWord* words;
    offset_t each;
    index_t* neighbours;
    index_t* counts;
    EntryWord* first() const { return words; }
    EntryWord* second() const { return words + each; }
  };

  static offset_t largest_of(const ListBuckets& in) {
    offset_t largest = 0;
    for (offset_t b = 0; b < in.size(); ++b) largest = std::max(largest, in.entries_in(b));
    return largest;
  }
  static offset_t words_needed(const HostExec& exec, const ListBuckets& in) {
    const offset_t largest = largest_of(in);
    return std::max(largest, exec.concurrency() * std::min(largest, most_in_cache));
  }
  static offset_t counts_each(const ListBuckets& in) { return counters + in.most_lists() + 1; }

  template <class Out>
  void sort(const ListBuckets& in, offset_t bucket, const Room& room, const Out& out, const Wraps& wraps) {
    const index_t first = in.first_list(bucket), lists = in.lists_in(bucket);
    const offset_t begin = in.begin_of(bucket);
    index_t* const next = room.counts + counters + 1;  // where the next entry of each list goes, in the bucket; next[-1] is 0
    std::fill_n(next - 1, lists + 1, 0);
    if (!list_by_list(in, bucket, room, next, out)) {
      const bool by_images = out.has_images() && repeated_;
      by_digits(in, bucket, by_images ? 0 : image_code_bits, room, next, out);
      if (!by_images && out.has_images() && has_repeated(next - 1, lists, begin, out)) {
        repeated_ = true;
        std::fill_n(next - 1, lists + 1, 0);
        by_digits(in, bucket, 0, room, next, out);
      }
    }
    for (index_t list = 0; list < lists; ++list) out.begin(first + list, begin + next[list - 1]);
    for (index_t list = 0; list < lists && wraps.any(); ++list)
      add_periods(out, wraps, first + list, begin + next[list - 1], begin + next[list]);
  }

  // Turns the lengths of lists into their begins.
  static void begins_of(index_t* next, index_t lists) {
    index_t sum = 0;
    for (index_t list = 0; list < lists; ++list) sum += std::exchange(next[list], sum);
  }

  // Sorts list by list. Returns false, without doing anything, if lists are too short for a gain.
  template <class Out>
  static bool list_by_list(const ListBuckets& in, offset_t bucket, const Room& room, index_t* next, const Out& out) {
    const index_t lists = in.lists_in(bucket);
    if (in.entries_in(bucket) < least_each * offset_t{lists}) return false;
    in.for_each_in(bucket, [&](EntryWord e) { ++next[e >> list_shift]; });
    begins_of(next, lists);
    in.for_each_in(bucket, [&](EntryWord e) { room.first()[next[e >> list_shift]++] = e; });
    const int id_bits = std::bit_width(static_cast<std::uint32_t>(in.ids() - 1));
    out.rank({room.first(), room.second(), next - 1, lists, id_bits}, in.first_list(bucket), in.begin_of(bucket),
             room.neighbours);
    return true;
  }

  // Sorts by the bits of the neighbor, and of the image from `from_bit` on; then by list.
  template <class Out>
  static void by_digits(const ListBuckets& in, offset_t bucket, int from_bit, const Room& room, index_t* next, const Out& out) {
    const int bits = image_code_bits - from_bit + std::bit_width(static_cast<std::uint32_t>(in.ids() - 1));
    const EntryWord* sorted = nullptr;
    if (bits <= digit_bits) {
      sorted = by_neighbour<1>(in, bucket, from_bit, bits, room, next);
    } else if (bits <= 2 * digit_bits) {
      sorted = by_neighbour<2>(in, bucket, from_bit, bits, room, next);
    } else if (bits <= 3 * digit_bits) {
      sorted = by_neighbour<3>(in, bucket, from_bit, bits, room, next);
    } else {
      static_assert(list_shift <= most_digits * digit_bits);
      sorted = by_neighbour<most_digits>(in, bucket, from_bit, bits, room, next);
    }
    begins_of(next, in.lists_in(bucket));
    const auto n = static_cast<index_t>(in.entries_in(bucket));
    const offset_t begin = in.begin_of(bucket);
    const index_t first = in.first_list(bucket);
    out.fetch(begin, n);
    for (index_t k = 0; k < n; ++k) {
      const auto list = static_cast<index_t>(sorted[k] >> list_shift);
      out.put(begin + next[list]++, first + list, sorted[k]);
    }
  }

  // Returns the entries of a bucket, sorted by these bits in one pass per digit. All counts, also of lists, are made in one
  // pass.
  template <int passes>
  static const EntryWord* by_neighbour(const ListBuckets& in, offset_t bucket, int from_bit, int bits, const Room& room,
                                       index_t* lengths) {
    const int width = (bits + passes - 1) / passes;
    const EntryWord mask = (EntryWord{1} << width) - 1;
    const auto digit = [&](EntryWord e, int pass) { return static_cast<offset_t>(e >> (from_bit + pass * width) & mask); };
    index_t* const counts = room.counts;  // [passes][digits]
    for (int pass = 0; pass < passes; ++pass) std::fill_n(counts + pass * digits, mask + 1, 0);
    in.for_each_in(bucket, [&](EntryWord e) {
      for (int pass = 0; pass < passes; ++pass) ++counts[pass * digits + digit(e, pass)];
      ++lengths[e >> list_shift];
    });
    const auto n = static_cast<index_t>(in.entries_in(bucket));
    for (int pass = 0; pass < passes; ++pass) {
      index_t* const next = counts + pass * digits;
      index_t sum = 0;
      for (EntryWord d = 0; d <= mask; ++d) sum += std::exchange(next[d], sum);
      EntryWord* const to = pass % 2 == 0 ? room.first() : room.second();
      const EntryWord* const from = pass % 2 == 0 ? room.second() : room.first();
      const auto move = [&](EntryWord e) { to[next[digit(e, pass)]++] = e; };
      if (pass == 0) {
        in.for_each_in(bucket, move);
      } else {
        for (index_t k = 0; k < n; ++k) move(from[k]);
      }
    }
    return passes % 2 == 1 ? room.first() : room.second();
  }

  // Returns whether some list has a neighbor twice, under different images. The entries of list begin at ends[list].
  template <class Out>
  static bool has_repeated(const index_t* ends, index_t lists, offset_t begin, const Out& out) {
    index_t alike = 0;  // also counts a list that begins with the last neighbor of the list before
    for (offset_t k = begin + 1; k < begin + ends[lists]; ++k) alike += out.neighbour(k) == out.neighbour(k - 1);
    for (index_t list = 0; list < lists && alike > 0; ++list) {
      for (offset_t k = begin + ends[list] + 1; k < begin + ends[list + 1]; ++k) {
        if (out.neighbour(k) == out.neighbour(k - 1)) return true;
      }
    }
    return false;
  }

  // true if some list has a neighbor under several images, as in a small periodic box. The next sort tries the last result
  // first.
  std::atomic<bool> repeated_{false};
  HostBuffer<EntryWord> words_;
  HostBuffer<index_t> neighbours_;
  HostBuffer<index_t> counts_;
};

}  // namespace hgrid::inline v0_2::detail
