// SPDX-License-Identifier: BSD-3-Clause
// hgrid on a CUDA device, from float32 positions and radii in device memory to the exact half pair list in order fixed:
// grid OUT.jsonl MODE N..., where MODE is times (replays of a graph, random and relaxed), stages, variants, or counters
// (one step, for a profiler).
#include <cstring>

#include "hgrid/build/grid.hpp"
#include "hgrid/kernels/cuda_reduce.cuh"
#include "search_variants.hpp"
#include "systems.cuh"
#include "timing.cuh"

namespace {

using namespace gpu_bench;

constexpr double ratios[] = {1, 10, 50, 100};

struct Case {
  std::string packing;
  double ratio;
  System system;
};

Row row_of(const char* what, const Case& c) {
  return Row().add("what", what).add("packing", c.packing).add("ratio", c.ratio).add("n", double(c.system.r.size()));
}

/// One step, captured once and replayed.
template <class Real>
void measure_step(Results& results, const hgrid::CudaExec& exec, Row row, const hgrid::Particles<Real, 3>& particles,
                  const hgrid::GridOptions& options) {
  const cudaStream_t stream = exec.stream();
  hgrid::Grid<hgrid::CudaExec, 3> grid(exec, hgrid::Box3::open(), options);
  auto list = grid.make_pairs();
  for (int warm = 0; warm < 3; ++warm) grid.build(particles), grid.pairs(list);
  cudaGraph_t graph;
  cudaGraphExec_t step;
  hgrid::check_cuda(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed), "cudaStreamBeginCapture");
  grid.build(particles);
  grid.enqueue_pairs(list);
  hgrid::check_cuda(cudaStreamEndCapture(stream, &graph), "cudaStreamEndCapture");
  hgrid::check_cuda(cudaGraphInstantiate(&step, graph, 0), "cudaGraphInstantiate");
  const Times replay = time_of(stream, [&] { cudaGraphLaunch(step, stream); });
  grid.wait(list);
  const Times build = time_of(stream, [&] { grid.build(particles); });
  const Times search = time_of(stream, [&] { grid.enqueue_pairs(list); });
  grid.wait(list);
  auto rows = grid.make_list();
  const Times in_rows = time_of(stream, [&] { grid.neighbours(rows); });  // the list, and its rows by id; waits
  results.add(row.add(replay).add("build_ms", build.median).add("list_ms", search.median).add("rows_ms", in_rows.median)
                  .add("levels", grid.view().level_count).add("cells", double(grid.plan().levels.cells))
                  .add("pairs", double(list.size())).add("bytes", double(grid.bytes())));
  cudaGraphExecDestroy(step);
  cudaGraphDestroy(graph);
}

void measure_times(Results& results, cudaStream_t stream, const Case& c, const char* name, const hgrid::GridOptions& options,
                   hgrid::ListMode mode = hgrid::ListMode::look_back) {
  measure_step(results, hgrid::CudaExec(stream, nullptr, mode), row_of(name, c), c.system.view(), options);
}

/// The same numbers in double precision.
void measure_double(Results& results, cudaStream_t stream, const Case& c) {
  const thrust::device_vector<double> x = c.system.x, r = c.system.r;
  const auto particles = hgrid::particles<3>(thrust::raw_pointer_cast(x.data()), thrust::raw_pointer_cast(r.data()),
                                             static_cast<std::int64_t>(r.size()));
  measure_step(results, hgrid::CudaExec(stream), row_of("double_input", c), particles, {});
}

/// Searches of the own levels that only count: the library's, then others, which must find as many.
void measure_searches(Results& results, cudaStream_t stream, const Case& c) {
  const hgrid::CudaExec exec(stream);
  hgrid::Grid<hgrid::CudaExec, 3> grid(exec, hgrid::Box3::open(), {.table = hgrid::TableKind::dense});
  grid.build(c.system.view());
  const auto g = grid.view();
  hgrid::offset_t expected = g.level_count == 1 ? grid.count() : -1;
  const auto cells = static_cast<hgrid::offset_t>(grid.plan().levels.cells);
  for_each_search(exec, g, cells, [&](const char* name, const auto& search, const hgrid::word_t* contacts) {
    const Times t = time_of(stream, search);
    const auto found = static_cast<hgrid::offset_t>(exec.read_back(contacts));
    if (expected < 0) expected = found;
    if (found != expected) throw std::runtime_error(std::string(name) + " finds other contacts than the library");
    results.add(row_of("search", c).add("search", name).add(t).add("contacts", double(found)));
  });
}

