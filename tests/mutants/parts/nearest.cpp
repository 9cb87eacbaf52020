// SPDX-License-Identifier: BSD-3-Clause
// The nearest particles, on hosts and by the device engine.
#include "mutants/device_parts.hpp"
#include "mutants/expect_nearest.hpp"
#include "mutants/expect_systems.hpp"

int main(int argc, char** argv) {
  const std::uint64_t last = systems(argc, argv);
  expect_nearest(HostParts());
  expect_one_nearest(HostParts());
  expect_nearest(DeviceParts());
  for (std::uint64_t seed = 1; seed <= last; ++seed) {
    if (seed % 3 == 1) expect_nearest<3>(HostParts(), support::of_spheres(make_case<3>(seed)));
    if (seed % 3 == 0) expect_nearest<3>(DeviceParts(), support::of_spheres(make_case<3>(seed)));
  }
  return 0;
}
