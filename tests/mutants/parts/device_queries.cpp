// SPDX-License-Identifier: BSD-3-Clause
// The device engine in three dimensions: walls, two sets, worlds, values that follow, and boxes as particles.
#include "mutants/device_parts.hpp"
#include "mutants/expect_extents.hpp"
#include "mutants/expect_followers.hpp"
#include "mutants/expect_systems.hpp"
#include "mutants/expect_walls.hpp"
#include "mutants/expect_worlds.hpp"

int main() {
  expect_extents(DeviceParts());
  expect_walls(DeviceParts());
  expect_followers(DeviceParts());
  expect_worlds(DeviceParts());
  return 0;
}
