// SPDX-License-Identifier: BSD-3-Clause
// One step for a profiler (gpu.sh), or for what counts warps without a device (model.py): a build and a list in their place, after
// a step that made room for them; for each of the ratios.
//   gpu_step N RATIO...
#include <cuda_profiler_api.h>

#include <cstdio>
#include <cstdlib>

#include "systems.cuh"

namespace {

void step(std::int64_t n, double ratio) {
  const gpu_bench::System system = gpu_bench::random_system(n, ratio);
  const hgrid::CudaExec exec;
  hgrid::Grid<hgrid::CudaExec, 3> grid(exec, hgrid::Box3::open());
  auto list = grid.make_pairs();
  grid.build(system.view());
  grid.pairs(list);
  exec.wait();
  hgrid::detail::check_cuda(cudaProfilerStart(), "cudaProfilerStart");
  grid.build(system.view());
  grid.enqueue_pairs(list);
  exec.wait();
  hgrid::detail::check_cuda(cudaProfilerStop(), "cudaProfilerStop");
  grid.wait(list);
  std::printf("{\"n\": %lld, \"ratio\": %g, \"pairs\": %lld, \"cells\": %llu, \"levels\": %d}\n", static_cast<long long>(n),
              ratio, static_cast<long long>(list.size()), static_cast<unsigned long long>(grid.plan().levels.cells),
              grid.plan().levels.count);
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc < 3) return std::fprintf(stderr, "gpu_step N RATIO...\n"), 2;
  for (int k = 2; k < argc; ++k) step(std::atoll(argv[1]), std::atof(argv[k]));
  return 0;
} catch (const std::exception& e) {
  return std::fprintf(stderr, "%s\n", e.what()), 1;
}
