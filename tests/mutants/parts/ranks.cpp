// SPDX-License-Identifier: BSD-3-Clause
// The rule of ranks: who reports a contact, and who knows a particle.
#include <algorithm>

#include "mutants/device_parts.hpp"
#include "mutants/expect_ranks.hpp"
#include "mutants/expect_systems.hpp"

int main(int argc, char** argv) {
  expect_ranks(std::min<std::uint64_t>(systems(argc, argv) / 3, 60));
  return 0;
}
