// SPDX-License-Identifier: BSD-3-Clause
// A radix sort of a few thousand words that stay in the first-level cache.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>

#include "hgrid/core/types.hpp"

namespace hgrid::inline v0_2::detail {

/// `Counter` must be able to count the words.
template <class Counter>
class SortWords {
 public:
  /// Sorts n words by their bits from `first_bit` to before `end_bit`. Returns which of the two arrays has the result.
  std::uint64_t* operator()(std::uint64_t* words, std::uint64_t* other, index_t n, int first_bit, int end_bit) {
    const int widest = std::clamp(static_cast<int>(std::bit_width(static_cast<std::uint32_t>(n))), least_width, most_width);
    const int bits = std::max(end_bit - first_bit, 1), passes = (bits + widest - 1) / widest;
    const int width = std::max((bits + passes - 1) / passes, 2);
    switch (passes) {
      case 1:
        return sort<1>(words, other, n, first_bit, width);
      case 2:
        return sort<2>(words, other, n, first_bit, width);
      case 3:
        return sort<3>(words, other, n, first_bit, width);
      default:
        return sort<most_passes>(words, other, n, first_bit, (bits + most_passes - 1) / most_passes);
    }
  }

 private:
  static constexpr int least_width = 7, most_width = 11, most_passes = 6;

  template <int passes>
  std::uint64_t* sort(std::uint64_t* words, std::uint64_t* other, index_t n, int first_bit, int width) {
    const std::uint64_t mask = (std::uint64_t{1} << width) - 1;
    for (int pass = 0; pass < passes; ++pass) std::fill_n(counts_[pass], mask + 1, 0);
    for (index_t k = 0; k < n; ++k) {
      std::uint64_t rest = words[k] >> first_bit;
      for (int pass = 0; pass < passes; ++pass, rest >>= width) ++counts_[pass][rest & mask];
    }
    for (int pass = 0; pass < passes; ++pass) {
      Counter* const next = counts_[pass];
      Counter sum = 0;
      for (std::uint64_t digit = 0; digit <= mask; ++digit) sum = static_cast<Counter>(sum + std::exchange(next[digit], sum));
      const int from = first_bit + pass * width;
      for (index_t k = 0; k < n; ++k) other[next[words[k] >> from & mask]++] = words[k];
      std::swap(words, other);
    }
    return words;
  }

  Counter counts_[most_passes][1 << most_width];
};

}  // namespace hgrid::inline v0_2::detail
