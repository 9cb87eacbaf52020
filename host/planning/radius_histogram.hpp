// SPDX-License-Identifier: BSD-3-Clause
// Radii as the planner sees them: a histogram on a logarithmic scale, with moments.
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

/// Bins of an eighth of an octave over the positive radii, or of more where that makes over 40 of them, and one for points
/// (r = 0). `weight` is the number of particles that each radius stands for. `radius_max`, if above all radii, becomes a
/// bin of its own.
std::vector<RadiusBin> radius_histogram(std::span<const double> radii, double weight, double radius_max);

/// The same from counts of all particles by class of radius (radius_class.hpp), one line a part, of which `radii` are a
/// sample: classes hold the radii that the sample has in them or, where it has none, all that they can hold up to
/// `radius_max`.
std::vector<RadiusBin> radius_histogram(std::span<const offset_t> counts, std::span<const double> radii, double radius_max);

}  // namespace hgrid::inline v0_2::detail
