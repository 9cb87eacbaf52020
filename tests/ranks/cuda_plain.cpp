// SPDX-License-Identifier: BSD-3-Clause
// Ranks on CUDA devices in a file that no CUDA compiler sees: everything but functors.
#include "hgrid/cuda.hpp"
#include "ranks/on_device.hpp"
#include "support/cuda_case.hpp"
#include "support/packings.hpp"

namespace {

TEST(RanksOnCuda, NeedNoCudaCompilerForLists) {
  HGRID_NEEDS_DEVICE();
  const hgrid::CudaExec exec;
  const oracle::System system = support::polydisperse(200, 3, true);
  const auto share = support::share_of<float, 3>(system, 2);
  support::DeviceShare<hgrid::CudaExec, float, 3> there(exec, share);
  hgrid::DistributedGrid<hgrid::CudaExec, 3> grid(exec, support::box_of<3>(system), MPI_COMM_WORLD);
  for (int cuts = 0; cuts < 2; ++cuts) {  // by particles, then by work, too
    grid.rebalance(there.x, there.r);
    grid.migrate(there.x, there.r, there.id);
    grid.build(there.x, there.r, there.id);
  }
  const auto contacts = support::contacts_of_ranks(grid);
  EXPECT_TRUE(support::everywhere(contacts.size() > 100));

  // Ones of ghosts come back to particles: to as many as there are ghosts.
  hgrid::DeviceVector<hgrid::CudaExec, double> ones(exec);
  ones.assign(static_cast<std::size_t>(grid.owned()), 0);
  grid.update(ones);
  ones.assign(static_cast<std::size_t>(grid.held()), 1);
  grid.add_back(ones);
  double came = 0, ghosts = grid.ghosts();
  const std::vector<double> sums = ones.on_host();
  for (int k = 0; k < grid.owned(); ++k) came += sums[static_cast<std::size_t>(k)] - 1;
  MPI_Allreduce(MPI_IN_PLACE, &came, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, &ghosts, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  EXPECT_EQ(came, ghosts);
}

struct Flags {
  char of_pair[3];
};

// Kernels for all of these are in the library.
TEST(RanksOnCuda, NeedNoCudaCompilerForLoopsAndRegions) {
  HGRID_NEEDS_DEVICE();
  const hgrid::CudaExec exec;
  const oracle::System system = support::polydisperse(100, 3, true);
  const auto expect_all = [&](auto real) {
    using Real = decltype(real);
    const auto share = support::share_of<Real, 3>(system, 2);
    support::DeviceShare<hgrid::CudaExec, Real, 3> there(exec, share);
    hgrid::DistributedGrid<hgrid::CudaExec, 3> grid(exec, support::box_of<3>(system), MPI_COMM_WORLD);
    hgrid::DistributedVerletList list(grid, {.skin = 0.01});
    hgrid::DistributedPairArray<double, hgrid::CudaExec> springs(exec);
    hgrid::DistributedPairArray<Flags, hgrid::CudaExec> flags(exec);
    for (int cuts = 0; cuts < 2; ++cuts) list.rebalance(there.x, there.r, there.id, springs, flags);
    EXPECT_FALSE(list.update(there.x, there.r, there.id, springs, flags));
    EXPECT_EQ(springs.size(), list.size());
    EXPECT_EQ(flags.size(), list.size());

    hgrid::GlobalNeighbours neighbours, found;
    grid.find(neighbours);
    const hgrid::Box3 box = grid.box();
    const std::vector all{hgrid::Region<3>::box(box.lo, box.hi)};
    hgrid::DistributedQueries(grid).find(hgrid::DeviceVector(exec, all), found);
    EXPECT_EQ(neighbours.offsets.size(), static_cast<std::size_t>(grid.owned()) + 1);
    EXPECT_GE(found.ids.size(), 100u);  // ids of all ranks
    hgrid::DistributedQueries(grid).find(grid, found);
    EXPECT_EQ(found.ids.size(), neighbours.ids.size() + static_cast<std::size_t>(grid.owned()));  // and each itself
  };
  expect_all(0.0f), expect_all(0.0);
}

}  // namespace
