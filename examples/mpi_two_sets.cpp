// SPDX-License-Identifier: BSD-3-Clause
// Contacts between two sets on ranks: grains, and a floor of particles that any rank owns. mpirun -n 4 mpi_two_sets
#include <hgrid/mpi.hpp>

#include <atomic>
#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  constexpr int length = 40, all_grains = 4000;
  std::vector<double> x, r, wall, wall_r;
  std::vector<std::int64_t> id, wall_id;
  std::mt19937 random(1);  // equal on all ranks, which take the grains in turn
  std::uniform_real_distribution<double> coordinate(0, length), radius(0.3, 1);
  for (int i = 0; i < all_grains; ++i) {
    const double place[] = {coordinate(random), coordinate(random), 0.1 * coordinate(random)}, size = radius(random);
    if (i % ranks == rank) x.insert(x.end(), place, place + 3), r.push_back(size), id.push_back(i);
  }
  for (int i = rank; i < length * length; i += ranks) {
    wall.insert(wall.end(), {i % length + 0.5, i / length + 0.5, 0.0}), wall_r.push_back(0.5), wall_id.push_back(i);
  }

  double force[2] = {}, touching = 0;
  {
    const auto box = hgrid::Box3::periodic({0, 0, 0}, {length, length, 1}, {true, true, false});
    // [docs: sets]
    hgrid::DistributedGrid grains{hgrid::OpenMPExec{}, box, MPI_COMM_WORLD}, floor{hgrid::OpenMPExec{}, box, MPI_COMM_WORLD};
    grains.rebalance(x, r);
    grains.migrate(x, r, id);
    grains.build(x, r, id, {.skin = 0.1});           // at each step, or when its list is stale
    floor.take_cuts(grains);                         // its particles stay on the ranks that own them
    floor.build(wall, wall_r, wall_id);              // once, or when space is cut again
    hgrid::DistributedQueries queries{floor};
    std::vector<double> f(static_cast<std::size_t>(grains.held())), g(static_cast<std::size_t>(floor.held()));
    queries.for_each(grains, [&](hgrid::index_t i, hgrid::index_t j, hgrid::Image m) {  // on one rank only
      const auto d = hgrid::separation(box, &grains.positions()[3 * i], &floor.positions()[3 * j], m);
      const double overlap = grains.radii()[i] + floor.radii()[j] - std::hypot(d[0], d[1], d[2]);
      if (overlap <= 0) return;                      // within the skin
      std::atomic_ref(f[i]) += overlap;
      std::atomic_ref(g[j]) -= overlap;
    });
    grains.add_back(f), floor.add_back(g);           // adds the forces of ghosts to their owners'
    hgrid::GlobalNeighbours found;
    queries.find(grains, found);                     // list i: particles that touch grain i of this rank, by global ids
    // [docs: end]
    for (int i = 0; i < grains.owned(); ++i) force[0] += f[i];
    for (int j = 0; j < floor.owned(); ++j) force[1] += g[j];
    touching = static_cast<double>(found.ids.size());
    std::printf("rank %d: %d grains and %d ghosts, %d particles of the floor and %d ghosts\n", rank, grains.owned(),
                grains.ghosts(), floor.owned(), floor.ghosts());
  }
  MPI_Allreduce(MPI_IN_PLACE, force, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, &touching, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) std::printf("%.0f contacts with the floor, forces of %.6g and %.6g\n", touching, force[0], force[1]);
  MPI_Finalize();
  return touching > 0 && std::fabs(force[0] + force[1]) < 1e-9 * force[0] ? 0 : 1;
}
