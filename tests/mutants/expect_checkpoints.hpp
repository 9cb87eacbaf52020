// SPDX-License-Identifier: BSD-3-Clause
// Loops that are interrupted, and checkpoints that are damaged.
#pragma once

#include "hgrid/loop.hpp"
#include "support/fail.hpp"
#include "support/forged_parts.hpp"
#include "support/spliced_lists.hpp"

/// Expects that a forged checkpoint is refused or can be used.
template <class Exec>
void expect_forgeries(const Exec& exec) {
  using Saved = support::SavedLoop<Exec, 3>;
  for (const Saved& loop : Saved::all(exec)) {
    hgrid::Grid<Exec, 3> grid(exec);
    hgrid::restore(grid, loop.saved[Saved::grid]);
    const std::string unnoticed = support::unnoticed_in_plan(grid.plan());
    if (!unnoticed.empty()) support::fail("nobody notices in a plan: " + unnoticed);
  }
  if (const std::string unnoticed = support::unnoticed_in_lists(); !unnoticed.empty())
    support::fail("or in lists: " + unnoticed);
  if (const std::string unnoticed = support::unnoticed_splice(exec); !unnoticed.empty()) support::fail(unnoticed);
  if (const std::string unnoticed = support::unnoticed_misfit(exec); !unnoticed.empty()) support::fail(unnoticed);
  if (const std::string fault = support::fault_of_numbers(exec); !fault.empty()) support::fail(fault);
  support::Random random(5);
  for (int n = 0; n < 400; ++n) {
    std::vector<std::uint8_t> input(64);
    for (std::uint8_t& byte : input) byte = static_cast<std::uint8_t>(random.bits());
    fuzz::Bytes decisions(input);
    const support::Forged forged = support::forged_loop<Exec, 3>(exec, n % 5, decisions);
    if (!forged.fault.empty()) support::fail("a forgery: " + forged.fault);
  }
}

template <class Exec>
void expect_checkpoints(const Exec& exec) {
  using support::ChangingSystem;
  for (const auto kind : {ChangingSystem::groups, ChangingSystem::far, ChangingSystem::types}) {
    const std::string difference = support::difference_of_loop(exec, kind, support::AsItIs());
    if (!difference.empty()) support::fail("a loop goes on differently: " + difference);
  }
  hgrid::Grid<Exec, 3> grid(exec, hgrid::Box3::periodic({0.3, 0, 0}, {7, 8, 9}));  // the sum alone guards its first numbers
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
