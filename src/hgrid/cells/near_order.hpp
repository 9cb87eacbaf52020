// SPDX-License-Identifier: BSD-3-Clause
// A spatial order for any density. Particles are halved along the longest side of their bounding box, again and again, so boxes
// around consecutive particles hold equally many and hardly overlap. Records at one position are in an order of their own.
#pragma once

#include <algorithm>

#include "hgrid/core/child_boxes.hpp"

namespace hgrid::inline v0_2::detail {

/// A particle during sorting.
template <int D>
struct NearRecord {
  Vec<double, D> x;
  index_t slot, id;

  bool comes_before(const NearRecord& other) const { return id < other.id; }
};

/// Moves the m-th smallest of n records along an axis to place m, with no larger record before it and no smaller one after it.
template <class Record>
void split_records(Record* r, offset_t n, offset_t m, int axis) {
  constexpr int most_samples = 31, rounds = 32;
  constexpr offset_t few = 16;
  // No branch here depends on a coordinate.
  const auto partition = [&](const auto& comes_first) {
    offset_t first = 0;
    for (offset_t i = 0; i < n; ++i) {
      const Record own = r[i];
      r[i] = r[first], r[first] = own;
      first += static_cast<offset_t>(comes_first(own.x[axis]));
    }
    return first;
  };
  for (int round = 0; round < rounds && n > few; ++round) {
    double sample[most_samples];
    const offset_t samples = n < 8 * most_samples ? 7 : most_samples;
    for (offset_t i = 0; i < samples; ++i) sample[i] = r[(2 * i + 1) * n / (2 * samples)].x[axis];
    std::sort(sample, sample + samples);
    const double pivot = sample[m * samples / n];
    offset_t first = partition([&](double x) { return x < pivot; });
    if (first == 0) {  // the pivot is the smallest coordinate
      first = partition([&](double x) { return x <= pivot; });
      if (m < first) return;
    }
    if (m == first) return;
    if (m < first) {
      n = first;
    } else {
      r += first, n -= first, m -= first;
    }
  }
  std::nth_element(r, r + m, r + n, [axis](const auto& a, const auto& b) { return a.x[axis] < b.x[axis]; });
}

/// Orders the records [begin, end) down to blocks of `size`, which begin at multiples of it.
template <template <int> class Record, int D>
void order_blocks(Record<D>* records, offset_t begin, offset_t end, offset_t size) {
  const offset_t first = begin / size, last = (end - 1) / size;
  if (first >= last) return;
  Vec<double, D> lo = records[begin].x, hi = lo;
  for (offset_t i = begin + 1; i < end; ++i) {
    for (int k = 0; k < D; ++k) {
      lo[k] = std::min(lo[k], records[i].x[k]), hi[k] = std::max(hi[k], records[i].x[k]);
    }
  }
  int axis = 0;
  for (int k = 1; k < D; ++k) axis = hi[k] - lo[k] > hi[axis] - lo[axis] ? k : axis;
  if (!(hi[axis] > lo[axis])) {  // all at one position
    const auto in_order = [](const auto& a, const auto& b) { return a.comes_before(b); };
    if (!std::is_sorted(records + begin, records + end, in_order)) std::sort(records + begin, records + end, in_order);
    return;
  }
  const offset_t middle = (first + last + 1) / 2 * size;
  split_records(records + begin, end - begin, middle - begin, axis);
  order_blocks(records, begin, middle, size);
  order_blocks(records, middle, end, size);
}

/// Orders each block of eight times `size` down to blocks of `size`.
template <template <int> class Record, int D>
void order_parts(Record<D>* records, offset_t begin, offset_t end, offset_t size) {
  for (offset_t part; begin < end; begin = part) {
    const offset_t parent = size * ChildBoxes<D>::children;
    part = std::min(end, (begin / parent + 1) * parent);
    order_blocks(records, begin, part, size);
  }
}

}  // namespace hgrid::inline v0_2::detail
