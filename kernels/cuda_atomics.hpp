// SPDX-License-Identifier: BSD-3-Clause
// The atomic operations of the build functors on CUDA.
#pragma once

#include <type_traits>

#include "hgrid/core/types.hpp"

namespace hgrid {

/// Only kernels run them: a host compiler sees the plain operation.
struct CudaAtomics {
  /// CUDA has it for unsigned words, whose sums have the same bits.
  template <class T>
  HGRID_HD static T atomic_add(T* p, T value) {
#if HGRID_DEVICE_CODE
    using word = std::conditional_t<sizeof(T) == 8, unsigned long long, unsigned>;
    return static_cast<T>(atomicAdd(reinterpret_cast<word*>(p), static_cast<word>(value)));
#else
    return *p += value, *p - value;
#endif
  }

  /// Radii are not negative, and the bit patterns of such doubles are ordered like the numbers. Few of the particles
  /// exceed what is there already, so most need no atomic; of a warp's that do, as all do at the start, one speaks for
  /// those of its level.
  HGRID_HD static void atomic_max(double* p, double value) {
#if HGRID_DEVICE_CODE
    using word = unsigned long long;
    if (*static_cast<const volatile double*>(p) >= value) return;
    const unsigned lanes = __match_any_sync(__activemask(), reinterpret_cast<word>(p));
    double largest = value;
    for (unsigned rest = lanes; rest != 0; rest &= rest - 1) {
      largest = fmax(largest, __shfl_sync(lanes, value, __ffs(static_cast<int>(rest)) - 1));
    }
    if (static_cast<int>(threadIdx.x % 32) != __ffs(static_cast<int>(lanes)) - 1) return;
    atomicMax(reinterpret_cast<word*>(p), static_cast<word>(__double_as_longlong(largest)));
#else
    if (*p < value) *p = value;
#endif
  }
};

}  // namespace hgrid
