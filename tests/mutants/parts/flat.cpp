// SPDX-License-Identifier: BSD-3-Clause
// Two dimensions, on hosts and by the device engine: pairs beside edges of cells, and random systems.
#include "mutants/device_parts.hpp"
#include "mutants/expect_narrow.hpp"
#include "mutants/expect_systems.hpp"

int main(int argc, char** argv) {
  const std::uint64_t last = systems(argc, argv);
  support::Random random(7);
  for (int n = 0; n < 600; ++n) {
    const support::Case c = support::BorderPairs(random).make(16);
    expect_equal<DeviceParts, 2>({}, c);
    if (n % 3 == 0) expect_bricks<2>(c);
    if (n % 3 == 1) expect_equal<HostParts, 2>({}, support::BorderPairs(random).make_tilted(4));
  }
  support::Random another(7);
  for (int n = 0; n < 1000; ++n) expect_equal<HostParts, 2>({}, support::BorderPairs(another).make(16));
  for (std::uint64_t seed = 3; seed <= last; seed += 3) expect_equal<DeviceParts, 2>({}, make_case<2>(seed));
  for (std::uint64_t seed = 1; seed <= 100; seed += 2) expect_narrow<2>(DeviceParts(), make_case<2>(seed));
  return 0;
}
