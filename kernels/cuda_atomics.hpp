// SPDX-License-Identifier: BSD-3-Clause
// The atomic operations of the build functors on CUDA.
#pragma once

#include <nv/target>

#include "hgrid/core/types.hpp"

namespace hgrid {

/// The part of a CUDA executor that functors see. All values stay on the device; a host call is a mistake that
/// the functors cannot make, because only kernels run them.
struct CudaAtomics {
  HGRID_HD static offset_t atomic_add(offset_t* p, offset_t value) {
    NV_IF_TARGET(NV_IS_DEVICE, (return static_cast<offset_t>(atomicAdd(reinterpret_cast<unsigned long long*>(p),
                                                                       static_cast<unsigned long long>(value)));))
    return *p += value, *p - value;
  }

  /// Radii are not negative, and the bit patterns of such doubles are ordered like the numbers.
  HGRID_HD static void atomic_max(double* p, double value) {
    NV_IF_TARGET(NV_IS_DEVICE,
                 (atomicMax(reinterpret_cast<unsigned long long*>(p),
                            static_cast<unsigned long long>(__double_as_longlong(value)));
                  return;))
    if (*p < value) *p = value;
  }
};

}  // namespace hgrid
