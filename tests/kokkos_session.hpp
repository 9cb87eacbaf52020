// SPDX-License-Identifier: BSD-3-Clause
// Initialises Kokkos for all tests of a program, after checking the executor's error without it.
#pragma once

#include <gtest/gtest.h>

#include <optional>

#include "hgrid/kokkos.hpp"

namespace support {

class KokkosOfAllTests : public ::testing::Environment {
 public:
  void SetUp() override {
    try {
      hgrid::make_exec(Kokkos::DefaultHostExecutionSpace());
    } catch (const hgrid::Error& e) {
      refused_before = e.code() == hgrid::ErrorCode::environment;
    }
    session_.emplace();
  }
  void TearDown() override { session_.reset(); }

  static inline bool refused_before = false;

 private:
  std::optional<hgrid::KokkosSession> session_;
};
inline const auto* const kokkos_of_all_tests = ::testing::AddGlobalTestEnvironment(new KokkosOfAllTests);

}  // namespace support
