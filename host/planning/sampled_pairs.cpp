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

int class_of(cell_key_t code) { return static_cast<int>(code & ((1u << class_bits) - 1)); }

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

// Returns a point's box, and its place in the box with `scales` bits per axis, interleaved, so that the points of a box are
// consecutive at every scale.
template <int D>
cell_key_t place_of(const Point<D>& p, int scales) {
  cell_key_t place = 0;
  for (int k = 0; k < D; ++k) place |= spread_bits<D>(static_cast<cell_key_t>(std::ldexp(p.at[k], scales))) << k;
  return p.box << (D * scales) | place;
}

template <int D>
std::vector<cell_key_t> sorted_codes(const std::vector<Point<D>>& points, int scales) {
  std::vector<cell_key_t> code;
  code.reserve(points.size());
  cell_key_t most = 0;
  for (const Point<D>& p : points) {
    code.push_back(place_of(p, scales) << class_bits | p.size_class);
    most = std::max(most, code.back());
  }
  if (code.size() <= 64) {  // with fewer, the counts of a digit cost more than the sort
    std::ranges::sort(code);
  } else {
    sort_codes(code, std::bit_width(most));
  }
  return code;
}

// Returns the points that share a box with others at the finest of `scales` scales, with their places in that box.
template <int D>
std::vector<Point<D>> zoomed(std::vector<Point<D>> points, int scales) {
  const auto place = [scales](const Point<D>& p) { return place_of(p, scales); };
  std::ranges::sort(points, {}, place);
  std::vector<Point<D>> result;
  cell_key_t box = 0;
  for (std::size_t first = 0, last = 0; first < points.size(); first = last) {
    while (last < points.size() && place(points[last]) == place(points[first])) ++last;
    if (last - first < 2) continue;
    for (std::size_t i = first; i < last; ++i) {
      Point<D> p = points[i];
      for (int k = 0; k < D; ++k) {
        const double t = std::ldexp(p.at[k], scales);
        p.at[k] = t - std::floor(t);
      }
      p.box = box;
      result.push_back(p);
    }
    ++box;
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

PairCounts pairs_in_boxes(std::span<const cell_key_t> code, int shift) {
  PairCounts pairs{};
  BoxCount box;
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (i > 0 && code[i] >> shift != code[i - 1] >> shift) box.move_to(pairs);
    box.add(class_of(code[i]));
  }
  box.move_to(pairs);
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
    const std::vector<cell_key_t> code = sorted_codes(points, scales);
    for (int scale = first; scale <= scales; ++scale) {
      result.at_scale.push_back(pairs_in_boxes(code, class_bits + D * (scales - scale)));
      if (sum(result.at_scale.back()) < few_pairs) return result;
    }
    left -= scales;
    if (left == 0) return result;
    points = zoomed(std::move(points), scales);
  }
}

template SampledPairs count_pairs(std::span<const double>, std::span<const index_t>, const Vec<double, 2>&, double,
                                  std::span<const double>, int);
template SampledPairs count_pairs(std::span<const double>, std::span<const index_t>, const Vec<double, 3>&, double,
                                  std::span<const double>, int);

}  // namespace hgrid::inline v0_2::detail
