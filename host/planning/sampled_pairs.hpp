// SPDX-License-Identifier: BSD-3-Clause
// Pairs of sampled points that share a box, counted at each scale, by classes of size.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "hgrid/core/types.hpp"

namespace hgrid::inline v0_2::detail {

inline constexpr int most_size_classes = 12;
inline constexpr std::size_t any_class = most_size_classes;  ///< a separate row: the searches of all classes together

/// Ordered pairs that share a box, by the class that searches and the class that is found.
using PairCounts = std::array<std::array<double, most_size_classes>, most_size_classes + 1>;

struct SampledPairs {
  std::array<double, most_size_classes> points{};  ///< of each class
  std::vector<PairCounts> at_scale;                ///< in a cube, and in cubes half as wide at each further scale
};

/// Counts pairs in cubes over `lo` of sides `width`, `width` / 2 and so on to the last scale, or to a scale with fewer than 64
/// pairs. `rows` are [points][D + 1], coordinates and radius. Points with a negative radius are ignored; points outside the
/// first cube count at its border. With `world` [points], only points of one world share a cube. Classes, at most 12, are given
/// by their largest radii. Of more than 16,384 points only every k-th is taken.
template <int D>
SampledPairs count_pairs(std::span<const double> rows, std::span<const index_t> world, const Vec<double, D>& lo, double width,
                         std::span<const double> largest_of_class, int last_scale);

}  // namespace hgrid::inline v0_2::detail
