// SPDX-License-Identifier: BSD-3-Clause
// The host's engine by ranks, each on one thread: mpirun -n RANKS ranks OUT.jsonl RATIOS N...
// All ranks draw all particles and keep their own by number, which then move to their ranks when space is cut.
#include <cstdio>

#include "hgrid/mpi.hpp"
#include "host_cases.hpp"

namespace {

using namespace gpu_bench;

/// A row on rank 0.
void measure(const char* path, double ratio, std::int64_t n, int rank, int ranks) {
  std::vector<double> x, r;
  std::vector<std::int64_t> id;
  {
    const hgrid::Packing p = random_spheres(n, ratio);
    for (std::int64_t k = rank; k < n; k += ranks) {
      const auto i = static_cast<std::size_t>(k);
      x.insert(x.end(), {p.x[i], p.y[i], p.z[i]}), r.push_back(p.r[i]), id.push_back(k);
    }
  }
  hgrid::DistributedGrid grid{hgrid::SerialExec{}, hgrid::Box3::open(), MPI_COMM_WORLD};
  grid.rebalance(x, r);
  grid.migrate(x, r, id);
  auto pairs = grid.make_pairs();
  Row row;
  row.add("what", "ranks").add("workers", ranks).add("ratio", ratio).add("n", double(n));
  const auto together = [](const auto& f) {  // a step lasts as long as the slowest rank's
    return [&f] { MPI_Barrier(MPI_COMM_WORLD), f(), MPI_Barrier(MPI_COMM_WORLD); };
  };
  const auto build = [&] { grid.build(x, r, id); };
  const auto list = [&] { grid.find(pairs); };
  add_times(row, together(build), together(list));
  auto found = static_cast<double>(pairs.size());
  MPI_Allreduce(MPI_IN_PLACE, &found, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) Results(path).add(row.add("pairs", found));
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, ranks = 1, code = argc < 4 ? 2 : 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int k = 3; k < argc; ++k) {
    for (const double ratio : gpu_bench::numbers(argv[2])) {
      measure(argv[1], ratio, std::atoll(argv[k]), rank, ranks);
    }
  }
  MPI_Finalize();
  return code;
}
