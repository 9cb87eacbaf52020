// SPDX-License-Identifier: BSD-3-Clause
// Lists of loops that wrap their positions.
#pragma once

#include <vector>

#include "support/fail.hpp"
#include "support/wrapped_cases.hpp"

template <class Exec>
void expect_wrapped(const Exec& exec) {
  support::WrappedCounts counts;
  if (const std::string fault = support::check_all_wrapped(exec, 1, 60, counts); !fault.empty()) support::fail(fault);
  // A margin ends at a quarter of a period.
  hgrid::Grid<Exec, 2> grid(exec, hgrid::Box2::periodic({0, 0}, {8, 8}));
  hgrid::VerletList list(grid, {.skin = 0.5, .wrapped = true});
  std::vector<double> x{1, 1, 5, 5}, r{0.5, 0.5}, none{0, 0}, margins{3.5, 3.5};
  auto now = hgrid::particles<2>(x.data(), r.data(), 2), widened = now;
  now.extra = none.data(), widened.extra = margins.data();
  list.update(now, widened);
  x[0] = 3.4;
  if (!list.update(now, widened)) support::fail("a particle goes farther than a wrap can be told from a movement");
}
