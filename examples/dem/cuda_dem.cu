// SPDX-License-Identifier: BSD-3-Clause
// The DEM of dem.cpp on a CUDA stream, from its headers.
#include <hgrid/cuda.hpp>

#include <exception>

#include "graph.hpp"
#include "run.hpp"

int main(int argc, char* argv[]) {
  const hgrid::CudaDevices found = hgrid::cuda_devices();
  if (found.devices.empty()) {
    std::printf("no CUDA device: %s\n", found.reason.c_str());
    return 0;
  }
  try {
    const dem::Options options(argc, argv);
    cudaStream_t stream;
    hgrid::detail::check_cuda(cudaStreamCreate(&stream), "cudaStreamCreate");
    const dem::StepsAhead ahead{options};
    const int code = dem::run_dimension(hgrid::CudaExec{stream}, options, ahead);
    std::fprintf(stderr, "%lld steps were replays of a graph\n", static_cast<long long>(ahead.graph->replays()));
    cudaStreamDestroy(stream);
    return code;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "dem: %s\n", e.what());
    return 1;
  }
}
