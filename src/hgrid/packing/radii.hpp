// SPDX-License-Identifier: BSD-3-Clause
// Radii of a size distribution, by systematic sampling.
#pragma once

#include <cstdint>
#include <vector>

namespace hgrid::inline v0_2 {

/// Number density f(r) of radii on [1, ratio]; the smallest radius is the unit of length.
struct SizeDistribution {
  enum class Kind {
    mono,        ///< all of radius 1
    power_law,   ///< f ~ r^exponent, any exponent
    bidisperse,  ///< radii 1 and ratio, both kinds with equal total volume (area in 2-D)
    log_normal   ///< ln r normal, cut at three standard deviations, which are the radii 1 and ratio
  };
  Kind kind = Kind::mono;
  double ratio = 1;
  double exponent = 0;
};

/// Returns the radii r_i = F^-1((i + 1/2) / n), i = 0 .. n - 1, ascending, where F is the cumulative number distribution. Uses
/// no random numbers: every sample has the moments of the distribution, and so the packing fraction that was requested.
/// `dimension` defines volume. Throws `invalid_argument` for a ratio below 1 or not finite, and for a bidisperse sample too
/// small to hold a large particle; `too_many_particles` beyond 2^31 - 1.
std::vector<double> sample_radii(const SizeDistribution& sizes, std::int64_t n, int dimension);

}  // namespace hgrid::inline v0_2
