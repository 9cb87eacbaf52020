// SPDX-License-Identifier: BSD-3-Clause
// How many particles of one size lie around those of another: what a search meets depends on it, and not on the mean of all
// space. Half of the particles of a cluster in a thin gas see a thousand times the density of the other half.
#pragma once

#include <span>
#include <vector>

#include "hgrid/core/types.hpp"
#include "host/planning/radius_histogram.hpp"

namespace hgrid::inline v0_2::detail {

/// Densities of centres of one class of sizes around centres of another, in boxes of any width. A class is the bins of an
/// octave of radii, or of more where there are many octaves.
class PairDensity {
 public:
  /// Particles that are spread evenly over a volume (area in 2-D). Throws `out_of_memory` as the standard library does, like
  /// all of planning.
  PairDensity(std::span<const RadiusBin> bins, double volume, int dimension);

  /// Particles as a sample has them: `rows` are [points][D + 1], coordinates and radius, of which a negative one says that the
  /// point does not count; those outside lo .. hi count at the border. At each scale, from all of lo .. hi down by octaves, the
  /// pairs of points that share a box, and with `world` [points] a world, are counted, by classes. Where pairs are too few to
  /// tell, they are as the next coarser scale has them.
  template <int D>
  static PairDensity of_sample(std::span<const RadiusBin> bins, std::span<const double> rows, std::span<const index_t> world,
                               const Vec<double, D>& lo, const Vec<double, D>& hi);

  int classes() const { return static_cast<int>(class_begin_.size()) - 1; }

  /// The first bin of a class; behind the last class, the number of bins.
  int class_begin(int c) const { return class_begin_[static_cast<std::size_t>(c)]; }

  /// All of these: 0, ascending, the number of bins.
  std::span<const int> class_borders() const { return class_begin_; }

  /// The width of the boxes of the finest scale, which hardly two points of the sample share; 0 where none was counted.
  double finest_width() const { return finest_; }

  /// Centres of particles of bins [first, last), per volume, in a box of the given width around a particle of class `of`.
  double around(int of, int first, int last, double width) const;

 private:
  PairDensity(std::span<const RadiusBin> bins, int dimension);
  void append_scale(std::span<const RadiusBin> bins, std::span<const double> by_class);  // [classes of][classes]

  int dimension_;
  double widest_ = HUGE_VAL;  // box of the first scale; each further one is half as wide
  double finest_ = 0;
  std::vector<int> class_begin_;
  std::size_t bins_;
  std::vector<double> below_;  // [scales][classes][bins + 1]: densities of bins [0, b) around a class
};

}  // namespace hgrid::inline v0_2::detail
