// SPDX-License-Identifier: BSD-3-Clause
// Chooses the variant that suits the machine. Included once, after everything else, by files that Highway compiles for each
// instruction set. Written by hand, so that the library needs only Highway's headers, and links nothing of it.
#pragma once

#include <cstdlib>
#include <cstring>

#if HWY_ARCH_X86 && (HWY_TARGETS & HWY_AVX3) && (HWY_TARGETS & HWY_AVX2)

namespace hgrid::inline v0_2::detail {

enum class SimdTarget { baseline, avx2, avx512 };

inline SimdTarget best_simd_target() {
  __builtin_cpu_init();
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
  const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                      __builtin_cpu_supports("avx512vl");
  const char* wanted = std::getenv("HGRID_SIMD");  // "avx2" or "baseline": not more than that, for tests and doubts
  if (wanted != nullptr && std::strcmp(wanted, "baseline") == 0) return SimdTarget::baseline;
  const bool any = wanted == nullptr || std::strcmp(wanted, "avx2") != 0;
  return avx2 && avx512 && any ? SimdTarget::avx512 : (avx2 ? SimdTarget::avx2 : SimdTarget::baseline);
}

inline const SimdTarget simd_target_in_use = best_simd_target();

}  // namespace hgrid::inline v0_2::detail

#define HGRID_SIMD_TARGETS
#define HGRID_DISPATCH(...)                                       \
  (simd_target_in_use == SimdTarget::avx512 ? N_AVX3::__VA_ARGS__ \
   : simd_target_in_use == SimdTarget::avx2 ? N_AVX2::__VA_ARGS__ \
                                            : HWY_NAMESPACE::__VA_ARGS__)
#else
#define HGRID_DISPATCH(...) HWY_NAMESPACE::__VA_ARGS__
#endif
