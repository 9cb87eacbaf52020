// SPDX-License-Identifier: BSD-3-Clause
// From buckets of entries to sorted lists. A bucket stays in the second-level cache, where its entries are sorted digit by
// digit, the last of which is the list: so the cost of an entry does not depend on how long its list is. Where lists have some
// dozens of entries, ranks are faster: the place of each is how many are less.
#pragma once

#include <utility>

#include "hgrid/lists/list_entries.hpp"
#include "host/sort/list_buckets.hpp"
#include "host/sort/sort_kernels.hpp"

namespace hgrid::inline v0_1::detail {

/// Where sorted entries go: into neighbour lists ...
class ToLists {
 public:
  explicit ToLists(const ListArrays& out) : out_(out) {}

  /// Where the neighbours and images of a bucket go, whose entries begin at `begin`.
  ListEntries entries(offset_t begin, index_t* /*scratch*/) const {
    return {out_.entries.neighbours + begin, out_.entries.images == nullptr ? nullptr : out_.entries.images + begin};
  }
  /// List `list` has entries from `begin` on; the next one from `end` on.
  void finish(index_t list, offset_t begin, offset_t /*end*/, const index_t* /*neighbours*/) const {
    out_.offsets[list] = begin;
  }

 private:
  ListArrays out_;
};

/// ... or into pairs, of which there is room for all.
class ToPairs {
 public:
  explicit ToPairs(const PairColumns<index_t>& out) : out_(out) {}

  ListEntries entries(offset_t begin, index_t* scratch) const {
    return {scratch, out_.image == nullptr ? nullptr : out_.image + begin};
  }
  void finish(index_t list, offset_t begin, offset_t end, const index_t* neighbours) const {
    for (offset_t k = begin; k < end; ++k) {
      out_.first[k * out_.stride] = list, out_.second[k * out_.stride] = *neighbours++;
    }
  }

 private:
  PairColumns<index_t> out_;
};

class SortBuckets {
 public:
  /// Room for the sort of what the buckets hold.
  void reserve(const HostExec& exec, const ListBuckets& in) {
    const offset_t words = words_needed(exec, in);
    reserve_all(exec, Need{words_, with_margin(2 * words, words_.size())},
                Need{neighbours_, with_margin(words, neighbours_.size())}, Need{counts_, exec.concurrency() * counts_each(in)});
  }
  bool has_room(const HostExec& exec, const ListBuckets& in) const {
    const offset_t words = words_needed(exec, in);
    return words_.size() >= 2 * words && neighbours_.size() >= words && counts_.size() >= exec.concurrency() * counts_each(in);
  }

