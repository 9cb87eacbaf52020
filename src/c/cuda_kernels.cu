// SPDX-License-Identifier: BSD-3-Clause
// The kernels of the C door's own functors.
#include "hgrid/cuda.hpp"

#include "c/carry_payload.hpp"
#include "c/inputs.hpp"

namespace hgrid::inline v0_1 {

template void CudaExec::for_each(const char*, offset_t, const c::CopyRegion<2>&) const;
template void CudaExec::for_each(const char*, offset_t, const c::CopyRegion<3>&) const;
template void CudaExec::for_each(const char*, offset_t, const c::CarryPayload&) const;

}  // namespace hgrid::inline v0_1
