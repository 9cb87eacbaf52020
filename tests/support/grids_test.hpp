// SPDX-License-Identifier: BSD-3-Clause
// A fixture for tests of several grids on one executor of hosts.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "support/executors.hpp"

namespace support {

template <class Exec>
class GridsTest : public ::testing::Test {
 protected:
  using Grid = hgrid::Grid<Exec, 3>;
  static Exec exec() { return make_executor<Exec>(2); }
  static Grid grid_of(const hgrid::Box3& box, const std::vector<double>& x, const std::vector<double>& r,
                      const hgrid::GridOptions& options = {}) {
    Grid grid(exec(), box, options);
    grid.build(x, r);
    return grid;
  }
};

}  // namespace support
