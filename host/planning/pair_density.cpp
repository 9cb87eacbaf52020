// SPDX-License-Identifier: BSD-3-Clause
#include "host/planning/pair_density.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "host/planning/sampled_pairs.hpp"

namespace hgrid::inline v0_2::detail {
namespace {

// Smooths counts, because few pairs say little: the expectation from the coarser scale counts like this number of pairs.
PairCounts smoothed(const PairCounts& pairs, const PairCounts& coarser, int dimension) {
  constexpr double prior = 16;
  PairCounts result{};
  for (std::size_t of = 0; of <= any_class; ++of) {
    for (std::size_t c = 0; c < any_class; ++c) {
      const double expected = std::ldexp(coarser[of][c], -dimension);
      result[of][c] = expected * (pairs[of][c] + prior) / (expected + prior);
    }
  }
  return result;
}

/// Particles of a class: all of them, and the points in the sample.
struct ClassCount {
  double radius_max = 0, particles = 0, points = 0;
};

// Returns densities around each class of each other class, from pairs that share a box of a volume.
std::vector<double> densities(const PairCounts& pairs, const std::vector<ClassCount>& count, double volume) {
  std::vector<double> density;
  double points = 0;
  for (const ClassCount& c : count) points += c.points;
  for (std::size_t a = 0; a < count.size(); ++a) {
    const bool known = count[a].points > 1;
    const std::size_t of = known ? a : any_class;
    const double searches = std::max(1.0, known ? count[a].points : points) * volume;
    double met = 0;
    for (double p : pairs[of]) met += p;
    for (std::size_t c = 0; c < count.size(); ++c) {
      // a class without points in the sample is assumed to lie where all others do
      const double seen = count[c].points > 0 ? pairs[of][c] / count[c].points : met / std::max(1.0, points);
      density.push_back(seen * count[c].particles / searches);
    }
  }
  return density;
}

}  // namespace

PairDensity::PairDensity(std::span<const RadiusBin> bins, int dimension) : dimension_(dimension), bins_(bins.size()) {
  const auto octave = [](const RadiusBin& bin) { return bin.radius_max > 0 ? std::ilogb(bin.radius_max) : -1100; };
  int first = bins.size() > 1 ? octave(bins[1]) : 0;  // the first may be points
  double particles = 0;
  for (const RadiusBin& bin : bins) particles += bin.moment[0];
  const int most = std::clamp(static_cast<int>(std::sqrt(particles) / 2), 8, most_size_classes) - 2;
  const int wide = bins.empty() ? 1 : std::max(1, (octave(bins.back()) - first) / most + 1);
  for (std::size_t b = 0; b < bins.size(); ++b) {
    if (b > 0 && (octave(bins[b]) - first) / wide == (octave(bins[b - 1]) - first) / wide && octave(bins[b - 1]) >= first)
      continue;
    class_begin_.push_back(static_cast<int>(b));
  }
  class_begin_.push_back(static_cast<int>(bins.size()));
}

PairDensity::PairDensity(std::span<const RadiusBin> bins, double volume, int dimension) : PairDensity(bins, dimension) {
  std::vector<double> even;
  for (int of = 0; of < classes(); ++of) {
    for (int c = 0; c < classes(); ++c) {
      double count = 0;
      for (int b = class_begin(c); b < class_begin(c + 1); ++b) count += bins[static_cast<std::size_t>(b)].moment[0];
      even.push_back(count / volume);
    }
  }
  append_scale(bins, even);
}

template <int D>
PairDensity PairDensity::of_sample(std::span<const RadiusBin> bins, std::span<const double> rows,
                                   std::span<const index_t> world, const Vec<double, D>& lo, const Vec<double, D>& hi) {
  PairDensity result(bins, D);
  double width = 0;
  for (int k = 0; k < D; ++k) width = std::max(width, hi[k] - lo[k]);
  width = width > 0 ? std::max(width, smallest_radius) : 1;  // its inverse is finite
  result.widest_ = width;
  std::vector<ClassCount> count(static_cast<std::size_t>(result.classes()));
  std::vector<double> largest;
  for (std::size_t c = 0; c < count.size(); ++c) {
    for (int b = result.class_begin(static_cast<int>(c)); b < result.class_begin(static_cast<int>(c) + 1); ++b) {
      count[c].particles += bins[static_cast<std::size_t>(b)].moment[0];
      count[c].radius_max = bins[static_cast<std::size_t>(b)].radius_max;
    }
    largest.push_back(count[c].radius_max);
  }
  // No search is narrower than twice the least diameter, and places of points are no finer than coordinates.
  const double least = bins.front().radius_max > 0 ? 3 * bins.front().radius_max : 0x1p-52 * width;
  const double narrow = std::max(least, smallest_radius);
  const SampledPairs sampled = count_pairs<D>(rows, world, lo, width, largest, std::max(1, 1 + std::ilogb(width / narrow)));
  for (std::size_t c = 0; c < count.size(); ++c) count[c].points = sampled.points[c];
  PairCounts pairs = sampled.at_scale.front();
  for (int scale = 0; const PairCounts& counted : sampled.at_scale) {
    if (scale > 0) pairs = smoothed(counted, pairs, D);
    result.append_scale(bins, densities(pairs, count, std::pow(std::ldexp(width, -scale++), D)));
  }
  result.finest_ = std::ldexp(width, 1 - static_cast<int>(sampled.at_scale.size()));
  return result;
}

void PairDensity::append_scale(std::span<const RadiusBin> bins, std::span<const double> by_class) {
  const auto n = static_cast<std::size_t>(classes());
  for (std::size_t of = 0; of < n; ++of) {
    below_.push_back(0);
    for (std::size_t c = 0; c < n; ++c) {
      double count = 0;
      const auto own = bins.subspan(static_cast<std::size_t>(class_begin_[c]),
                                    static_cast<std::size_t>(class_begin_[c + 1] - class_begin_[c]));
      for (const RadiusBin& bin : own) count += bin.moment[0];
      for (const RadiusBin& bin : own) {
        below_.push_back(below_.back() + (count > 0 ? by_class[of * n + c] * (bin.moment[0] / count) : 0));
      }
    }
  }
}

double PairDensity::around(int of, int first, int last, double width) const {
  const std::size_t row = bins_ + 1, scale_size = row * static_cast<std::size_t>(classes());
  const std::size_t scales = below_.size() / scale_size;
  const auto at = [&](std::size_t scale) {
    const double* below = &below_[scale * scale_size + static_cast<std::size_t>(of) * row];
    return below[last] - below[first];
  };
  if (scales == 1 && widest_ == HUGE_VAL) return at(0);
  // Two points in one box are as far apart as a point and the middle of a box 4/3 as wide.
  const double ratio = widest_ / (0.75 * width);
  if (!(ratio > 1)) return at(0) * std::pow(ratio, dimension_);
  const auto bits = std::bit_cast<std::uint64_t>(ratio);  // the octave, and the place in it, from 0 to 1
  const std::size_t scale = (bits >> 52) - 1023;
  if (scale + 1 >= scales) return at(scales - 1);
  const double between = std::bit_cast<double>((bits & ((std::uint64_t{1} << 52) - 1)) | std::bit_cast<std::uint64_t>(1.0)) - 1;
  return at(scale) + between * (at(scale + 1) - at(scale));
}

template PairDensity PairDensity::of_sample(std::span<const RadiusBin>, std::span<const double>, std::span<const index_t>,
                                            const Vec<double, 2>&, const Vec<double, 2>&);
template PairDensity PairDensity::of_sample(std::span<const RadiusBin>, std::span<const double>, std::span<const index_t>,
                                            const Vec<double, 3>&, const Vec<double, 3>&);

}  // namespace hgrid::inline v0_2::detail
