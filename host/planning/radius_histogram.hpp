// SPDX-License-Identifier: BSD-3-Clause
// The radii for planning: a histogram on a logarithmic scale, with moments.
#pragma once

#include <span>
#include <vector>

#include "hgrid/core/types.hpp"

namespace hgrid::inline v0_2::detail {

/// One bin: particles with radii in (previous bin's radius_max, radius_max]. Empty bins are left out.
struct RadiusBin {
  double radius_max = 0;            ///< largest radius present
  double moment[4] = {0, 0, 0, 0};  ///< sum of r^k over the bin, k = 0..3; moment[0] is the count
};

/// Returns bins of an eighth of an octave over the positive radii, or wider ones if there would be over 40 bins, and one bin
/// for points (r = 0). `weight` is the number of particles per radius. `radius_max`, if above all radii, becomes a bin of its
/// own.
std::vector<RadiusBin> radius_histogram(std::span<const double> radii, double weight, double radius_max);

/// Returns bins from counts of all particles by class of radius (radius_class.hpp), one line per part. `radii` are a sample of
/// them. A class holds the sampled radii in it or, if there are none, all radii that it can hold up to `radius_max`.
std::vector<RadiusBin> radius_histogram(std::span<const offset_t> counts, std::span<const double> radii, double radius_max);

}  // namespace hgrid::inline v0_2::detail
