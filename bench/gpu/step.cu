// SPDX-License-Identifier: BSD-3-Clause
// One step for a profiler (gpu.sh), or for what counts warps without a device (model.py): a build and a list in their place, after
// a step that made room for them; for each of the ratios, or of the files (particles.hpp).
//   gpu_step [--periodic] N RATIO...
//   gpu_step [--periodic] FILE...
#include <cuda_profiler_api.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "systems.cuh"

namespace {

void step(gpu_bench::System system, const char* name, bool periodic) {
  const hgrid::CudaExec exec;
  system.periodic = periodic;
  hgrid::Grid<hgrid::CudaExec, 3> grid(exec, system.box());
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
  std::printf("{\"n\": %lld, \"system\": \"%s\", \"pairs\": %lld, \"cells\": %llu, \"levels\": %d}\n",
              static_cast<long long>(system.size()), name, static_cast<long long>(list.size()),
              static_cast<unsigned long long>(grid.plan().levels.cells), grid.plan().levels.count);
}

}  // namespace

int main(int argc, char** argv) try {
  const bool periodic = argc > 1 && std::string_view(argv[1]) == "--periodic";
  int k = periodic ? 2 : 1;
  const bool files = k < argc && std::string_view(argv[k]).find_first_not_of("0123456789") != std::string_view::npos;
  const std::int64_t n = files || k >= argc ? 0 : std::atoll(argv[k++]);
  if (k >= argc) return std::fprintf(stderr, "gpu_step [--periodic] N RATIO... or FILE...\n"), 2;
  for (; k < argc; ++k) {
    step(files ? gpu_bench::system_of(gpu_bench::read_particles(argv[k])) : gpu_bench::random_system(n, std::atof(argv[k])),
         argv[k], periodic);
  }
  return 0;
} catch (const std::exception& e) {
  return std::fprintf(stderr, "%s\n", e.what()), 1;
}
