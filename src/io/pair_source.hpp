// SPDX-License-Identifier: BSD-3-Clause
// Pairs as writers take them: asked for in blocks, so that 100 million pairs in whatever list are neither
// copied nor given an array of overlaps.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "hgrid/core/types.hpp"

namespace hgrid::io {

struct PairRow {
  Pair pair;
  Image image;
  double overlap;
};

struct PairSource {
  std::int64_t count = 0;
  /// Sets rows[k] to pair number first + k. Formats that store columns ask for every pair several times.
  std::function<void(std::int64_t first, std::span<PairRow> rows)> fill;
};

/// The pairs of a list, with `images` of the same length or empty. `overlap(pair, image)` is called per pair;
/// what the spans and the functor refer to must outlive the source.
template <class Overlap>
PairSource pair_source(std::span<const Pair> pairs, std::span<const Image> images, Overlap overlap) {
  return {static_cast<std::int64_t>(pairs.size()),
          [pairs, images, overlap](std::int64_t first, std::span<PairRow> rows) {
            for (std::size_t k = 0; k < rows.size(); ++k) {
              const std::size_t at = static_cast<std::size_t>(first) + k;
              const Image image = images.empty() ? Image{} : images[at];
              rows[k] = {pairs[at], image, overlap(pairs[at], image)};
            }
          }};
}

/// Calls f(first, rows) for all pairs, in order, some ten thousand at a time.
template <class F>
void for_each_block(const PairSource& pairs, F&& f) {
  static constexpr std::int64_t block = 1 << 14;
  std::vector<PairRow> rows(static_cast<std::size_t>(std::min(block, pairs.count)));
  for (std::int64_t first = 0; first < pairs.count; first += block) {
    const auto some = std::span(rows).first(static_cast<std::size_t>(std::min(block, pairs.count - first)));
    pairs.fill(first, some);
    f(first, std::span<const PairRow>(some));
  }
}

}  // namespace hgrid::io
