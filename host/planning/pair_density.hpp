// SPDX-License-Identifier: BSD-3-Clause
// Densities of particles of one size around particles of another size. The cost of a search depends on these, and not on the
// mean density of the whole space. Half of the particles may be in a cluster in a thin gas, at a thousand times the density of
// the other half.
#pragma once

#include <span>
#include <vector>

#include "hgrid/core/types.hpp"
#include "host/planning/radius_histogram.hpp"

namespace hgrid::inline v0_2::detail {

/// Densities of centres of one class of sizes around centres of another, in boxes of any width. A class has the bins of an
/// octave of radii, or of several octaves if there are many.
class PairDensity {
 public:
  /// Densities of particles that are spread evenly over a volume (area in 2-D). Throws `out_of_memory` like the standard
  /// library, as all of planning.
  PairDensity(std::span<const RadiusBin> bins, double volume, int dimension);

  /// Returns densities from a sample. `rows` are [points][D + 1], coordinates and radius; points with a negative radius are
  /// ignored, and points outside lo .. hi count at the border. At each scale, from all of lo .. hi down by octaves, it counts
  /// the pairs of points that share a box, and with `world` [points] a world, by classes. If there are too few pairs, it uses
  /// the density of the next coarser scale.
  template <int D>
  static PairDensity of_sample(std::span<const RadiusBin> bins, std::span<const double> rows, std::span<const index_t> world,
                               const Vec<double, D>& lo, const Vec<double, D>& hi);

  int classes() const { return static_cast<int>(class_begin_.size()) - 1; }

  /// Returns the first bin of a class; after the last class, the number of bins.
  int class_begin(int c) const { return class_begin_[static_cast<std::size_t>(c)]; }

  /// Returns the first bins of all classes: 0, ascending, the number of bins.
  std::span<const int> class_borders() const { return class_begin_; }

  /// Returns the width of the boxes of the finest scale, which hardly any two points of the sample share; 0 if none was
  /// counted.
  double finest_width() const { return finest_; }

  /// Returns the number per volume of centres of particles of bins [first, last), in a box of the given width around a particle
  /// of class `of`.
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
