// SPDX-License-Identifier: BSD-3-Clause
// Helpers of measurements of a step: packings, and how a step is measured and reported.
#pragma once

#include <benchmark/benchmark.h>

#include <functional>
#include <map>
#include <string>

#include "hgrid/hgrid.hpp"
#include "hgrid/packing/packing.hpp"

namespace hgrid::bench {

using Kind = hgrid::SizeDistribution::Kind;
using Grid3 = hgrid::Grid<hgrid::OpenMPExec, 3>;

constexpr std::int64_t million = 1'000'000;

inline const std::map<std::string, hgrid::SizeDistribution> sizes = {{"mono", {Kind::mono}},
                                                                     {"pl10", {Kind::power_law, 10, -3}}};

inline hgrid::Packing packing(const std::string& workload, std::int64_t n, int dimension = 3) {
  return hgrid::random_packing({sizes.at(workload), n, 0.62, dimension});
}

/// Keeps the packing of the case at hand, and only that.
inline const hgrid::Packing& kept(const std::string& name, const std::function<hgrid::Packing()>& make) {
  static std::map<std::string, hgrid::Packing> made;
  if (!made.contains(name)) {
    made.clear();
    made[name] = make();
  }
  return made.at(name);
}

inline void report(benchmark::State& state, double particles, double pairs) {
  state.counters["ns_per_particle"] =
      benchmark::Counter(particles * 1e-9, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  state.counters["pairs"] = pairs / particles;
}

/// Measures `step` after two warm steps; it returns the number of pairs.
template <class Step>
void measure(benchmark::State& state, const hgrid::Packing& p, const Step& step) {
  hgrid::offset_t pairs = 0;
  for (int warm = 0; warm < 2; ++warm) pairs = step();
  for (auto _ : state) benchmark::DoNotOptimize(step());
  report(state, static_cast<double>(p.r.size()), static_cast<double>(pairs));
}

inline hgrid::Particles<double, 3> view3(const hgrid::Packing& p) {
  return hgrid::particles(p.x.data(), p.y.data(), p.z.data(), p.r.data(), static_cast<std::int64_t>(p.r.size()));
}

template <class F>
void add(const std::string& name, const F& f) {
  benchmark::RegisterBenchmark(name.c_str(), f)->Unit(benchmark::kMillisecond)->UseRealTime();
}

/// Registers the cases of both workloads on one thread and two, and runs the selected ones.
template <class Register>
int run_cases(int argc, char** argv, const Register& register_cases) {
  for (const char* workload : {"mono", "pl10"}) {
    register_cases(workload, "1", 1);
    register_cases(workload, "2", 2);
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

}  // namespace hgrid::bench
