// SPDX-License-Identifier: BSD-3-Clause
// Build and list of pairs of positions and radii from a file, as step.py runs them through Python: step FILE PARTICLES THREADS
// It prints bytes a particle that the first step takes at most, and then times.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "hgrid/hgrid.hpp"

namespace {

/// A line of the kernel's account of this process, in bytes.
double memory(const char* name) {
  char line[256], format[64];
  std::snprintf(format, sizeof format, "%s: %%lf kB", name);
  double kilobytes = 0;
  std::FILE* const status = std::fopen("/proc/self/status", "r");
  while (std::fgets(line, sizeof line, status) != nullptr && std::sscanf(line, format, &kilobytes) != 1) {
  }
  std::fclose(status);
  return 1024 * kilobytes;
}

}  // namespace

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
  if (std::FILE* const peak = std::fopen("/proc/self/clear_refs", "w")) {
    std::fputs("5", peak);  // the peak counts from here
    std::fclose(peak);
  }
  const double before = memory("VmRSS");
  for (int step = 0; step < 15; ++step) {
    const auto start = std::chrono::steady_clock::now();
    grid.build(particles);
    grid.pairs(list);
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
    if (step == 0) std::printf("%.3f\n", (memory("VmHWM") - before) / static_cast<double>(n));
    if (step >= 5) std::printf("%.3f\n", took.count() / static_cast<double>(n));
  }
}
