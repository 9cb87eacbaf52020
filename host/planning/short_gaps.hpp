// SPDX-License-Identifier: BSD-3-Clause
// Sampled coordinates as if the gaps between far clusters were short.
#pragma once

#include <vector>

namespace hgrid {

/// Moves the coordinates of one axis, which lie in lo .. hi or count at its border, together, where a few gaps between
/// neighbouring ones leave less than an eighth of lo .. hi to all others; these gaps then are some of the longest of the
/// others, the order stays, and lo .. hi become the new bounds. `rows` are [points][axes + 1], of which the last entry, if
/// negative, says that the point does not count.
void shorten_gaps(std::vector<double>& rows, int axes, int axis, double& lo, double& hi);

}  // namespace hgrid
