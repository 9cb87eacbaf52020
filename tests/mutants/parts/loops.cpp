// SPDX-License-Identifier: BSD-3-Clause
// Lists that live, their checkpoints and the values that follow them, on hosts.
#include "mutants/expect_checkpoints.hpp"
#include "mutants/expect_copies.hpp"
#include "mutants/expect_followers.hpp"
#include "mutants/expect_state.hpp"
#include "mutants/expect_systems.hpp"
#include "mutants/expect_wrapped.hpp"

int main() {
  expect_lists(HostParts());
  expect_enqueued(HostParts());
  expect_overtaken(HostParts());
  expect_remembered(HostParts());
  expect_rounded(support::PiecesExec<1>());  // in which parts hold 256 particles
  expect_checkpoints(HostParts());
  expect_forgeries(HostParts());
  expect_copies(HostParts());
  expect_followers(HostParts());
  expect_wrapped(HostParts());
  expect_skins();
  expect_short_lists(HostParts());
  expect_replay_refused();
  return 0;
}
