// SPDX-License-Identifier: BSD-3-Clause
// The cost of ranks without other ranks: mpi_costs KIND STEPS [CUTS]
//   plain   a Grid of 50,000 particles in a periodic box; with CUTS they fill 1 / CUTS of each axis, as those of a rank do
//   ranks   a DistributedGrid of them on one rank
// Instructions of a step are the difference of two runs: valgrind --tool=callgrind mpi_costs ranks 3, and the same with 8.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string_view>

#include "hgrid/mpi.hpp"

namespace {

template <class Grid, class... Ids>
long contacts_of(Grid grid, int steps, const std::vector<double>& x, const std::vector<double>& r, const Ids&... id) {
  auto pairs = grid.make_pairs();
  long contacts = 0;
  for (int step = 0; step < steps; ++step) {
    grid.build(x, r, id...);
    grid.pairs(pairs);
    contacts += static_cast<long>(pairs.size());
  }
  return contacts;
}

long run(std::string_view kind, int steps, double cuts) {
  constexpr std::size_t n = 50000;
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::vector<double> x(3 * n), r(n);
  std::vector<std::int64_t> id(n);
  double volume = 0;
  for (std::size_t i = 0; i < n; ++i) {
    id[i] = static_cast<std::int64_t>(i);
    r[i] = 1 / std::sqrt(1 - uniform(random) * (1 - 1e-4));  // a size ratio of 100, number density as r^-3
    volume += 4.18879020478639 * r[i] * r[i] * r[i];
  }
  const double length = std::cbrt(volume / 0.62);
  for (double& c : x) c = length * uniform(random);
  const double period = cuts * length;
  const auto box = hgrid::Box3::periodic({0, 0, 0}, {period, period, period});
  if (kind == "plain") return contacts_of(hgrid::Grid{hgrid::SerialExec{}, box}, steps, x, r);
  return contacts_of(hgrid::DistributedGrid{hgrid::SerialExec{}, box, MPI_COMM_WORLD}, steps, x, r, id);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  std::printf("%ld contacts\n",
              run(argc > 1 ? argv[1] : "ranks", argc > 2 ? std::atoi(argv[2]) : 3, argc > 3 ? std::atof(argv[3]) : 1));
  MPI_Finalize();
}
