// SPDX-License-Identifier: BSD-3-Clause
#include "ranks/one_sided.hpp"

namespace {

TEST(OneSidedOnRanks, HasTheNeighboursOfOne) {
  support::expect_one_sided_systems(hgrid::SerialExec{}, support::from_environment("HGRID_SYSTEMS", 300) / 2);
}

}  // namespace
