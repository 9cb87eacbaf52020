// SPDX-License-Identifier: BSD-3-Clause
// One step for a profiler (gpu.sh), or for the counts of warps without a device (model.py): a build and a list in their place,
// after a step that made room for them; for each of the ratios, or of the files (particles.hpp).
//   gpu_step [--periodic] [--buckets] [--in-order] [--packing FRACTION] [--standing | --building | --list | --full] N RATIO...
//   gpu_step ... FILE...
// With --buckets particles are sorted into buckets, with --in-order they come in the order of their slots. With --standing or
// --building it is one replay of a time loop's graph (VerletList::enqueue_update), at which the list holds or is built again,
// and with --list or --full the step of a loop without a skin: a build, and half or full lists.
#include <cuda_profiler_api.h>
#include <thrust/transform.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "hgrid/loop.hpp"
#include "systems.cuh"

namespace {

void print(const gpu_bench::System& system, const char* name, hgrid::offset_t entries, const hgrid::Plan<3>& plan) {
  std::printf("{\"n\": %lld, \"system\": \"%s\", \"pairs\": %lld, \"cells\": %llu, \"levels\": %d}\n",
              static_cast<long long>(system.size()), name, static_cast<long long>(entries),
              static_cast<unsigned long long>(plan.levels.cells), plan.levels.count);
}

struct Shift {
  float by;
  __host__ __device__ float operator()(float x) const { return x + by; }
};

// The skin is a fifth of the smallest radius, which is 1; particles that have moved by it need a new list.
void step_of_loop(gpu_bench::System system, const char* name, std::string_view loop) {
  cudaStream_t stream;
  hgrid::detail::check_cuda(cudaStreamCreate(&stream), "cudaStreamCreate");
  {
    const hgrid::CudaExec exec(stream);
    hgrid::Grid<hgrid::CudaExec, 3> grid(exec, system.box());
    hgrid::VerletList list(grid, {.skin = 0.2});
    auto each = grid.make_list(loop == "--full" ? hgrid::ListKind::full : hgrid::ListKind::half);
    for (int k = 0; k < 2; ++k) grid.build(system.view()), grid.find(each);
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t run = nullptr;
    if (loop == "--standing" || loop == "--building") {
      list.wait(system.view());
      hgrid::detail::check_cuda(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "capture");
      list.enqueue_update(system.view());
      hgrid::detail::check_cuda(cudaStreamEndCapture(stream, &graph), "capture");
      hgrid::detail::check_cuda(cudaGraphInstantiate(&run, graph, 0), "cudaGraphInstantiate");
      if (loop == "--building") thrust::transform(system.x.begin(), system.x.end(), system.x.begin(), Shift{0.2F});
    }
    hgrid::detail::check_cuda(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    hgrid::detail::check_cuda(cudaProfilerStart(), "cudaProfilerStart");
    if (run != nullptr) {
      hgrid::detail::check_cuda(cudaGraphLaunch(run, stream), "cudaGraphLaunch");
    } else {
      grid.build(system.view());
      grid.enqueue(each);
    }
    exec.wait();
    hgrid::detail::check_cuda(cudaProfilerStop(), "cudaProfilerStop");
    run != nullptr ? void(list.wait(system.view())) : grid.wait(each);
    print(system, name, run != nullptr ? list.neighbours().size() : each.size(), grid.plan());
    if (run != nullptr) cudaGraphExecDestroy(run), cudaGraphDestroy(graph);
  }
  cudaStreamDestroy(stream);
}

void step(gpu_bench::System system, const char* name, bool buckets, bool in_order, std::string_view loop) {
  const hgrid::CudaExec exec;
  if (!loop.empty()) return step_of_loop(std::move(system), name, loop);
  if (in_order) system = gpu_bench::in_slot_order(exec, system);
  hgrid::GridOptions options;
  if (buckets) options.sort = hgrid::SortKind::counting;
  hgrid::Grid<hgrid::CudaExec, 3> grid(exec, system.box(), options);
  auto list = grid.make_pairs();
  grid.build(system.view());
  grid.find(list);
  exec.wait();
  hgrid::detail::check_cuda(cudaProfilerStart(), "cudaProfilerStart");
  grid.build(system.view());
  grid.enqueue(list);
  exec.wait();
  hgrid::detail::check_cuda(cudaProfilerStop(), "cudaProfilerStop");
  grid.wait(list);
  print(system, name, list.size(), grid.plan());
}

}  // namespace

int main(int argc, char** argv) try {
  int k = 1;
  const auto is_given = [&](std::string_view option) { return k < argc && argv[k] == option && ++k > 0; };
  const bool periodic = is_given("--periodic"), buckets = is_given("--buckets"), in_order = is_given("--in-order");
  const double packing = is_given("--packing") && k < argc ? std::atof(argv[k++]) : 0.62;
  const bool loops = is_given("--standing") || is_given("--building") || is_given("--list") || is_given("--full");
  const char* const loop = loops ? argv[k - 1] : "";
  const bool files = k < argc && std::string_view(argv[k]).find_first_not_of("0123456789") != std::string_view::npos;
  const std::int64_t n = files || k >= argc ? 0 : std::atoll(argv[k++]);
  if (k >= argc)
    return std::fprintf(stderr,
                        "gpu_step [--periodic] [--buckets] [--in-order] [--packing F] [--full] N RATIO... or FILE...\n"),
           2;
  for (; k < argc; ++k) {
    gpu_bench::System system = files ? gpu_bench::system_of(gpu_bench::read_particles(argv[k]))
                                     : gpu_bench::random_system(n, std::atof(argv[k]), packing);
    system.periodic = periodic;
    step(std::move(system), argv[k], buckets, in_order, loop);
  }
  return 0;
} catch (const std::exception& e) {
  return std::fprintf(stderr, "%s\n", e.what()), 1;
}
