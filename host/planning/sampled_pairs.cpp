// SPDX-License-Identifier: BSD-3-Clause
#include "host/planning/sampled_pairs.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "hgrid/core/cell_key.hpp"
#include "host/planning/sort_codes.hpp"

namespace hgrid::inline v0_2::detail {
namespace {

constexpr int class_bits = 4;       // bits of a code, below the bits of its place
constexpr int scales_at_once = 15;  // the bits of three axes, the class and 2^14 boxes fit in 64
constexpr std::size_t most_points = 1 << 14;
constexpr double few_pairs = 64;

/// A point of the sample: its place in its box, in [0, 1) per axis, the box and the class of its size.
template <int D>
struct Point {
  Vec<double, D> at;
  cell_key_t box;
  cell_key_t size_class;
};

/// The place and class of a point, as one number.
struct Coded {
  cell_key_t code;
  std::size_t point;

  int size_class() const { return static_cast<int>(code & ((1u << class_bits) - 1)); }
};

// Numbers the worlds of the points from 0 on, without gaps.
std::vector<cell_key_t> world_numbers(std::span<const index_t> world) {
  std::vector<index_t> there(world.begin(), world.end());
  std::ranges::sort(there);
  const auto last = std::unique(there.begin(), there.end());
  std::vector<cell_key_t> number;
  for (index_t w : world) number.push_back(static_cast<cell_key_t>(std::lower_bound(there.begin(), last, w) - there.begin()));
  return number;
}

template <int D>
std::vector<Point<D>> points_of(std::span<const double> rows, std::span<const cell_key_t> world, const Vec<double, D>& lo,
                                double width, std::span<const double> largest_of_class) {
  std::vector<Point<D>> points;
  const std::size_t stride = 1 + (rows.size() / (D + 1) - 1) / most_points;
  const auto below_last = largest_of_class.first(largest_of_class.size() - 1);
  points.reserve(rows.size() / (D + 1) / stride + 1);
  const double inverse = 1 / width, last = 1 - 0x1p-53;
  for (std::size_t i = 0; i + D < rows.size(); i += stride * (D + 1)) {
    if (rows[i + D] < 0) continue;
    Point<D> p{{}, 0, static_cast<cell_key_t>(std::ranges::lower_bound(below_last, rows[i + D]) - below_last.begin())};
    for (int k = 0; k < D; ++k) {
      p.at[k] = std::clamp((rows[i + static_cast<std::size_t>(k)] - lo[k]) * inverse, 0.0, last);
    }
    if (!world.empty()) p.box = world[i / (D + 1)];
    points.push_back(p);
  }
  return points;
}

// Returns the points' boxes, their places in the boxes with `scales` bits per axis, interleaved, and their classes. Sorted, so
// that the points of a box are consecutive at every scale.
template <int D>
std::vector<Coded> sorted_codes(const std::vector<Point<D>>& points, int scales) {
  std::vector<Coded> coded;
  coded.reserve(points.size());
  const double boxes = std::ldexp(1.0, scales);
  cell_key_t most = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Point<D>& p = points[i];
    cell_key_t place = 0;
    for (int k = 0; k < D; ++k) place |= spread_bits<D>(static_cast<cell_key_t>(p.at[k] * boxes)) << k;
    coded.push_back({(p.box << (D * scales) | place) << class_bits | p.size_class, i});
    most = std::max(most, coded.back().code);
  }
  if (coded.size() <= 256) {  // with fewer, the counts of a digit cost more than the sort
    std::ranges::sort(coded, {}, &Coded::code);
  } else {
    sort_codes(coded, std::bit_width(most), [](const Coded& c) { return c.code; });
  }
  return coded;
}

// Returns the points of the boxes of the finest of `scales` scales, with their places in these boxes.
template <int D>
std::vector<Point<D>> zoomed(const std::vector<Point<D>>& points, const std::vector<Coded>& coded, int scales) {
  std::vector<Point<D>> result;
  result.reserve(coded.size());
  const double boxes = std::ldexp(1.0, scales);
  cell_key_t box = 0;
  for (std::size_t i = 0; i < coded.size(); ++i) {
    box += static_cast<cell_key_t>(i > 0 && coded[i].code >> class_bits != coded[i - 1].code >> class_bits);
    Point<D> p = points[coded[i].point];
    for (int k = 0; k < D; ++k) {
      const double t = p.at[k] * boxes;
      p.at[k] = t - std::floor(t);
    }
    p.box = box;
    result.push_back(p);
  }
  return result;
}

/// Counts the points of one box by class, and visits only the classes that have points.
class BoxCount {
 public:
  void add(int c) {
    if (held_[c]++ == 0) met_[classes_++] = c;
  }

  void move_to(PairCounts& pairs) {
    for (int a = 0; a < classes_; ++a) {
      const int of = met_[a];
      for (int b = 0; b < classes_; ++b) {
        const int c = met_[b];
        pairs[static_cast<std::size_t>(of)][static_cast<std::size_t>(c)] += 1.0 * held_[of] * (held_[c] - (of == c));
      }
    }
    for (int a = 0; a < classes_; ++a) held_[met_[a]] = 0;
    classes_ = 0;
  }

 private:
  std::int32_t held_[most_size_classes] = {};
  int met_[most_size_classes], classes_ = 0;
};

// Counts the pairs that share a box, and drops all points that are alone: they are alone in finer boxes, too.
PairCounts pairs_in_boxes(std::vector<Coded>& coded, int shift) {
  PairCounts pairs{};
  BoxCount box;
  std::size_t kept = 0;
  for (std::size_t first = 0, last = 0; first < coded.size(); first = last) {
    while (last < coded.size() && coded[last].code >> shift == coded[first].code >> shift) ++last;
    if (last - first < 2) continue;
    for (std::size_t i = first; i < last; ++i) box.add(coded[i].size_class()), coded[kept++] = coded[i];
    box.move_to(pairs);
  }
  coded.resize(kept);
  for (std::size_t of = 0; of < any_class; ++of) {
    for (std::size_t c = 0; c < any_class; ++c) pairs[any_class][c] += pairs[of][c];
  }
  return pairs;
}

double sum(const PairCounts& pairs) {
  double all = 0;
  for (double p : pairs[any_class]) all += p;
  return all;
}

}  // namespace

template <int D>
SampledPairs count_pairs(std::span<const double> rows, std::span<const index_t> world, const Vec<double, D>& lo, double width,
                         std::span<const double> largest_of_class, int last_scale) {
  std::vector<Point<D>> points = points_of<D>(rows, world_numbers(world), lo, width, largest_of_class);
  SampledPairs result;
  for (const Point<D>& p : points) ++result.points[p.size_class];
  for (int left = last_scale, first = 0;; first = 1) {
    const int scales = std::min(left, scales_at_once);
    std::vector<Coded> coded = sorted_codes(points, scales);
    for (int scale = first; scale <= scales; ++scale) {
      result.at_scale.push_back(pairs_in_boxes(coded, class_bits + D * (scales - scale)));
      if (sum(result.at_scale.back()) < few_pairs) return result;
    }
    left -= scales;
    if (left == 0) return result;
    points = zoomed(points, coded, scales);
  }
}

template SampledPairs count_pairs(std::span<const double>, std::span<const index_t>, const Vec<double, 2>&, double,
                                  std::span<const double>, int);
template SampledPairs count_pairs(std::span<const double>, std::span<const index_t>, const Vec<double, 3>&, double,
                                  std::span<const double>, int);

}  // namespace hgrid::inline v0_2::detail
