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
  /// exceed what is there already, so most need no atomic.
  HGRID_HD static void atomic_max(double* p, double value) {
#if HGRID_DEVICE_CODE
    using word = unsigned long long;
    if (*static_cast<const volatile double*>(p) >= value) return;
    atomicMax(reinterpret_cast<word*>(p), static_cast<word>(__double_as_longlong(value)));
#else
    if (*p < value) *p = value;
#endif
  }
};

}  // namespace hgrid
