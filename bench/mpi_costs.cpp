// SPDX-License-Identifier: BSD-3-Clause
// The cost of ranks without other ranks: mpi_costs KIND STEPS [CUTS [BEGIN]]
//   plain   a Grid of 50,000 particles in a periodic box; with CUTS they fill 1 / CUTS of each axis, as a rank's do,
//           from BEGIN of the period on: at -0.05 they lie at both ends of each axis
//   ranks   a DistributedGrid of them on one rank
//   list, ranks_list   builds of their list in a time loop, and values of 24 bytes for each pair that follow
//   step, ranks_step   steps in which that list stands
// Instructions of a step are the difference of two runs: valgrind --tool=callgrind mpi_costs ranks 3, and again with 8.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string_view>

#include "hgrid/loop.hpp"
#include "hgrid/mpi.hpp"

namespace {

template <class Grid, class... Ids>
long contacts_of(Grid grid, int steps, const std::vector<double>& x, const std::vector<double>& r, const Ids&... id) {
  auto pairs = grid.make_pairs();
  long contacts = 0;
  for (int step = 0; step < steps; ++step) {
    grid.build(x, r, id...);
    grid.find(pairs);
    contacts += static_cast<long>(pairs.size());
  }
  return contacts;
}

using Spring = hgrid::Vec<double, 3>;
constexpr hgrid::VerletOptions loop{.skin = 0.1};

long contacts_of_loop(hgrid::Grid<hgrid::SerialExec, 3> grid, int steps, bool builds, const std::vector<double>& x,
                      const std::vector<double>& r) {
  hgrid::VerletList list(grid, loop);
  hgrid::PairArray<hgrid::SerialExec, Spring> springs(grid.exec());
  const auto particles = hgrid::particles<3>(x.data(), r.data(), static_cast<std::int64_t>(r.size()));
  for (int step = 0; step < steps; ++step) {
    builds ? list.build(particles, springs) : void(list.update(particles, springs));
  }
  return static_cast<long>(list.neighbours().size());
}

long contacts_of_loop(hgrid::DistributedGrid<hgrid::SerialExec, 3> grid, int steps, bool builds, std::vector<double> x,
                      std::vector<double> r, std::vector<std::int64_t> id) {
  hgrid::DistributedVerletList list(grid, loop);
  hgrid::DistributedPairArray<Spring> springs;
  for (int step = 0; step < steps; ++step) builds ? list.build(x, r, id, springs) : void(list.update(x, r, id, springs));
  return static_cast<long>(list.size());
}

long run(std::string_view kind, int steps, double cuts, double begin) {
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
  const double period = cuts * length;
  for (double& c : x) {
    c = length * uniform(random) + begin * period;
    if (c < 0) c += period;
  }
  const auto box = hgrid::Box3::periodic({0, 0, 0}, {period, period, period});
  if (kind == "plain") return contacts_of(hgrid::Grid{hgrid::SerialExec{}, box}, steps, x, r);
  const bool builds = kind.ends_with("list"), ranks = kind.starts_with("ranks");
  if (kind != "ranks" && !ranks) return contacts_of_loop(hgrid::Grid{hgrid::SerialExec{}, box}, steps, builds, x, r);
  if (kind != "ranks") {
    return contacts_of_loop(hgrid::DistributedGrid{hgrid::SerialExec{}, box, MPI_COMM_WORLD}, steps, builds, x, r, id);
  }
  return contacts_of(hgrid::DistributedGrid{hgrid::SerialExec{}, box, MPI_COMM_WORLD}, steps, x, r, id);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const auto number = [&](int at, double otherwise) { return argc > at ? std::atof(argv[at]) : otherwise; };
  std::printf("%ld contacts\n", run(argc > 1 ? argv[1] : "ranks", static_cast<int>(number(2, 3)), number(3, 1), number(4, 0)));
  MPI_Finalize();
}
