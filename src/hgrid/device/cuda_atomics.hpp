// SPDX-License-Identifier: BSD-3-Clause
// The atomic operations of the build functors on CUDA.
#pragma once

#include <type_traits>

#include "hgrid/device/warp.hpp"

namespace hgrid::inline v0_2::detail {

/// The warp of device/warp.hpp on CUDA. Only kernels create one.
struct CudaWarp {
#if HGRID_DEVICE_CODE
  using word = unsigned long long;
  HGRID_HD int lane() const { return static_cast<int>(threadIdx.x % 32); }
  HGRID_HD std::uint32_t active() const { return __activemask(); }
  HGRID_HD std::uint32_t match(std::uint32_t lanes, const double* p) const {
    return __match_any_sync(lanes, reinterpret_cast<word>(p));
  }
  HGRID_HD std::uint32_t ballot(std::uint32_t lanes, bool bit) const { return __ballot_sync(lanes, bit); }
  template <class T>
  HGRID_HD T shuffle(std::uint32_t lanes, T v, int from) const {
    return __shfl_sync(lanes, v, from);
  }
  HGRID_HD index_t add(index_t* p, index_t v) const { return atomicAdd(p, v); }
  HGRID_HD double look(const double* p) const {  // the value on this device; the rest of the system may see another
    double v;
    asm volatile("ld.relaxed.gpu.global.f64 %0, [%1];" : "=d"(v) : "l"(__cvta_generic_to_global(p)) : "memory");
    return v;
  }
  /// The bit patterns of doubles that are not negative are ordered like the numbers.
  HGRID_HD void max(double* p, double v) const {
    atomicMax(reinterpret_cast<word*>(p), static_cast<word>(__double_as_longlong(v)));
  }
  HGRID_HD static int lowest_bit(std::uint32_t lanes) { return __ffs(static_cast<int>(lanes)) - 1; }
  HGRID_HD static int highest_bit(std::uint32_t lanes) { return 31 - __clz(static_cast<int>(lanes)); }
  HGRID_HD static int bits(std::uint32_t lanes) { return __popc(lanes); }
#endif
};

/// Only kernels call these: a host compiler sees the plain operation.
struct CudaAtomics {
  /// CUDA adds unsigned words; signed sums have the same bits.
  template <class T>
  HGRID_HD static T atomic_add(T* p, T value) {
#if HGRID_DEVICE_CODE
    using word = std::conditional_t<sizeof(T) == 8, unsigned long long, unsigned>;
    return static_cast<T>(atomicAdd(reinterpret_cast<word*>(p), static_cast<word>(value)));
#else
    return *p += value, *p - value;
#endif
  }

  /// Returns the next number of the word count[which].
  HGRID_HD static index_t draw(index_t* count, std::uint32_t which) {
#if HGRID_DEVICE_CODE
    return draw_by_warp(CudaWarp{}, count, which);
#else
    return count[which]++;
#endif
  }

  HGRID_HD static void atomic_max(double* p, double value) {
#if HGRID_DEVICE_CODE
    atomic_max_by_warp(CudaWarp{}, p, value);
#else
    if (*p < value) *p = value;
#endif
  }
};

}  // namespace hgrid::inline v0_2::detail
