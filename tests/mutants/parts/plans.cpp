// SPDX-License-Identifier: BSD-3-Clause
// Plans, threads, sorts, and bytes that a device keeps.
#include "mutants/device_parts.hpp"
#include "mutants/expect_in_place.hpp"
#include "mutants/expect_kept.hpp"
#include "mutants/expect_planning.hpp"
#include "mutants/expect_pool.hpp"
#include "mutants/expect_sorts.hpp"
#include "mutants/expect_systems.hpp"

int main() {
  expect_kept();
  expect_pool();
  expect_regions();
  expect_little_work(HostParts());
  expect_islands(HostParts());
  expect_partly_filled(HostParts());
  expect_sorts();
  expect_floats(HostParts());
  expect_in_place();
  expect_radius_classes<DeviceParts>();
  expect_judged();
  return 0;
}
