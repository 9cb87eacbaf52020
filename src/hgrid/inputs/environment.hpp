// SPDX-License-Identifier: BSD-3-Clause
// Detects a floating-point environment that breaks the contract.
#pragma once

#include <cfenv>

#include "hgrid/core/error.hpp"

namespace hgrid::inline v0_2::detail {

/// Throws `environment` if rounding is not to nearest or subnormals are flushed. Host only; a nanosecond on x86-64, where the
/// product of a subnormal number takes 50.
inline void check_environment() {
#ifdef __x86_64__
  constexpr unsigned rounding = 0x6000, flush_results = 0x8000, flush_operands = 0x0040;  // bits of the register MXCSR
  const unsigned state = __builtin_ia32_stmxcsr();
  const bool nearest = (state & rounding) == 0, flushes = (state & (flush_results | flush_operands)) != 0;
#else
  const volatile double tiny = 0x1p-1074, one = 1;
  const bool nearest = std::fegetround() == FE_TONEAREST, flushes = tiny * one == 0;
#endif
  if (!nearest) {
    throw Error(ErrorCode::environment, "the rounding mode is not to-nearest; call std::fesetround(FE_TONEAREST)");
  }
  if (flushes) {
    throw Error(ErrorCode::environment,
                "subnormal numbers are flushed to zero; clear FTZ and DAZ (often set by -ffast-math libraries)");
  }
}

}  // namespace hgrid::inline v0_2::detail
