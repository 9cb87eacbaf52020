// SPDX-License-Identifier: BSD-3-Clause
// Values that follow the pairs of a list in a time loop.
#pragma once

#include "hgrid/loop.hpp"
#include "support/fail.hpp"
#include "support/followers.hpp"

template <class Exec>
void expect_followers(const Exec& exec) {
  if (const std::string fault = support::check_followers(exec, 1); !fault.empty()) support::fail(fault);
  const support::Gas gas(60);
  const support::UserArrays<double, 3> arrays(gas.s);
  hgrid::Grid<Exec, 3> grid(exec, support::box_of<3>(gas.s));
  hgrid::VerletList list(grid, {.skin = 0.5});
  hgrid::PairArray<Exec, double> values(exec);
  list.update(arrays.view(), values);
  list.build(arrays.view());  // of as many pairs
  try {
    list.update(arrays.view(), values);
  } catch (const hgrid::Error& e) {
    if (e.code() == hgrid::ErrorCode::stale) return;
  }
  support::fail("an array that missed a list follows");
}
