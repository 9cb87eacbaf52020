// SPDX-License-Identifier: BSD-3-Clause
#include "search.hpp"

#include "hgrid/hgrid.hpp"
#include "search_with.hpp"

namespace hgrid::tool {

#ifdef HGRID_HAS_CUDA
void search_on_cuda(const io::ParticleTable& table, const SearchOptions& options, const PairWriter& write,
                    Progress& progress, Report& report);  // search_cuda.cpp
#endif

void search(const io::ParticleTable& table, const SearchOptions& options, const PairWriter& write,
            Progress& progress, Report& report) {
#ifdef HGRID_HAS_CUDA
  if (options.backend == "cuda") return search_on_cuda(table, options, write, progress, report);
#endif
  if (options.backend == "serial") return search_on(SerialExec(), table, options, write, progress, report);
  search_on(OpenMPExec(options.threads), table, options, write, progress, report);
}

}  // namespace hgrid::tool
