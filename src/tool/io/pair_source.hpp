// SPDX-License-Identifier: BSD-3-Clause
// Pairs for writers, which request them in blocks, so that 100 million pairs in any list are neither copied nor need an array
// of overlaps.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "hgrid/core/contact.hpp"

namespace hgrid::io {

struct PairRow {
  Contact contact;
  double overlap;
};

struct PairSource {
  std::int64_t count = 0;
  /// Sets rows[k] to pair number first + k. Formats that store columns request every pair several times.
  std::function<void(std::int64_t first, std::span<PairRow> rows)> fill;
};

/// Statistics of each particle from the pairs.
struct Coordination {
  std::vector<std::int32_t> contacts;   ///< with an overlap, which may be 0
  std::vector<double> largest_overlap;  ///< of these contacts; 0 if there is none
};

/// Returns the pairs of a list as a source. `overlap(contact)` is called per pair. Data to which the columns and the functor
/// refer must outlive the source.
template <class Overlap>
PairSource pair_source(const PairColumns<const index_t>& pairs, Overlap overlap) {
  return {pairs.size, [pairs, overlap](std::int64_t first, std::span<PairRow> rows) {
            for (PairRow& row : rows) {
              const Contact contact = pairs[first++];
              row = {contact, overlap(contact)};
            }
          }};
}

/// Calls f(first, rows) for all pairs, in order, some ten thousand at a time.
template <class F>
void for_each_batch(const PairSource& pairs, F&& f) {
  static constexpr std::int64_t block = 1 << 14;
  std::vector<PairRow> rows(static_cast<std::size_t>(std::min(block, pairs.count)));
  for (std::int64_t first = 0; first < pairs.count; first += block) {
    const auto some = std::span(rows).first(static_cast<std::size_t>(std::min(block, pairs.count - first)));
    pairs.fill(first, some);
    f(first, std::span<const PairRow>(some));
  }
}

}  // namespace hgrid::io
