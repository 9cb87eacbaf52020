// SPDX-License-Identifier: BSD-3-Clause
#include "any_grid.hpp"

#include <string>

#include "ranks.hpp"

namespace hgrid::tool {

std::unique_ptr<AnyGrid> make_serial_grid(const GridSpec& spec);  // any_grid_serial.cpp
std::unique_ptr<AnyGrid> make_openmp_grid(const GridSpec& spec);  // any_grid_openmp.cpp
#ifdef HGRID_HAS_CUDA
std::unique_ptr<AnyGrid> make_cuda_grid(const GridSpec& spec);  // any_grid_cuda.cpp
#endif

std::unique_ptr<AnyGrid> make_grid(const GridSpec& spec) {
  if (spec.backend == Backend::serial) return make_serial_grid(spec);
  if (spec.backend == Backend::openmp) return make_openmp_grid(spec);
#ifdef HGRID_HAS_MPI
  if (spec.backend == Backend::mpi) return make_ranks_grid(spec);
#endif
#ifdef HGRID_HAS_CUDA
  if (spec.backend == Backend::cuda) return make_cuda_grid(spec);
#endif
  throw Error(ErrorCode::device, std::string("this hgrid was built without ") + name_of(spec.backend), {.argument = "backend"});
}

}  // namespace hgrid::tool
