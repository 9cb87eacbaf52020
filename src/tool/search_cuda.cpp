// SPDX-License-Identifier: BSD-3-Clause
// The search on a CUDA device, for builds with the CUDA library.
#ifdef HGRID_HAS_CUDA

#include "hgrid/cuda.hpp"
#include "search_with.hpp"

namespace hgrid::tool {

void search_on_cuda(const io::ParticleTable& table, const SearchOptions& options, const PairWriter& write,
                    Progress& progress, Report& report) {
  search_on(CudaExec(), table, options, write, progress, report);
}

}  // namespace hgrid::tool

#endif
