// SPDX-License-Identifier: BSD-3-Clause
// Walls, two sets, insertions, predicates, worlds and boxes as particles, on hosts.
#include "mutants/expect_extents.hpp"
#include "mutants/expect_insertions.hpp"
#include "mutants/expect_narrow.hpp"
#include "mutants/expect_systems.hpp"
#include "mutants/expect_walls.hpp"
#include "mutants/expect_worlds.hpp"

int main(int argc, char** argv) {
  const std::uint64_t last = systems(argc, argv);
  expect_extents(HostParts());
  expect_walls(HostParts());
  expect_insertions(HostParts());
  expect_narrow(HostParts());
  expect_worlds(HostParts());
  expect_alike_shifts(HostParts());
  expect_asked_once(HostParts());
  expect_sparse_worlds(HostParts());
  for (std::uint64_t seed = 1; seed <= last; ++seed) {
    if (seed % 3 == 2) expect_insertions<3>(HostParts(), support::of_spheres(make_case<3>(seed)));
    if (seed <= 100 && seed % 2 == 0) expect_narrow<3>(HostParts(), make_case<3>(seed));
  }
  return 0;
}
