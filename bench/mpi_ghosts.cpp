// SPDX-License-Identifier: BSD-3-Clause
// Counts the ghosts of a distributed grid, compares them with the formula that predicts them, and reports how even the ranks
// are:
// mpirun -n 8 mpi_ghosts PARTICLES SIZE_RATIO [SKIN]     (particles of all ranks; the skin in smallest radii)
// Rank 0 prints one line of JSON. Particles lie anywhere in a periodic cube, their radii fall off as r^-3 from 1 up to the
// ratio, and spheres fill 0.62 of the volume.
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>

#include "hgrid/mpi.hpp"

namespace {

using Grid = hgrid::DistributedGrid<hgrid::SerialExec, 3>;

double all_of(double value, MPI_Op op) {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, op, MPI_COMM_WORLD);
  return value;
}

/// Returns the volume within a sphere's reach of a box, without the box, by the moments <s>, <s^2> and <s^3> of the reaches. An
/// axis without cuts has no faces.
double volume_around(const hgrid::RankBox<3>& box, double length, const std::array<double, 4>& moment) {
  double edge[3], volume = 1;
  for (int k = 0; k < 3; ++k) volume *= edge[k] = box.hi[k] - box.lo[k];
  bool cut[3];
  for (int k = 0; k < 3; ++k) cut[k] = edge[k] < length;
  double around = cut[0] && cut[1] && cut[2] ? 4.18879020478639 * moment[3] : 0;
  for (int k = 0; k < 3; ++k) {
    const int a = (k + 1) % 3, b = (k + 2) % 3;
    if (cut[k]) around += 2 * volume / edge[k] * moment[1];
    if (cut[a] && cut[b]) around += 3.14159265358979 * edge[k] * moment[2];
  }
  return around;
}

void measure(double particles, double ratio, double skin) {
  int rank = 0, ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const auto n = static_cast<std::size_t>(particles / ranks);
  std::mt19937_64 random(static_cast<unsigned>(rank + 1));
  std::uniform_real_distribution<double> uniform(0, 1);
  std::vector<double> x(3 * n), r(n);
  std::vector<std::int64_t> id(n);
  std::array<double, 4> moment{};
  double volume = 0;
  for (std::size_t i = 0; i < n; ++i) {
    id[i] = static_cast<std::int64_t>(i) * ranks + rank;
    r[i] = 1 / std::sqrt(1 - uniform(random) * (1 - 1 / (ratio * ratio)));
    volume += 4.18879020478639 * r[i] * r[i] * r[i];
    for (int p = 0; p < 4; ++p) moment[static_cast<std::size_t>(p)] += std::pow(r[i] + 0.5 * skin, p);
  }
  const double length = std::cbrt(all_of(volume, MPI_SUM) / 0.62), count = all_of(static_cast<double>(n), MPI_SUM);
  for (double& m : moment) m = all_of(m, MPI_SUM) / count;
  for (double& c : x) c = length * uniform(random);

  Grid grid(hgrid::SerialExec{}, hgrid::Box3::periodic({0, 0, 0}, {length, length, length}), MPI_COMM_WORLD);
  grid.rebalance(x, r);
  grid.migrate(x, r, id);
  grid.build(x, r, id, {.skin = skin});
  auto pairs = grid.make_pairs();
  grid.find(pairs);
  double reckoned = 0;
  for (const auto& box : grid.boxes()) reckoned += volume_around(box, length, moment) * count / std::pow(length, 3);
  const double ghosts = all_of(grid.ghosts(), MPI_SUM), contacts = all_of(static_cast<double>(pairs.size()), MPI_SUM);
  const double most_owned = all_of(grid.owned(), MPI_MAX), most_ghosts = all_of(grid.ghosts(), MPI_MAX);
  const double bytes = all_of(static_cast<double>(grid.local().bytes()), MPI_SUM);
  std::vector<int> heard(static_cast<std::size_t>(ranks));
  for (hgrid::index_t k = grid.owned(); k < grid.held(); ++k) heard[static_cast<std::size_t>(grid.owner(k))] = 1;
  double neighbours = 0;
  for (const int one : heard) neighbours += one;
  neighbours = all_of(neighbours, MPI_MAX);
  if (rank == 0) {
    std::printf(
        "{\"particles\": %.0f, \"ranks\": %d, \"ratio\": %g, \"skin\": %g, \"edge\": %.6g, \"contacts\": %.0f, "
        "\"ghosts_per_particle\": %.6g, \"law_per_particle\": %.6g, \"owned_imbalance\": %.4f, "
        "\"most_ghosts\": %.0f, \"neighbours\": %.0f, \"local_bytes\": %.0f}\n",
        count, ranks, ratio, skin, length / std::cbrt(ranks), contacts, ghosts / count, reckoned / count,
        most_owned * ranks / count, most_ghosts, neighbours, bytes / count);
  }
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  measure(argc > 1 ? std::atof(argv[1]) : 1e5, argc > 2 ? std::atof(argv[2]) : 100, argc > 3 ? std::atof(argv[3]) : 0);
  MPI_Finalize();
}
