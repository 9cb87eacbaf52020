// SPDX-License-Identifier: BSD-3-Clause
// Loops that are interrupted, and checkpoints that are damaged.
#pragma once

#include "support/fail.hpp"
#include "support/interrupted_loop.hpp"

template <class Exec>
void expect_checkpoints(const Exec& exec) {
  using support::ChangingSystem;
  for (const auto kind : {ChangingSystem::groups, ChangingSystem::far, ChangingSystem::types}) {
    const std::string difference = support::difference_of_loop(exec, kind, support::AsItIs());
    if (!difference.empty()) support::fail("a loop goes on differently: " + difference);
  }
  hgrid::Grid<Exec, 3> grid(exec);
  const support::Bytes whole = hgrid::save(grid);
  for (std::size_t k = 0; k < whole.size(); ++k) {
    support::Bytes bytes = whole;
    bytes[k] ^= std::byte{16};
    try {
      hgrid::restore(grid, bytes);
      support::fail("a damaged checkpoint is taken");
    } catch (const hgrid::Error&) {
    }
  }
}
