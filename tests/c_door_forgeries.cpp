// SPDX-License-Identifier: BSD-3-Clause
// Forged checkpoints of each kind, through the C API.
#include "support/forged_door.hpp"
#include "support/forgeries.hpp"

namespace {

TEST(CDoorForgeries, AreRefusedOrCanBeUsed) {
  static constexpr const char* names[] = {"grids", "lists", "lists behind payloads", "payloads"};
  for (int kind = 0; kind < 4; ++kind) {
    support::expect_safe(std::string(names[kind]) + " through C", 500,
                         [&](fuzz::Bytes& d) { return support::forged_door(kind, d); });
  }
}

}  // namespace
