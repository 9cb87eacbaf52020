// SPDX-License-Identifier: BSD-3-Clause
// How even ranks are: mpirun -n 8 mpi_balance SYSTEM PARTICLES [SEED]
//   mono, power  spheres anywhere in a periodic cube that they fill to 0.62, of one size or with radii as r^-3 up to 100
//   clusters     of one size in 20 clusters, open
//   dense        half of them dense in a corner that takes a thousandth of the volume, the others a dilute gas, periodic
//   random       sizes, clusters and a gas by the seed
// Rank 0 prints a line of JSON for the cuts by particles, and after each of five more by the work that was counted: the most of
// a rank over the mean, of own particles, of held ones, and of the nanoseconds of a build and search by the shipped costs;
// these nanoseconds of the rank that has most, for each particle of the mean; and the share of particles that the cuts made
// migrate.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "hgrid/mpi.hpp"

namespace {

using Grid = hgrid::DistributedGrid<hgrid::SerialExec, 3>;

struct System {
  std::vector<double> x, r;
  std::vector<std::int64_t> id;
  hgrid::Box3 box;
};

/// The part of a system that this rank generates; all ranks draw all particles, so that the system does not depend on their
/// number.
class Generator {
 public:
  Generator(std::uint64_t seed, int rank, int ranks) : random_(seed), rank_(rank), ranks_(ranks) {}

  System make(const std::string& kind, long n) {
    if (kind == "mono") return everywhere(n, 1);
    if (kind == "power") return everywhere(n, 100);
    if (kind == "clusters") return clusters(n, 20, 1, 0);
    if (kind == "dense") return dense(n);
    const double ratio = std::pow(10, 2 * uniform());
    const int number = 1 + static_cast<int>(30 * uniform());
    return clusters(n, number, ratio, 0.9 * uniform());
  }

 private:
  double uniform() { return std::uniform_real_distribution<double>(0, 1)(random_); }
  double radius(double ratio) { return 1 / std::sqrt(1 - uniform() * (1 - 1 / (ratio * ratio))); }

  void add(System& s, long i, const double* x, double r) const {
    if (i % ranks_ != rank_) return;
    s.x.insert(s.x.end(), x, x + 3), s.r.push_back(r), s.id.push_back(i);
  }

  // The side of a cube that spheres fill to a fraction.
  static double side(double volume, double fraction) { return std::cbrt(4.18879020478639 * volume / fraction); }

  std::vector<double> radii(long n, double ratio, double& volume) {
    std::vector<double> r(static_cast<std::size_t>(n));
    for (double& one : r) one = radius(ratio), volume += one * one * one;
    return r;
  }

  System everywhere(long n, double ratio) {
    System s;
    double volume = 0;
    const std::vector<double> r = radii(n, ratio, volume);
    const double length = side(volume, 0.62);
    for (long i = 0; i < n; ++i) {
      const double x[] = {length * uniform(), length * uniform(), length * uniform()};
      add(s, i, x, r[static_cast<std::size_t>(i)]);
    }
    s.box = hgrid::Box3::periodic({0, 0, 0}, {length, length, length});
    return s;
  }

  // A share of the particles is a gas around the clusters, which are as dense as a packing.
  System clusters(long n, int number, double ratio, double gas) {
    System s;
    double volume = 0;
    const std::vector<double> r = radii(n, ratio, volume);
    const double width = side(volume * (1 - gas) / number, 0.62), length = 10 * width;
    std::vector<double> place(3 * static_cast<std::size_t>(number));
    for (double& at : place) at = (length - width) * uniform();
    for (long i = 0; i < n; ++i) {
      const bool alone = uniform() < gas;
      const auto cluster = static_cast<std::size_t>(number * uniform());
      double x[3];
      for (std::size_t k = 0; k < 3; ++k) x[k] = alone ? length * uniform() : place[3 * cluster + k] + width * uniform();
      add(s, i, x, r[static_cast<std::size_t>(i)]);
    }
    s.box = hgrid::Box3::open();
    return s;
  }

  System dense(long n) {
    System s;
    const double width = side(0.5 * static_cast<double>(n), 0.62), length = 10 * width;
    for (long i = 0; i < n; ++i) {
      const double within = i % 2 == 0 ? width : length, x[] = {within * uniform(), within * uniform(), within * uniform()};
      add(s, i, x, 1);
    }
    s.box = hgrid::Box3::periodic({0, 0, 0}, {length, length, length});
    return s;
  }

  std::mt19937_64 random_;
  int rank_, ranks_;
};

struct Spread {
  double most, mean;
  double imbalance() const { return most / mean; }
};

Spread spread(double value) {
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  double most = value, sum = value;
  MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return {most, sum / ranks};
}

double cost_of(const Grid& grid) {
  const auto view = grid.local().view();
  const hgrid::detail::CountedCost<3> cost_of_slot(view, grid.local().plan(), view.slots());
  double cost = 0;
  for (hgrid::index_t slot = 0; slot < view.slots(); ++slot) cost += cost_of_slot(slot);
  return cost;
}

/// How many of the ids are new.
double come(std::vector<std::int64_t> before, std::vector<std::int64_t> now) {
  std::ranges::sort(before), std::ranges::sort(now);
  std::vector<std::int64_t> fresh;
  std::ranges::set_difference(now, before, std::back_inserter(fresh));
  return static_cast<double>(fresh.size());
}

void measure(const std::string& kind, long particles, std::uint64_t seed) {
  int rank = 0, ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  System s = Generator(seed, rank, ranks).make(kind, particles);
  Grid grid(hgrid::SerialExec{}, s.box, MPI_COMM_WORLD);
  for (int cuts = 1; cuts <= 6; ++cuts) {
    const std::vector<std::int64_t> before = s.id;
    grid.rebalance(s.x, s.r);
    grid.migrate(s.x, s.r, s.id);
    grid.build(s.x, s.r, s.id);
    const Spread owned = spread(grid.owned()), held = spread(grid.held()), cost = spread(cost_of(grid));
    const Spread moved = spread(come(before, s.id));
    if (rank != 0) continue;
    std::printf(
        "{\"system\": \"%s\", \"particles\": %ld, \"seed\": %lu, \"ranks\": %d, \"cuts\": %d, \"owned\": %.3f, "
        "\"held\": %.3f, \"cost\": %.3f, \"most\": %.1f, \"moved\": %.3f}\n",
        kind.c_str(), particles, static_cast<unsigned long>(seed), ranks, cuts, owned.imbalance(), held.imbalance(),
        cost.imbalance(), cost.most / owned.mean, moved.mean / owned.mean);
  }
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  measure(argc > 1 ? argv[1] : "mono", argc > 2 ? std::atol(argv[2]) : 100000,
          argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 1);
  MPI_Finalize();
}
