// SPDX-License-Identifier: BSD-3-Clause
// Build and list of pairs of positions and radii from a file, as step.py runs them through Python: step FILE PARTICLES THREADS
// It prints bytes a particle that the first step takes at most, and then times.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "bench/python/status.hpp"
#include "hgrid/hgrid.hpp"

int main(int count, char** words) {
  if (count != 4) return 2;
  const auto n = static_cast<std::size_t>(std::atol(words[2]));
  std::vector<double> numbers(4 * n);
  std::FILE* const file = std::fopen(words[1], "rb");
  if (file == nullptr || std::fread(numbers.data(), sizeof(double), numbers.size(), file) != numbers.size()) return 1;
  std::fclose(file);
  const auto particles = hgrid::particles<3>(numbers.data(), numbers.data() + 3 * n, static_cast<std::int64_t>(n));
  hgrid::Grid<hgrid::OpenMPExec, 3> grid{hgrid::OpenMPExec{std::atoi(words[3])}};
  auto list = grid.make_pairs();
  const double before = begin_peak();
  for (int step = 0; step < 15; ++step) {
    const auto start = std::chrono::steady_clock::now();
    grid.build(particles);
    grid.find(list);
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
    if (step == 0) std::printf("%.3f\n", (memory("VmHWM") - before) / static_cast<double>(n));
    if (step >= 5) std::printf("%.3f\n", took.count() / static_cast<double>(n));
  }
}
