// SPDX-License-Identifier: BSD-3-Clause
// Build and search of a million particles on the host executors, warm, in nanoseconds per particle: random centres,
// packing fraction 0.62, open box. `--benchmark_filter=pl100`, `--benchmark_repetitions=5` and the like.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "hgrid/hgrid.hpp"
#include "hgrid/packing/packing.hpp"
#include "hgrid/packing/workloads.hpp"

namespace {

constexpr std::int64_t particles = 1'000'000;

const hgrid::Packing& packing_of(const hgrid::Workload& workload) {
  static std::map<std::string_view, hgrid::Packing> made;  // one at a time in memory
  if (!made.contains(workload.name)) {
    made.clear();
    made[workload.name] = hgrid::random_packing({workload.sizes, particles, hgrid::workload_fraction});
  }
  return made.at(workload.name);
}

/// Milliseconds that planning adds to a build: medians of a few builds that plan and of as many that do not.
template <class Grid, class View>
double planning_ms(Grid& grid, const View& view) {
  std::vector<double> taken[2];
  for (int run = 0; run < 18; ++run) {
    if (run % 2 == 1) grid.plan_again();
    const auto start = std::chrono::steady_clock::now();
    grid.build(view);
    const std::chrono::duration<double, std::milli> each = std::chrono::steady_clock::now() - start;
    taken[run % 2].push_back(each.count());
  }
  for (auto& times : taken) std::ranges::sort(times);
  return taken[1][4] - taken[0][4];
}

/// One step of a time loop: build, then the list of all pairs; the parts separately as counters.
void build_and_list(benchmark::State& state, const hgrid::Workload& workload, int threads, hgrid::Schedule schedule) {
  const hgrid::Packing& p = packing_of(workload);
  hgrid::Grid grid{hgrid::OpenMPExec(threads), hgrid::Box3::open(), {.schedule = schedule}};
  const auto view = hgrid::particles(p.x.data(), p.y.data(), p.z.data(), p.r.data(), particles);
  auto pairs = grid.make_pairs();
  for (int warm = 0; warm < 2; ++warm) grid.build(view), grid.find(pairs);

  using Clock = std::chrono::steady_clock;
  Clock::duration building{}, listing{};
  for (auto _ : state) {
    const auto start = Clock::now();
    grid.build(view);
    const auto built = Clock::now();
    grid.find(pairs);
    building += built - start, listing += Clock::now() - built;
  }
  const auto each = [&](Clock::duration d) {
    return std::chrono::duration<double, std::nano>(d).count() / (static_cast<double>(state.iterations()) * particles);
  };
  state.counters["build_ns"] = each(building);
  state.counters["list_ns"] = each(listing);
  state.counters["total_ns"] = each(building + listing);
  state.counters["pairs"] = static_cast<double>(pairs.size()) / particles;
  state.counters["candidates"] = static_cast<double>(grid.work().candidates) / particles;
  state.counters["rows"] = static_cast<double>(grid.work().rows) / particles;
  state.counters["levels"] = static_cast<double>(grid.levels().size());
  state.counters["plan_ms"] = planning_ms(grid, view);
  state.counters["bytes"] = static_cast<double>(grid.bytes()) / particles;
}

}  // namespace

int main(int argc, char** argv) {
  for (const hgrid::Workload& workload : hgrid::workloads) {
    const std::string name(workload.name);
    for (int threads : {1, 2}) {
      benchmark::RegisterBenchmark((name + "/threads:" + std::to_string(threads)).c_str(), build_and_list, workload, threads,
                                   hgrid::Schedule::fast)
          ->Unit(benchmark::kMillisecond)
          ->UseRealTime();
    }
    benchmark::RegisterBenchmark((name + "/plain").c_str(), build_and_list, workload, 1, hgrid::Schedule::plain)
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime();
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
