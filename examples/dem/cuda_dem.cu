// SPDX-License-Identifier: BSD-3-Clause
// The DEM of dem.cpp on a CUDA stream, from the same headers.
#include <hgrid/cuda.hpp>

#include <exception>

#include "run.hpp"

int main(int argc, char* argv[]) {
  const hgrid::CudaDevices found = hgrid::cuda_devices();
  if (found.devices.empty()) {
    std::printf("no CUDA device: %s\n", found.reason.c_str());
    return 0;
  }
  try {
    return dem::run_dimension(hgrid::CudaExec{}, dem::Options(argc, argv));
  } catch (const std::exception& e) {
    std::fprintf(stderr, "dem: %s\n", e.what());
    return 1;
  }
}
