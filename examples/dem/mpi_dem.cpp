// SPDX-License-Identifier: BSD-3-Clause
// The DEM on ranks: mpirun -n 4 mpi_dem case=settling dimension=3 skin=0.2 rebalance=500. Its report is equal on any number of
// them.
#include <cstdio>
#include <exception>

#include "cases.hpp"
#include "ranks.hpp"

namespace dem {

template <int D>
void run_on_ranks(const Options& options, int rank, int ranks) {
  const Start<D> start = start_of<D>(options);
  RanksSimulation<D> simulation(start.world, {.skin = options.number("skin")}, start.bonds);
  for (std::size_t i = static_cast<std::size_t>(rank); i < start.x.size(); i += static_cast<std::size_t>(ranks)) {
    simulation.add(start.x[i], start.v[i], start.radius[i], start.mass[i], static_cast<std::int64_t>(i));
  }
  const auto steps = static_cast<offset_t>(options.number("steps")), every = static_cast<offset_t>(options.number("report"));
  const auto rebalance = static_cast<offset_t>(options.number("rebalance"));
  if (rank == 0) std::printf("step,time,kinetic,contacts,pairs,places\n");
  for (offset_t step = 0; step <= steps; ++step) {
    if (step == 0 || (rebalance > 0 && step % rebalance == 0)) simulation.rebalance();
    if (step == 0) simulation.join(), simulation.sum_forces();
    if (step % every == 0) {
      const State s = simulation.state().of_all();
      if (rank == 0) {
        std::printf("%lld,%.6g,%.9g,%lld,%016llx,%016llx\n", static_cast<long long>(step),
                    static_cast<double>(step) * start.world.dt, as_real(s.kinetic), static_cast<long long>(s.contacts),
                    static_cast<unsigned long long>(s.pairs), static_cast<unsigned long long>(s.places));
      }
    }
    if (step % every == 0 && !options.text("frames").empty()) {
      simulation.write(options.text("frames") + "/frame" + std::to_string(step) + "." + std::to_string(rank) + ".csv");
    }
    simulation.step();
  }
  std::fprintf(stderr, "rank %d: %d particles and %d ghosts, %lld contacts of the list, %lld builds\n", rank,
               simulation.grid().owned(), simulation.grid().ghosts(), static_cast<long long>(simulation.list().size()),
               static_cast<long long>(simulation.list().counters().builds));
}

}  // namespace dem

int main(int argc, char* argv[]) {
  int rank = 0, ranks = 1, failed = 0, available = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &available);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  try {
    const dem::Options options(argc, argv);
    options.refuse({"attraction", "insert"}, "not on ranks");
    options.is("dimension", "2") ? dem::run_on_ranks<2>(options, rank, ranks) : dem::run_on_ranks<3>(options, rank, ranks);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "mpi_dem: rank %d: %s\n", rank, e.what());
    failed = 1;
  }
  MPI_Finalize();
  return failed;
}
