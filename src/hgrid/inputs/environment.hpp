// SPDX-License-Identifier: BSD-3-Clause
// Detects a floating-point environment that breaks the contract.
#pragma once

#include <cfenv>

#include "hgrid/core/error.hpp"

namespace hgrid::inline v0_2::detail {

/// Throws `environment` if rounding is not to nearest or subnormals are flushed. Host only; a few nanoseconds.
inline void check_environment() {
  if (std::fegetround() != FE_TONEAREST) {
    throw Error(ErrorCode::environment, "the rounding mode is not to-nearest; call std::fesetround(FE_TONEAREST)");
  }
  const volatile double tiny = 0x1p-1074, one = 1;
  if (tiny * one == 0) {
    throw Error(ErrorCode::environment,
                "subnormal numbers are flushed to zero; clear FTZ and DAZ (often set by -ffast-math libraries)");
  }
}

}  // namespace hgrid::inline v0_2::detail
