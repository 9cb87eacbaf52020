// SPDX-License-Identifier: BSD-3-Clause
#include "any_grid.hpp"

namespace hgrid::tool {

std::unique_ptr<AnyGrid> make_serial_grid(const GridSpec& spec);  // any_grid_serial.cpp
std::unique_ptr<AnyGrid> make_openmp_grid(const GridSpec& spec);  // any_grid_openmp.cpp
#ifdef HGRID_HAS_CUDA
std::unique_ptr<AnyGrid> make_cuda_grid(const GridSpec& spec);  // any_grid_cuda.cpp
#endif

std::unique_ptr<AnyGrid> make_grid(const GridSpec& spec) {
  if (spec.backend == Backend::serial) return make_serial_grid(spec);
  if (spec.backend == Backend::openmp) return make_openmp_grid(spec);
#ifdef HGRID_HAS_CUDA
  return make_cuda_grid(spec);
#else
  throw Error(ErrorCode::device, "this hgrid was built without CUDA", {.argument = "backend"});
#endif
}

}  // namespace hgrid::tool
