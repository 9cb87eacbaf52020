// SPDX-License-Identifier: BSD-3-Clause
// For builds with the CUDA library.
#ifdef HGRID_HAS_CUDA

#include "any_grid_on.hpp"
#include "hgrid/cuda.hpp"

namespace hgrid::tool {

std::unique_ptr<AnyGrid> make_cuda_grid(const GridSpec& spec) { return make_grid_on(CudaExec(), spec); }

}  // namespace hgrid::tool

#endif
