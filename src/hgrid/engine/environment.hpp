// SPDX-License-Identifier: BSD-3-Clause
// Detects a floating-point environment in which the contract cannot hold.
#pragma once

#include <cfenv>

#include "hgrid/core/error.hpp"
#include "hgrid/core/macros.hpp"

namespace hgrid {

/// Throws `environment` if rounding is not to nearest, subnormals are flushed, or the calling translation unit
/// contracts a * b + c to a fused multiply-add. Host only; a few nanoseconds.
inline void check_environment() {
  if (std::fegetround() != FE_TONEAREST) {
    throw Error(ErrorCode::environment, "the rounding mode is not to-nearest; call std::fesetround(FE_TONEAREST)");
  }
  const volatile double tiny = 0x1p-1074, one = 1;
  if (tiny * one == 0) {
    throw Error(ErrorCode::environment,
                "subnormal numbers are flushed to zero; clear FTZ and DAZ (often set by -ffast-math libraries)");
  }
  const volatile double a = 1 + 0x1p-30;  // a * a rounds to 1 + 2^-29; fused, the difference would be 2^-60
  const double x = a, y = -(1 + 0x1p-29);
  if (add_rn(mul_rn(x, x), y) != 0) {
    throw Error(ErrorCode::environment,
                "the compiler fuses multiplications and additions here; compile with -ffp-contract=off "
                "(the CMake target hgrid::core sets it)");
  }
}

}  // namespace hgrid
