// SPDX-License-Identifier: BSD-3-Clause
// What differs between compilers, and nothing else: the host/device qualifier and arithmetic that is rounded
// once per operation everywhere. The one header that may ask whether it is compiled for a device.
#pragma once

#include <cfloat>
#include <cmath>

#if defined(__FAST_MATH__)
#error "hgrid: compile without -ffast-math; the contract (no pair missed) rests on IEEE rounding"
#endif
#if defined(FLT_EVAL_METHOD) && FLT_EVAL_METHOD != 0
#error "hgrid: x87-style excess precision is not supported; on 32-bit x86 compile with -msse2 -mfpmath=sse"
#endif

#if defined(__CUDACC__) || defined(__HIPCC__)
#define HGRID_HD __host__ __device__
#else
#define HGRID_HD
#endif

namespace hgrid {

// Key and query must round alike, so contraction to FMA is ruled out: on CUDA by intrinsics, on the host by
// -ffp-contract=off (the CMake targets carry it; `check_environment` detects a build that lost it).
HGRID_HD inline double add_rn(double a, double b) {
#if defined(__CUDA_ARCH__)
  return __dadd_rn(a, b);
#else
  return a + b;
#endif
}

HGRID_HD inline double sub_rn(double a, double b) {
#if defined(__CUDA_ARCH__)
  return __dsub_rn(a, b);
#else
  return a - b;
#endif
}

HGRID_HD inline double mul_rn(double a, double b) {
#if defined(__CUDA_ARCH__)
  return __dmul_rn(a, b);
#else
  return a * b;
#endif
}

}  // namespace hgrid
