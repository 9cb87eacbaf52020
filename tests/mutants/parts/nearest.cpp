// SPDX-License-Identifier: BSD-3-Clause
// The nearest particles, on hosts and by the device engine.
#include <cstdlib>

#include "mutants/device_parts.hpp"
#include "mutants/expect_nearest.hpp"
#include "mutants/expect_systems.hpp"

int main(int argc, char** argv) {
  const std::uint64_t systems = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 300;
  expect_nearest(HostParts());
  expect_one_nearest(HostParts());
  expect_nearest(DeviceParts());
  for (std::uint64_t seed = 1; seed <= systems; ++seed) {
    if (seed % 3 == 1) expect_nearest<3>(HostParts(), support::of_spheres(make_case<3>(seed)));
    if (seed % 3 == 0) expect_nearest<3>(DeviceParts(), support::of_spheres(make_case<3>(seed)));
  }
  return 0;
}
