// SPDX-License-Identifier: BSD-3-Clause
// hgrid on a CUDA device, from float32 positions and radii in device memory to the exact half pair list in order fixed.
//   grid device                      names the device; ends with 3 and the reason if there is none
//   grid OUT.jsonl MODE RATIOS N...  appends rows; MODE is one of `modes` below, RATIOS are such as 1,100, or for `lists`
//                                    numbers of neighbors
//   grid FILE write RATIO N          writes random particles for a peer
// HGRID_CUBES is the folder of relaxed cubes, HGRID_INTERVALS how many intervals are timed.
#include <cstring>
#include <sstream>

#include "loops.cuh"

namespace {

using namespace gpu_bench;

void measure_variants(Results& results, cudaStream_t stream, Case c) {
  measure_searches(results, stream, c);
  measure_times(results, stream, c, "default", {});
  measure_double(results, stream, c);
  measure_times(results, stream, c, "count_scan_fill", {}, hgrid::detail::ListMode::count_scan_fill);
  measure_times(results, stream, c, "buckets", {.sort = hgrid::SortKind::counting});
  measure_times(results, stream, c, "morton", {.keys = hgrid::KeyOrder::morton});
  measure_times(results, stream, c, "compacted", {.table = hgrid::TableKind::compacted});
  measure_times(results, stream, c, "morton_compacted",
                {.keys = hgrid::KeyOrder::morton, .table = hgrid::TableKind::compacted});
  measure_times(results, stream, c, "bottom_up", {.direction = hgrid::Direction::bottom_up});
  // Levels for other prices: which constants would have been right.
  const auto priced = [&](const std::string& name, const hgrid::SearchCosts& costs) {
    hgrid::GridOptions options;
    options.costs = costs;
    measure_times(results, stream, c, name.c_str(), options);
  };
  for (const int row : {20, 60, 180}) {
    for (const int candidate : {20, 56, 160}) {
      hgrid::SearchCosts costs = hgrid::CudaExec::search_costs;
      costs.row = row, costs.candidate = candidate;
      priced("row_" + std::to_string(row) + "_candidate_" + std::to_string(candidate), costs);
    }
  }
  priced("prices_of_rows_one_by_one",
         {.setup = 60, .row = 30, .candidate = 40, .cell = 8, .compacted_row = 60, .compacted_slot = 30, .island = 15});
}

/// A step and rows, for sanitizers.
void once(Results& results, cudaStream_t stream, Case& c, hgrid::detail::ListMode mode) {
  const char* const name = mode == hgrid::detail::ListMode::one_search ? "one_search" : "count_scan_fill";
  results.attempt(c.row(name), [&] {
    Grid grid(hgrid::CudaExec(stream, nullptr, mode), c.system.box());
    auto list = grid.make_pairs();
    auto rows = grid.make_list();
    grid.build(c.system.view());
    grid.find(list);
    c.expect("pairs", list.size());
    grid.find(rows);
    c.expect("neighbours", rows.size());
    results.add(c.row(name).add("pairs", double(list.size())));
  });
}

void times(Results& results, cudaStream_t stream, Case c) { measure_times(results, stream, c, "step", {}); }

void stages(Results& results, cudaStream_t stream, Case random) {
  Case sorted = in_slot_order(stream, random);
  for (Case* c : {&random, &sorted}) {
    measure_stages(results, stream, *c, {});
    measure_stages(results, stream, *c, {.sort = hgrid::SortKind::counting});
  }
}

void both_modes(Results& results, cudaStream_t stream, Case open) {
  System closed = open.system;
  closed.periodic = true;
  Case periodic("periodic", open.ratio, std::move(closed));
  for (Case* c : {&open, &periodic}) {
    once(results, stream, *c, hgrid::detail::ListMode::one_search);
    once(results, stream, *c, hgrid::detail::ListMode::count_scan_fill);
  }
}

struct Mode {
  const char* name;
  const char* packing;
  void (*run)(Results&, cudaStream_t, Case);
};
constexpr Mode modes[] = {{"times", "random", times},
                          {"relaxed", "relaxed", times},  // replays of a graph
                          {"periodic", "periodic", times},
                          {"stages", "random", stages},
                          {"variants", "random", measure_variants},
                          {"lists", "neighbours", measure_all_lists},
                          {"loop", "random", measure_loop},
                          {"once", "random", both_modes}};

System system_of(const std::string& packing, std::int64_t n, double ratio) {
  if (packing == "neighbours") return random_system(n, 1, ratio / 8);
  if (packing != "relaxed") {
    System system = random_system(n, ratio);
    system.periodic = packing == "periodic";
    return system;
  }
  const char* const cubes = std::getenv("HGRID_CUBES");
  return relaxed_system(n, ratio, cubes == nullptr ? "." : cubes);
}

void run(Results& results, cudaStream_t stream, const Mode& mode, const char* ratios, std::int64_t n) {
  std::string ratio;
  for (std::istringstream list(ratios); std::getline(list, ratio, ',');) {
    const Row about =
        Row().add("what", mode.name).add("packing", mode.packing).add("ratio", std::stod(ratio)).add("n", double(n));
    results.attempt(about, [&] {
      mode.run(results, stream, {mode.packing, std::stod(ratio), system_of(mode.packing, n, std::stod(ratio))});
    });
  }
}

int measure(int argc, char** argv) {
  const std::string name = argc > 2 ? argv[2] : "";
  if (name == "write" && argc == 5) {
    return write_particles(argv[1], random_system(std::atoll(argv[4]), std::atof(argv[3])).on_host()), 0;
  }
  const Mode* const mode = std::find_if(std::begin(modes), std::end(modes), [&](const Mode& m) { return name == m.name; });
  if (mode == std::end(modes) || argc < 5) {
    return std::fprintf(stderr,
                        "grid device | OUT.jsonl times|relaxed|periodic|lists|loop|stages|variants|once RATIOS N... | FILE "
                        "write RATIO N\n"),
           2;
  }
  cudaStream_t stream;
  hgrid::detail::check_cuda(cudaStreamCreate(&stream), "cudaStreamCreate");
  Results results(argv[1]);
  for (int k = 4; k < argc; ++k) run(results, stream, *mode, argv[3], std::atoll(argv[k]));
  return results.failed() ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) try {
  const hgrid::CudaDevices found = hgrid::cuda_devices();
  if (found.devices.empty()) return std::printf("no CUDA device: %s\n", found.reason.c_str()), 3;
  if (argc == 2 && std::strcmp(argv[1], "device") == 0) {
    const hgrid::CudaDevice& device = found.devices[0];
    return std::printf("%s, sm_%d, %.1f GiB\n", device.name.c_str(), device.compute_capability,
                       double(device.memory) / (1 << 30)),
           0;
  }
  return measure(argc, argv);
} catch (const std::exception& e) {
  return std::fprintf(stderr, "%s\n", e.what()), 1;
}