  /// `wraps` [lists], or null: the periods by which each particle was wrapped.
  template <class Out>
  void run(const HostExec& exec, const ListBuckets& in, const Out& out, const Image* wraps) {
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
  static constexpr index_t least_ranked = 8;  // entries a list, on the average of a bucket
  static constexpr int digit_bits = 11;
  static constexpr offset_t digits = 1 << digit_bits;
  static constexpr int most_digits = 5;
  static constexpr offset_t counters = most_digits * digits;

  // For one bucket: two arrays of `each` entries, one of neighbours, counters.
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
  void sort(const ListBuckets& in, offset_t bucket, const Room& room, const Out& out, const Image* wraps) {
    const index_t first = in.first_list(bucket), lists = in.lists_in(bucket);
    const offset_t begin = in.begin_of(bucket);
    const ListEntries to = out.entries(begin, room.neighbours);
    index_t* const next = room.counts + counters + 1;  // where the next entry of each list goes, in the bucket; next[-1] is 0
    std::fill_n(next - 1, lists + 1, 0);
    in.for_each_in(bucket, [&](EntryWord e) { ++next[e >> list_shift]; });
    index_t longest = 0, sum = 0;
    for (index_t list = 0; list < lists; ++list) {
      longest = std::max(longest, next[list]);
      sum += std::exchange(next[list], sum);
    }
    if (longest <= most_ranked && sum >= least_ranked * offset_t{lists}) {
      in.for_each_in(bucket, [&](EntryWord e) { room.first()[next[e >> list_shift]++] = e; });
      rank_lists(room.first(), next - 1, lists, in.lists() <= 1 << 16, to.neighbours, to.images);
    } else {
      const bool by_images = to.images != nullptr && repeated_;
      sort_by_digits(in, bucket, by_images ? 0 : image_code_bits, room, next, to);
      if (!by_images && to.images != nullptr && has_repeated(next - 1, lists, to.neighbours)) {
        repeated_ = true;
        std::copy_backward(next - 1, next + lists - 1, next + lists);  // an end is where the next list begins
        sort_by_digits(in, bucket, 0, room, next, to);
      }
    }
    for (index_t list = 0; list < lists; ++list) {
      const index_t from = next[list - 1], end = next[list];
      for (index_t k = from; k < end && wraps != nullptr; ++k) {
        for (int axis = 0; axis < 3; ++axis) to.images[k][axis] += wraps[first + list][axis] - wraps[to.neighbours[k]][axis];
      }
      out.finish(first + list, begin + from, begin + end, to.neighbours + from);
    }
  }

  // By all bits of the neighbour, and of the image from the given one on; then by list.
  static void sort_by_digits(const ListBuckets& in, offset_t bucket, int from_bit, const Room& room, index_t* next,
                             const ListEntries& to) {
    const int bits = image_code_bits - from_bit + std::bit_width(static_cast<std::uint32_t>(in.lists() - 1));
    const EntryWord* sorted = nullptr;
    if (bits <= digit_bits) {
      sorted = by_digits<1>(in, bucket, from_bit, bits, room, to);
    } else if (bits <= 2 * digit_bits) {
      sorted = by_digits<2>(in, bucket, from_bit, bits, room, to);
    } else if (bits <= 3 * digit_bits) {
      sorted = by_digits<3>(in, bucket, from_bit, bits, room, to);
    } else {
      static_assert(list_shift <= most_digits * digit_bits);
      sorted = by_digits<most_digits>(in, bucket, from_bit, bits, room, to);
    }
    const auto n = static_cast<index_t>(in.entries_in(bucket));
    if (to.images == nullptr) {
      for (index_t k = 0; k < n; ++k) to.neighbours[next[sorted[k] >> list_shift]++] = neighbour_of(sorted[k]);
    } else {
      for (index_t k = 0; k < n; ++k) {
        const index_t at = next[sorted[k] >> list_shift]++;
        to.neighbours[at] = neighbour_of(sorted[k]), to.images[at] = image_of(sorted[k]);
      }
    }
  }

  // The entries of a bucket, sorted by so many bits in one pass for each digit; all of their counts are made in one pass.
  template <int passes>
  static const EntryWord* by_digits(const ListBuckets& in, offset_t bucket, int from_bit, int bits, const Room& room,
                                    const ListEntries& out) {
    const int width = (bits + passes - 1) / passes;
    const EntryWord mask = (EntryWord{1} << width) - 1;
    index_t* const place = room.counts;  // [passes][digits]
    for (int pass = 0; pass < passes; ++pass) std::fill_n(place + pass * digits, mask + 1, 0);
    in.for_each_in(bucket, [&](EntryWord e) {
      for (int pass = 0; pass < passes; ++pass) ++place[pass * digits + offset_t(e >> (from_bit + pass * width) & mask)];
    });
    const auto n = static_cast<index_t>(in.entries_in(bucket));
    for (int pass = 0; pass < passes; ++pass) {
      index_t* const next = place + pass * digits;
      index_t sum = 0;
      for (EntryWord digit = 0; digit <= mask; ++digit) sum += std::exchange(next[digit], sum);
      EntryWord* const to = pass % 2 == 0 ? room.first() : room.second();
      const EntryWord* const from = pass % 2 == 0 ? room.second() : room.first();
      const auto move = [&](EntryWord e) { to[next[e >> (from_bit + pass * width) & mask]++] = e; };
      if (pass == 0) {
        in.for_each_in(bucket, move);
      } else {
        for (index_t k = 0; k < n; ++k) move(from[k]);
      }
    }
    fetch_to_write(out.neighbours, out.neighbours + n);
    if (out.images != nullptr) fetch_to_write(out.images, out.images + n);
    return passes % 2 == 1 ? room.first() : room.second();
  }

  // Whether some list, of entries from begin[list] on, has a neighbour twice, then under different images.
  static bool has_repeated(const index_t* begin, index_t lists, const index_t* neighbours) {
    index_t alike = 0;  // also where the next list begins as the last ended
    for (index_t k = begin[0] + 1; k < begin[lists]; ++k) alike += neighbours[k] == neighbours[k - 1];
    for (index_t list = 0; list < lists && alike > 0; ++list) {
      for (index_t k = begin[list] + 1; k < begin[list + 1]; ++k) {
        if (neighbours[k] == neighbours[k - 1]) return true;
      }
    }
    return false;
  }

  // Some list has a neighbour under several images, as in a small periodic box. What the last lists had is tried first.
  std::atomic<bool> repeated_{false};
  HostBuffer<EntryWord> words_;
  HostBuffer<index_t> neighbours_;
  HostBuffer<index_t> counts_;
};

}  // namespace hgrid::inline v0_1::detail