void measure_stages(Results& results, cudaStream_t stream, const Case& c, const hgrid::GridOptions& options) {
  const TimedExec exec(stream);
  hgrid::Grid<TimedExec, 3> grid(exec, hgrid::Box3::open(), options);
  auto list = grid.make_pairs();
  for (int warm = 0; warm < 3; ++warm) grid.build(c.system.view()), grid.pairs(list);
  constexpr int steps = 20;
  exec.stages(steps);  // forgets the first ones
  for (int step = 0; step < steps; ++step) grid.build(c.system.view()), grid.enqueue_pairs(list);
  Row row = row_of(options.sort == hgrid::SortKind::counting ? "stages_counting" : "stages", c);
  for (const auto& [label, ms] : exec.stages(steps)) row.add(label.c_str(), ms);
  grid.wait(list);
  const auto& levels = grid.plan().levels;
  row.add("levels", levels.count).add("cells", double(levels.cells)).add("pairs", double(list.size()));
  results.add(row.add("candidates", double(grid.work().candidates)).add("look_ups", double(grid.work().look_ups)));
}

void measure_variants(Results& results, cudaStream_t stream, const Case& c) {
  measure_searches(results, stream, c);
  measure_times(results, stream, c, "default", {});
  measure_double(results, stream, c);
  measure_times(results, stream, c, "count_scan_fill", {}, hgrid::ListMode::count_scan_fill);
  measure_times(results, stream, c, "counting", {.sort = hgrid::SortKind::counting});
  measure_times(results, stream, c, "morton", {.keys = hgrid::KeyOrder::morton});
  measure_times(results, stream, c, "compacted", {.table = hgrid::TableKind::compacted});
  measure_times(results, stream, c, "morton_compacted",
                {.keys = hgrid::KeyOrder::morton, .table = hgrid::TableKind::compacted});
  measure_times(results, stream, c, "bottom_up", {.direction = hgrid::Direction::bottom_up});
  // Levels for other prices of a row and a candidate: which constants would have been right.
  for (const double row : {10.0, 30.0, 90.0}) {
    for (const double candidate : {10.0, 40.0, 160.0}) {
      hgrid::GridOptions options;
      options.costs = hgrid::SearchCosts{.setup = 60, .row = row, .candidate = candidate, .cell = 8};
      measure_times(results, stream, c, ("row_" + std::to_string(int(row)) + "_candidate_" + std::to_string(int(candidate))).c_str(), options);
    }
  }
}

/// For a profiler.
void one_step(cudaStream_t stream, const Case& c) {
  hgrid::Grid<hgrid::CudaExec, 3> grid(hgrid::CudaExec(stream), hgrid::Box3::open());
  auto list = grid.make_pairs();
  grid.build(c.system.view());
  grid.pairs(list);  // into no memory, then into enough
}

/// The input in the order of the slots, as a code has it that keeps its arrays sorted.
Case in_slot_order(cudaStream_t stream, const Case& c) {
  hgrid::Grid<hgrid::CudaExec, 3> grid(hgrid::CudaExec(stream), hgrid::Box3::open());
  grid.build(c.system.view());
  grid.count();  // waits
  const auto g = grid.view();
  Case sorted{"slot_order", c.ratio, c.system};
  const thrust::device_ptr<const double> radius(g.radius);
  const auto n = static_cast<std::int64_t>(sorted.system.r.size());
  std::vector<double> x[3];
  std::vector<float> interleaved(3 * n);
  for (int k = 0; k < 3; ++k) {
    x[k].resize(n);
    grid.exec().copy_out(x[k].data(), g.x[k], n);
    for (std::int64_t i = 0; i < n; ++i) interleaved[3 * i + k] = static_cast<float>(x[k][i]);
  }
  sorted.system.x = interleaved;
  thrust::copy(radius, radius + n, sorted.system.r.begin());
  return sorted;
}

void run(Results& results, cudaStream_t stream, const std::string& mode, std::int64_t n) {
  for (const double ratio : ratios) {
    const Case random{"random", ratio, random_system(n, ratio)};
    if (mode == "times") {
      measure_times(results, stream, random, "step", {});
      measure_times(results, stream, {"relaxed", ratio, relaxed_system(n, ratio)}, "step", {});
    } else if (mode == "stages") {
      measure_stages(results, stream, random, {});
      measure_stages(results, stream, random, {.sort = hgrid::SortKind::counting});
      const Case sorted = in_slot_order(stream, random);
      measure_stages(results, stream, sorted, {});
      measure_stages(results, stream, sorted, {.sort = hgrid::SortKind::counting});
    } else if (mode == "counters") {
      one_step(stream, random);
    } else {
      measure_variants(results, stream, random);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return std::fprintf(stderr, "grid OUT.jsonl times|stages|counters|variants N...\n"), 2;
  const hgrid::CudaDevices found = hgrid::cuda_devices();
  if (found.devices.empty()) return std::printf("no CUDA device: %s\n", found.reason.c_str()), 0;
  cudaStream_t stream;
  hgrid::check_cuda(cudaStreamCreate(&stream), "cudaStreamCreate");
  Results results(argv[1]);
  results.add(Row().add("what", "device").add("name", found.devices[0].name)
                  .add("compute_capability", found.devices[0].compute_capability));
  for (int k = 3; k < argc; ++k) run(results, stream, argv[2], std::atoll(argv[k]));
}
