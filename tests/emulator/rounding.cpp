// SPDX-License-Identifier: BSD-3-Clause
// Arithmetic in the roundings that C does not have.
#include <cfenv>
#include <cmath>

#include "kernel.h"

namespace {

int mode_of(int mode) { return mode == 1 ? FE_TOWARDZERO : mode == 2 ? FE_DOWNWARD : FE_UPWARD; }

// Compilers do not compute volatile values ahead in another mode.
template <class F>
F rounded(int mode, int operation, F a, F b, F c) {
  volatile F x = a, y = b, z = c, result = 0;
  std::fesetround(mode_of(mode));
  switch (operation) {
    case 0:
      result = x + y;
      break;
    case 1:
      result = x - y;
      break;
    case 2:
      result = x * y;
      break;
    case 3:
      result = x / y;
      break;
    case 4:
      result = std::fma(static_cast<F>(x), static_cast<F>(y), static_cast<F>(z));
      break;
    default:
      result = std::sqrt(static_cast<F>(x));
  }
  std::fesetround(FE_TONEAREST);
  return result;
}

}  // namespace

f32 emu_rounded_f32(int mode, int operation, f32 a, f32 b, f32 c) { return rounded(mode, operation, a, b, c); }
f64 emu_rounded_f64(int mode, int operation, f64 a, f64 b, f64 c) { return rounded(mode, operation, a, b, c); }

f32 emu_narrowed(int mode, f64 x) {
  volatile f64 wide = x;
  std::fesetround(mode_of(mode));
  volatile f32 result = static_cast<f32>(wide);
  std::fesetround(FE_TONEAREST);
  return result;
}
