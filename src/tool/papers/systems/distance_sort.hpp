// SPDX-License-Identifier: BSD-3-Clause
// Sort by distance (003): one number per particle, sorted, prunes the pairs.
#pragma once

#include <optional>

#include "papers/systems/pair_tester.hpp"

namespace hgrid::reference {

template <int D>
struct DistanceSortOptions {
  /// x_0; by default the lowest corner of the particles' bounds, where all coordinates have one sign (Step 1). Any point finds
  /// all contacts; it only changes the number of tests.
  std::optional<Vec<double, D>> reference_point;
};

/// Algorithm 1 of Leszczynski and Ciesielski (003, section 2.2): sorts the particles by the least distance of their surface
/// from x_0, then tests each against later ones until none can touch it any more. Domain: 2-D and 3-D, open and periodic.
/// Counts `tests`, which grow as N^(1/2) per particle in 2-D and N^(2/3) in 3-D, and `breaks`, the particles whose inner loop
/// ended early. Throws Error(nonfinite) for a reference point that is not finite.
template <int D>
Contacts distance_sort(const Bodies<D>& bodies, const DistanceSortOptions<D>& options = {});

}  // namespace hgrid::reference
