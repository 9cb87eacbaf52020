// SPDX-License-Identifier: BSD-3-Clause
// One step for a profiler (gpu.sh), or for what counts warps without a device (model.py): a build and a list in their place,
// after a step that made room for them; for each of the ratios, or of the files (particles.hpp).
//   gpu_step [--periodic] [--counting] N RATIO...
//   gpu_step [--periodic] [--counting] FILE...
// With --counting particles come in the order of their slots, and are sorted by counting.
#include <cuda_profiler_api.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "systems.cuh"

namespace {

void step(gpu_bench::System system, const char* name, bool periodic, bool counting) {
  const hgrid::CudaExec exec;
  system.periodic = periodic;
  if (counting) system = gpu_bench::in_slot_order(exec, system);
  hgrid::GridOptions options;
  if (counting) options.sort = hgrid::SortKind::counting;
  hgrid::Grid<hgrid::CudaExec, 3> grid(exec, system.box(), options);
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
  int k = 1;
  const auto is_given = [&](std::string_view option) { return k < argc && argv[k] == option && ++k > 0; };
  const bool periodic = is_given("--periodic"), counting = is_given("--counting");
  const bool files = k < argc && std::string_view(argv[k]).find_first_not_of("0123456789") != std::string_view::npos;
  const std::int64_t n = files || k >= argc ? 0 : std::atoll(argv[k++]);
  if (k >= argc) return std::fprintf(stderr, "gpu_step [--periodic] [--counting] N RATIO... or FILE...\n"), 2;
  for (; k < argc; ++k) {
    step(files ? gpu_bench::system_of(gpu_bench::read_particles(argv[k])) : gpu_bench::random_system(n, std::atof(argv[k])),
         argv[k], periodic, counting);
  }
  return 0;
} catch (const std::exception& e) {
  return std::fprintf(stderr, "%s\n", e.what()), 1;
}
