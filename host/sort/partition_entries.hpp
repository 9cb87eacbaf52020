// SPDX-License-Identifier: BSD-3-Clause
// Sorting pairs into lists on a host: one pass moves entries into buckets of consecutive lists, then each bucket is counted,
// placed and sorted inside the cache. No atomics, and no access to memory at random.
#pragma once

#include <bit>
#include <limits>

#include "hgrid/lists/list_entries.hpp"
#include "hgrid/threads/host_exec.hpp"
#include "host/sort/buckets.hpp"
#include "host/sort/sort_kernels.hpp"

namespace hgrid::inline v0_1::detail {

/// Sorts n <= `most` entries: the place of each is how many neighbours are less. No branch depends on them, which costs half
/// of an insertion sort. False, and nothing moved, if a neighbour stands there twice, under different images.
template <int most>
bool sort_by_rank(index_t* neighbours, Image* images, index_t n) {
  index_t value[most], place[most] = {}, places = 0;
  for (int k = 0; k < most; ++k) value[k] = k < n ? neighbours[k] : std::numeric_limits<index_t>::max();
  for (index_t k = 0; k < n; ++k) {
    for (int to = 0; to < most; ++to) place[to] += value[k] < value[to];
  }
  for (index_t k = 0; k < n; ++k) places += place[k];
  if (places != n * (n - 1) / 2) return false;
  for (index_t k = 0; k < n; ++k) neighbours[place[k]] = value[k];
  if (images == nullptr) return true;
  Image image[most];
  for (index_t k = 0; k < n; ++k) image[k] = images[k];
  for (index_t k = 0; k < n; ++k) images[place[k]] = image[k];
  return true;
}

class PartitionEntries {
 public:
  void reserve(const HostExec& exec, const ListInput& in) {
    const offset_t entries = with_margin(in.entries(), entries_.size()), n = buckets(in);
    reserve_all(exec, Need{entries_, entries}, Need{images_, in.images == nullptr ? 0 : entries},
                Need{next_, exec.parts_of(in.count) * n}, Need{begin_, n + 1});
  }

  void run(const HostExec& exec, const ListInput& in, const ListArrays& out) {
    const offset_t parts = exec.parts_of(in.count), n = buckets(in);
    const auto for_each_part = [&](const char* name, const auto& f) {
      exec.for_each_worker(name, parts, [&](offset_t part) {
        f(in.count * part / parts, in.count * (part + 1) / parts, next_.data() + part * n);
      });
    };
    for_each_part("hgrid::count_entries", [&](offset_t begin, offset_t end, offset_t* next) { count(in, begin, end, next); });
    out.offsets[in.lists] = scan_buckets(next_.data(), begin_.data(), n, parts);
    for_each_part("hgrid::partition_entries",
                  [&](offset_t begin, offset_t end, offset_t* next) { partition(in, begin, end, next); });
    exec.for_each_item("hgrid::sort_lists", n, [&](offset_t bucket) { sort_bucket(in, out, bucket); });
  }

  std::size_t bytes() const { return entries_.bytes() + images_.bytes() + next_.bytes() + begin_.bytes(); }

 private:
  // As many buckets as can be written to at once; as few lists in one as are worth a bucket.
  static int list_bits(const ListInput& in) {
    const int bits = static_cast<int>(std::bit_width(static_cast<std::uint32_t>(in.lists))) - 9;
    return bits < 8 ? 8 : bits;
  }
  static offset_t buckets(const ListInput& in) { return (offset_t{in.lists} >> list_bits(in)) + 1; }

  // Where no pair is marked, as in most lists, nobody asks.
  static void count(const ListInput& in, offset_t begin, offset_t end, offset_t* counts) {
    const int bits = list_bits(in);
    for (offset_t b = 0; b < buckets(in); ++b) counts[b] = 0;
    for (offset_t k = begin; k < end && in.one_sided; ++k) {
      in.for_each_entry(k, [&](index_t list, index_t, const Image*) { ++counts[list >> bits]; });
    }
    if (in.one_sided) return;
    for (offset_t k = begin; k < end; ++k) {
      ++counts[in.pairs[k].i >> bits];
      if (in.full) ++counts[in.pairs[k].j >> bits];
    }
  }

  void partition(const ListInput& in, offset_t begin, offset_t end, offset_t* next) {
    const int bits = list_bits(in);
    const auto put = [&](index_t list, index_t neighbour, const Image* image) {
      const offset_t to = next[list >> bits]++;
      entries_.data()[to] = {list, neighbour};
      if (image != nullptr) images_.data()[to] = *image;
    };
    if (in.one_sided) {
      for (offset_t k = begin; k < end; ++k) in.for_each_entry(k, put);
    } else {
      for (offset_t k = begin; k < end; ++k) in.for_each_entry_unmarked(k, put);
    }
  }

  // The offset of a list is first its length, then where its next entry goes, which in the end is where the next list begins.
  void sort_bucket(const ListInput& in, const ListArrays& out, offset_t bucket) {
    const index_t first = static_cast<index_t>(bucket << list_bits(in));
    const offset_t behind = (bucket + 1) << list_bits(in);
    const index_t last = behind < in.lists ? static_cast<index_t>(behind) : in.lists;
    const offset_t begin = begin_.data()[bucket], end = begin_.data()[bucket + 1];
    const Pair* const entries = entries_.data();
    for (index_t list = first; list < last; ++list) out.offsets[list] = 0;
    for (offset_t k = begin; k < end; ++k) {
      ++out.offsets[entries[k].i];
      if (k % 16 == 0) __builtin_prefetch(out.entries.neighbours + k, 1);
    }
    offset_t sum = begin;
    for (index_t list = first; list < last; ++list) {
      const offset_t here = out.offsets[list];
      out.offsets[list] = sum;
      sum += here;
    }
    for (offset_t k = begin; k < end; ++k) {
      const offset_t to = out.offsets[entries[k].i]++;
      out.entries.neighbours[to] = entries[k].j;
      if (in.images != nullptr) out.entries.images[to] = images_.data()[k];
    }
    sum = begin;
    const bool kernel = in.images == nullptr;  // then no neighbour stands in a list twice
    for (index_t list = first; list < last; ++list) {
      const offset_t list_end = out.offsets[list];
      out.offsets[list] = sum;
      if (!kernel || list_end - sum > short_list || sum + short_list > end) sort_list(out.entries, sum, list_end - sum);
      sum = list_end;
    }
    if (kernel) sort_short_lists(out.offsets + first, end, last - first, out.entries.neighbours);
  }

  static void sort_list(const ListEntries& entries, offset_t begin, offset_t n) {
    index_t* const neighbours = entries.neighbours + begin;
    Image* const images = entries.images == nullptr ? nullptr : entries.images + begin;
    const auto few = static_cast<index_t>(n <= 16 ? n : 0);
    const bool sorted = n <= 4    ? sort_by_rank<4>(neighbours, images, few)
                        : n <= 8  ? sort_by_rank<8>(neighbours, images, few)
                        : n <= 16 ? sort_by_rank<16>(neighbours, images, few)
                                  : false;
    if (!sorted) entries.sort(begin, n);
  }

  HostBuffer<Pair> entries_;  // i the list, j the neighbour
  HostBuffer<Image> images_;
  HostBuffer<offset_t> next_, begin_;
};

}  // namespace hgrid::inline v0_1::detail
