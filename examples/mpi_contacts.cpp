// SPDX-License-Identifier: BSD-3-Clause
// A grid over ranks: forces between particles that are spread over all of them, and contacts of boxes. mpirun -n 4 mpi_contacts
#include <hgrid/mpi.hpp>

#include <atomic>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <random>
#include <vector>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int n = 100000 / ranks;
  constexpr double length = 100, stiffness = 1;
  std::mt19937 random(static_cast<unsigned>(rank));
  std::uniform_real_distribution<double> coordinate(0, length), radius(0.2, 2);
  std::vector<double> x(3 * n), r(n), v(3 * n);
  std::vector<std::int64_t> id(n);
  for (double& c : x) c = coordinate(random);
  for (double& a : r) a = radius(random);
  std::iota(id.begin(), id.end(), std::int64_t{n} * rank);

  double sum = 0, size = 0;
  {
    // [docs: ranks]
    auto box = hgrid::Box3::periodic({0, 0, 0}, {length, length, length});
    hgrid::DistributedGrid grid{hgrid::OpenMPExec{}, box, MPI_COMM_WORLD};
    grid.rebalance(x, r);                        // cuts space; rarely
    grid.migrate(x, r, id, hgrid::Field{v, 3});  // particles go where they lie, and their velocities with them
    grid.build(x, r, id, {.skin = 0.05});        // ghosts follow the owned particles, up to grid.held()
    std::vector<double> f;
    for (int step = 0; step < 10; ++step) {      // a time loop would move the particles, by half the skin at most
      f.assign(3 * static_cast<std::size_t>(grid.held()), 0);
      // Copies x from owners to their ghosts. Each contact is visited on one rank only.
      grid.update_and_visit(hgrid::Field{x, 3}, [&](hgrid::index_t i, hgrid::index_t j, hgrid::Image m) {
        const auto d = hgrid::separation(box, &x[3 * i], &x[3 * j], m);
        const double reach = grid.radii()[i] + grid.radii()[j], distance = std::hypot(d[0], d[1], d[2]);
        if (distance >= reach || distance == 0) return;
        for (int k = 0; k < 3; ++k) {
          const double force = stiffness * (reach - distance) * d[k] / distance;
          std::atomic_ref(f[3 * i + k]) += force;
          std::atomic_ref(f[3 * j + k]) -= force;
        }
      });
      grid.add_back(hgrid::Field{f, 3});         // adds the forces of ghosts to their owners'
    }
    // [docs: end]
    for (int i = 0; i < grid.owned(); ++i) sum += f[3 * i], size += std::fabs(f[3 * i]);
    std::printf("rank %d: %d particles and %d ghosts\n", rank, grid.owned(), grid.ghosts());
    // [docs: boxes]
    x.resize(3 * id.size());                     // without the entries of ghosts
    std::vector<double> half(x.size());          // half extents along x, y and z
    for (std::size_t k = 0; k < half.size(); ++k) half[k] = k % 3 == 0 ? r[k / 3] : 0.1;
    grid.build(x, hgrid::Field{half, 3}, id);    // boxes, on all ranks
    auto pairs = grid.make_pairs();
    grid.find(pairs);
    // [docs: end]
    std::printf("rank %d: %lld contacts of boxes that are as long along x, and %d ghosts\n", rank,
                static_cast<long long>(pairs.size()), grid.ghosts());
    // [docs: labels]
    std::vector<hgrid::index_t> group(id.size(), -1);        // no clumps yet
    std::vector<std::int64_t> bonded(2 * id.size(), -1);     // global ids of up to two bonded particles each
    for (std::size_t i = 0; i < id.size(); ++i) bonded[2 * i] = id[i] + 1;  // a chain; one side of a bond is enough
    grid.migrate(x, r, id, group, hgrid::Field{bonded, 2});
    grid.build(x, r, id, {}, {.groups = &group, .partners = &bonded, .partners_each = 2});
    // [docs: end]
    grid.find(pairs);
    for (hgrid::offset_t k = 0; k < pairs.size(); ++k) {
      const auto i = grid.ids()[pairs.pairs()[k].i], j = grid.ids()[pairs.pairs()[k].j];
      if (i - j == 1 || j - i == 1) MPI_Abort(MPI_COMM_WORLD, 1);  // a bond
    }
  }
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, &size, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) std::printf("forces of %.3g along x, whose sum is %.1e\n", size, sum);
  MPI_Finalize();
  return std::fabs(sum) < 1e-9 * size ? 0 : 1;
}
