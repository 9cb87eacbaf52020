// SPDX-License-Identifier: BSD-3-Clause
#include "ranks.hpp"

#include <cstdlib>

namespace hgrid::tool {

int launched_ranks() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) {  // OpenMPI; MPICH and its kin
    if (const char* const ranks = std::getenv(name)) return std::atoi(ranks);
  }
  return 1;
}

#ifndef HGRID_HAS_MPI
void work_on_ranks(std::optional<Backend>, const std::function<void()>& work, const std::function<void()>&) { work(); }
#endif

}  // namespace hgrid::tool
