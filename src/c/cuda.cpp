// SPDX-License-Identifier: BSD-3-Clause
#include "hgrid/cuda.hpp"

#include "c/grid_on.hpp"
#include "hgrid/device/cuda_error.hpp"

namespace hgrid::c {

template <int D>
std::unique_ptr<AnyGrid> make_cuda_grid(const hgrid_options& options, const hgrid_box* box) {
  const detail::CurrentDevice current(options.device_id);
  const CudaExec exec(static_cast<cudaStream_t>(options.stream));
  return std::make_unique<GridOn<CudaExec, D>>(exec, place_of(options), box, options_of(options));
}

template std::unique_ptr<AnyGrid> make_cuda_grid<2>(const hgrid_options&, const hgrid_box*);
template std::unique_ptr<AnyGrid> make_cuda_grid<3>(const hgrid_options&, const hgrid_box*);

}  // namespace hgrid::c
