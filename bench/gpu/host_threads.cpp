// SPDX-License-Identifier: BSD-3-Clause
// The host's engine by threads, from positions and radii to the half pair list in order fixed: host OUT.jsonl RATIOS THREADS
// N...
#include <cstdio>

#include "hgrid/hgrid.hpp"
#include "host_cases.hpp"

namespace {

using namespace gpu_bench;

struct Spheres {
  std::vector<double> x, r;
};

Spheres spheres(std::int64_t n, double ratio) {
  hgrid::Packing p = random_spheres(n, ratio);
  Spheres s{{}, std::move(p.r)};
  for (std::size_t i = 0; i < s.r.size(); ++i) s.x.insert(s.x.end(), {p.x[i], p.y[i], p.z[i]});
  return s;
}

void measure(Results& results, const Spheres& p, double ratio, int threads, std::int64_t& expected) {
  hgrid::Grid<hgrid::OpenMPExec, 3> grid{hgrid::OpenMPExec(threads)};
  auto pairs = grid.make_pairs();
  const auto n = static_cast<std::int64_t>(p.r.size());
  const auto view = hgrid::particles<3>(p.x.data(), p.r.data(), n);
  Row row;
  row.add("what", "threads").add("workers", threads).add("ratio", ratio).add("n", double(n));
  results.attempt(row, [&] {
    const auto build = [&] { grid.build(view); };
    const auto list = [&] { grid.find(pairs); };
    add_times(row, build, list);
    if (expected < 0) expected = pairs.size();
    if (pairs.size() != expected) throw std::runtime_error("another number of pairs than before");
    results.add(row.add("pairs", double(pairs.size())));
  });
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc < 5) return std::fprintf(stderr, "host OUT.jsonl RATIOS THREADS N...\n"), 2;
  gpu_bench::Results results(argv[1]);
  for (int k = 4; k < argc; ++k) {
    for (const double ratio : gpu_bench::numbers(argv[2])) {
      const Spheres p = spheres(std::atoll(argv[k]), ratio);
      std::int64_t expected = -1;
      for (const double threads : gpu_bench::numbers(argv[3])) {
        measure(results, p, ratio, static_cast<int>(threads), expected);
      }
    }
  }
  return results.failed() ? 1 : 0;
} catch (const std::exception& e) {
  return std::fprintf(stderr, "%s\n", e.what()), 1;
}
