// SPDX-License-Identifier: BSD-3-Clause
// The executor that typed tests run over. `make_executor<Exec>(threads)` makes one; serial ignores the number.
#pragma once

#include <gtest/gtest.h>

#include "hgrid/hgrid.hpp"

namespace support {

template <class Exec>
Exec make_executor(int threads) {
  if constexpr (std::is_constructible_v<Exec, int>) {
    return Exec(threads);
  } else {
    return Exec{};
  }
}

/// OpenMP's alone: a serial one uses the same engine, and the random suites run over both. Each executor more doubles the time
/// to compile these tests and to run them.
using Executors = ::testing::Types<hgrid::OpenMPExec>;

}  // namespace support
