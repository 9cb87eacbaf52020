// SPDX-License-Identifier: BSD-3-Clause
// Counts the ghosts of a distributed grid, compares them with the formula that predicts them, and reports how even the ranks
// are:
// mpirun -n 8 mpi_ghosts PARTICLES SIZE_RATIO [SKIN [TILT]]     (particles of all ranks; the skin in smallest radii)
// Rank 0 prints one line of JSON. Particles lie anywhere in a periodic cube, their radii fall off as r^-3 from 1 up to the
// ratio, and spheres fill 0.62 of the volume. All tilts of the box are TILT periods.
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

/// Returns the share of a box's face across an axis behind which other ranks begin. If the axis has no cuts, the box itself, or
/// an image of it that is shifted by tilts, is behind the face.
double share_of_others(const hgrid::RankBox<3>& of_rank, const hgrid::Box3& box, int axis) {
  if (of_rank.hi[axis] - of_rank.lo[axis] < box.length(axis)) return 1;
  double own = 0;
  for (int m = 0; m < 25; ++m) {
    hgrid::Image image{{m % 5 - 2, m / 5 - 2, 0}};
    if (axis < 2 && image[1] != 0) continue;
    if (axis == 0 && image[0] != 0) continue;
    image[axis] = 1;
    const auto by = hgrid::detail::shift_of(box, image);
    double common = 1;
    for (int k = 0; k < axis; ++k) common *= std::fmax(0, 1 - std::fabs(by[k]) / (of_rank.hi[k] - of_rank.lo[k]));
    own += common;
  }
  return 1 - own;
}

/// Returns the volume within a sphere's reach of a box that belongs to other ranks, by the moments <s>, <s^2> and <s^3> of the
/// reaches.
double volume_around(const hgrid::RankBox<3>& of_rank, const hgrid::Box3& box, const std::array<double, 4>& moment) {
  double edge[3], share[3], volume = 1;
  for (int k = 0; k < 3; ++k) {
    volume *= edge[k] = of_rank.hi[k] - of_rank.lo[k];
    share[k] = share_of_others(of_rank, box, k);
  }
  double around = share[0] * share[1] * share[2] * 4.18879020478639 * moment[3];
  for (int k = 0; k < 3; ++k) {
    around += 2 * volume / edge[k] * moment[1] * share[k];
    around += 3.14159265358979 * edge[k] * moment[2] * share[(k + 1) % 3] * share[(k + 2) % 3];
  }
  return around;
}

void measure(double particles, double ratio, double skin, double tilt) {
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

  const double by = tilt * length;
  const auto box = hgrid::tilted(hgrid::Box3::periodic({0, 0, 0}, {length, length, length}), {by, by, by});
  Grid grid(hgrid::SerialExec{}, box, MPI_COMM_WORLD);
  grid.rebalance(x, r);
  grid.migrate(x, r, id);
  grid.build(x, r, id, {.skin = skin});
  auto pairs = grid.make_pairs();
  grid.find(pairs);
  double reckoned = 0;
  for (const auto& of_rank : grid.boxes()) reckoned += volume_around(of_rank, box, moment) * count / std::pow(length, 3);
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
        "{\"particles\": %.0f, \"ranks\": %d, \"ratio\": %g, \"skin\": %g, \"tilt\": %g, \"edge\": %.6g, \"contacts\": %.0f, "
        "\"ghosts_per_particle\": %.6g, \"law_per_particle\": %.6g, \"owned_imbalance\": %.4f, "
        "\"most_ghosts\": %.0f, \"neighbours\": %.0f, \"local_bytes\": %.0f}\n",
        count, ranks, ratio, skin, tilt, length / std::cbrt(ranks), contacts, ghosts / count, reckoned / count,
        most_owned * ranks / count, most_ghosts, neighbours, bytes / count);
  }
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const auto number = [&](int at, double otherwise) { return argc > at ? std::atof(argv[at]) : otherwise; };
  measure(number(1, 1e5), number(2, 100), number(3, 0), number(4, 0));
  MPI_Finalize();
}
