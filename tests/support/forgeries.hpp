// SPDX-License-Identifier: BSD-3-Clause
// Forged checkpoints by number: HGRID_FORGERIES of each kind, from HGRID_SEED on, or the test's own number.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>

#include "support/forged_loop.hpp"

namespace support {

inline std::uint64_t number_of(const char* name, std::uint64_t otherwise) {
  const char* const text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

/// `forge(decisions)` must find no fault.
template <class F>
void expect_safe(const std::string& what, std::uint64_t otherwise, const F& forge) {
  const std::uint64_t first = number_of("HGRID_SEED", 1), count = number_of("HGRID_FORGERIES", otherwise);
  std::uint64_t used = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    Random random(seed);
    std::vector<std::uint8_t> input(128);
    for (std::uint8_t& byte : input) byte = static_cast<std::uint8_t>(random.bits());
    fuzz::Bytes decisions(input);
    const Forged forged = forge(decisions);
    ASSERT_EQ(forged.fault, "") << "HGRID_SEED=" << seed << " HGRID_FORGERIES=1, " << what;
    used += forged.used;
  }
  std::printf("%llu forged %s: %llu are used, the others refused\n", static_cast<unsigned long long>(count), what.c_str(),
              static_cast<unsigned long long>(used));
}

}  // namespace support
