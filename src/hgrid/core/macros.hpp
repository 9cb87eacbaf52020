// SPDX-License-Identifier: BSD-3-Clause
// Everything that differs between compilers, and nothing else: the host/device qualifier, and arithmetic that is rounded once
// per operation everywhere. No other header may check whether it is compiled for a device.
#pragma once

#include <bit>
#include <cfloat>
#include <cmath>
#include <cstdint>

#if __cplusplus < 202002L
#error "hgrid: needs C++20; in CMake link hgrid::hgrid, or else compile with -std=c++20"
#endif
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

// While code for a CUDA device is generated, 1 and ten times its compute capability; otherwise 0.
#if defined(__CUDA_ARCH__)
#define HGRID_DEVICE_CODE 1
#define HGRID_DEVICE_CAPABILITY (__CUDA_ARCH__ / 10)
#else
#define HGRID_DEVICE_CODE 0
#define HGRID_DEVICE_CAPABILITY 0
#endif

// Put HGRID_KEEP_ROLLED before a loop whose unrolled copies would cost a kernel registers, and HGRID_UNROLL before a loop over
// an array that only stays in registers if the loop is unrolled.
#if HGRID_DEVICE_CODE
#define HGRID_KEEP_ROLLED _Pragma("unroll 1")
#define HGRID_UNROLL _Pragma("unroll")
#else
#define HGRID_KEEP_ROLLED
#define HGRID_UNROLL
#endif

namespace hgrid::inline v0_2::detail {

/// Prefetches memory that will be read soon: on a device for all threads, on a host for this one.
HGRID_HD inline void fetch([[maybe_unused]] const void* p) {
#if HGRID_DEVICE_CODE
  asm volatile("prefetch.global.L2 [%0];" ::"l"(p));
#elif !defined(__AMDGCN__)
  __builtin_prefetch(p);
#endif
}

/// Returns whether one thread takes items one after the other, so that it can prefetch the next ones. CUDA threads take items
/// side by side.
HGRID_HD constexpr bool takes_items_in_turn() { return HGRID_DEVICE_CODE == 0; }

// Key and query must round alike in every file, whatever flags it is compiled with, so no product may be fused with a sum. CUDA
// code uses intrinsics; host and HIP code passes the product through a register that the compiler cannot see into. hgrid's own
// files are compiled without contraction, so that their loops become vectors.
#if (defined(__FP_FAST_FMA) || defined(__FMA__) || defined(__FMA4__) || defined(__aarch64__) || defined(__AMDGCN__)) && \
    !defined(HGRID_NO_CONTRACTION)
#if defined(__AMDGCN__)  // first, because HIP's code for a device has the macros of the host, too
#define HGRID_HIDE_PRODUCT(p) __asm__("" : "+v"(p))
#elif defined(__x86_64__)
#define HGRID_HIDE_PRODUCT(p) __asm__("" : "+x"(p))
#elif defined(__aarch64__)
#define HGRID_HIDE_PRODUCT(p) __asm__("" : "+w"(p))
#else
#error "hgrid: this processor fuses products and sums; compile with -ffp-contract=off -DHGRID_NO_CONTRACTION"
#endif
#else
#define HGRID_HIDE_PRODUCT(p) static_cast<void>(0)
#endif

HGRID_HD inline double add_rn(double a, double b) {
#if HGRID_DEVICE_CODE
  return __dadd_rn(a, b);
#else
  return a + b;
#endif
}

HGRID_HD inline double sub_rn(double a, double b) {
#if HGRID_DEVICE_CODE
  return __dsub_rn(a, b);
#else
  return a - b;
#endif
}

HGRID_HD inline double mul_rn(double a, double b) {
#if HGRID_DEVICE_CODE
  return __dmul_rn(a, b);
#else
  double product = a * b;
  HGRID_HIDE_PRODUCT(product);
  return product;
#endif
}

HGRID_HD inline double larger_of(double a, double b) { return a < b ? b : a; }

/// Returns the number of the lowest bit that is set.
HGRID_HD inline int lowest_bit(unsigned bits) {
#if HGRID_DEVICE_CODE
  return __ffs(static_cast<int>(bits)) - 1;
#else
  return std::countr_zero(bits);
#endif
}

HGRID_HD inline int count_bits(std::uint64_t bits) {
#if HGRID_DEVICE_CODE
  return __popcll(bits);
#else
  return std::popcount(bits);
#endif
}

/// Returns `index` unchanged, but forces a kernel to wait with loads that use it until `before` is known. Earlier loads would
/// wait in registers.
HGRID_HD inline std::int32_t known_after([[maybe_unused]] std::int32_t before, std::int32_t index) {
#if HGRID_DEVICE_CODE
  asm volatile("" : "+r"(index) : "r"(before));
#endif
  return index;
}

/// Returns a * b + c, rounded once or twice, whichever is faster: for filters whose margins cover both.
HGRID_HD inline float fma_any(float a, float b, float c) {
#if HGRID_DEVICE_CODE
  return __fmaf_rn(a, b, c);
#else
  return a * b + c;
#endif
}

}  // namespace hgrid::inline v0_2::detail
