// SPDX-License-Identifier: BSD-3-Clause
// Cases for the host's engine, by threads and by ranks: spheres of the sizes that devices get, and the time of a step.
#pragma once

#include <chrono>
#include <cstdlib>
#include <sstream>

#include "hgrid/packing/packing.hpp"
#include "results.hpp"

namespace gpu_bench {

/// Power-law radii f ~ r^-3 on [1, ratio], anywhere in a cube that they fill to 0.62.
inline hgrid::Packing random_spheres(std::int64_t n, double ratio) {
  using Kind = hgrid::SizeDistribution::Kind;
  return hgrid::random_packing({{ratio == 1 ? Kind::mono : Kind::power_law, ratio, -3}, n, 0.62});
}

inline std::vector<double> numbers(const char* text) {
  std::vector<double> found;
  std::string one;
  for (std::istringstream list(text); std::getline(list, one, ',');) found.push_back(std::stod(one));
  return found;
}

/// Steps that are timed; fewer where a run only has to pass.
inline int timed_steps() {
  const char* const wanted = std::getenv("HGRID_INTERVALS");
  return wanted == nullptr ? 7 : std::max(1, std::atoi(wanted));
}

template <class F>
float milliseconds(const F& f) {
  const auto start = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<float, std::milli>(std::chrono::steady_clock::now() - start).count();
}

/// Runs two steps to warm up, then times steps: build and list apart, and both.
template <class Build, class List>
Row& add_times(Row& row, const Build& build, const List& list) {
  std::vector<float> built, listed, both;
  for (int step = -2; step < timed_steps(); ++step) {
    const float first = milliseconds(build), second = milliseconds(list);
    if (step >= 0) built.push_back(first), listed.push_back(second), both.push_back(first + second);
  }
  return row.add(summary(both)).add("build_ms", summary(built).median).add("list_ms", summary(listed).median);
}

}  // namespace gpu_bench
