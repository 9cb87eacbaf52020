// SPDX-License-Identifier: BSD-3-Clause
// How much of the domain holds particles.
#pragma once

#include <span>

#include "hgrid/core/types.hpp"

namespace hgrid {

/// The share of a box's volume that the sampled points occupy, in (0, 1], by counting occupied boxes at the finest
/// resolution at which they hold four points each: about 1 for uniform points, little for clusters in a void.
/// `rows` are [points][D + 1], of which the last entry, if negative, says that the point does not count; points
/// outside lo .. hi count at its border.
template <int D>
double occupied_fraction(std::span<const double> rows, const Vec<double, D>& lo, const Vec<double, D>& hi);

}  // namespace hgrid
