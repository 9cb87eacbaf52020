// SPDX-License-Identifier: BSD-3-Clause
// The executors that typed tests run over. `make_executor<Exec>(threads)` makes one; serial ignores the
// number.
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

using Executors = ::testing::Types<hgrid::SerialExec, hgrid::OpenMPExec>;

}  // namespace support
