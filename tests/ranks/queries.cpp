// SPDX-License-Identifier: BSD-3-Clause
// Errors of regions on ranks, and a particle on a face; tests/ranks/random_systems.cpp has other regions that work.
#include "ranks/shared_system.hpp"
#include "support/gas.hpp"

namespace {

using hgrid::ErrorCode;
using Grid = hgrid::DistributedGrid<hgrid::SerialExec, 3>;
using Region = hgrid::Region<3>;

TEST(QueriesOnRanks, ErrorsOfOneRankAreThrownByAll) {
  const oracle::System system = support::polydisperse(500, 3, true);
  const auto share = support::share_of<double, 3>(system, 2);
  Grid grid(hgrid::SerialExec{}, support::box_of<3>(system), MPI_COMM_WORLD);
  hgrid::DistributedQueries queries(grid);
  hgrid::GlobalNeighbours found;
  const int last = support::all_ranks() - 1;
  const bool errs = support::this_rank() == last;
  std::vector<Region> regions(3, Region::point({0, 0, 0}));
  const auto expect = [&](ErrorCode code, std::int64_t index) {
    const auto detail = support::expect_error(code, [&] { queries.find(regions, found); });
    EXPECT_TRUE(support::everywhere(errs || index < 0 ? detail.index == index : detail.index == last)) << detail.index;
  };
  expect(ErrorCode::not_built, -1);
  grid.rebalance(share.x, share.r);
  grid.build(share.x, share.r, share.id);
  if (errs) regions[2] = Region::box({0, 1, 0}, {1, 0, 1});
  expect(ErrorCode::invalid_argument, 2);
  if (errs) regions[2] = Region::sphere({0, 0, 0}, -1);
  expect(ErrorCode::invalid_argument, 2);

  // The grid and the object are as before.
  if (errs) regions[2] = regions[0];
  queries.find(regions, found);
  EXPECT_TRUE(support::everywhere(found.offsets.size() == 4 && found.offsets[1] == found.offsets[3] - found.offsets[2]));
}

// Seven periods hold the region and the particles of its own rank, but not the largest particle, which only other ranks know.
TEST(QueriesOnRanks, ARegionThatIsTooWideForAParticleOfOthersIsNamed) {
  const int last = support::all_ranks() - 1, rank = support::this_rank();
  const auto box = hgrid::Box3::periodic({0, 0, 0}, {10, 10, 10});
  support::Random random(4 + static_cast<std::uint64_t>(rank));
  support::Share<double, 3> share;
  for (int k = 0; k < 200; ++k)
    share.add({.x = {random.real(0, 10), random.real(0, 10), random.real(0, 10)}, .radius = 0.1}, 1000 * rank + k);
  Grid grid(hgrid::SerialExec{}, box, MPI_COMM_WORLD);
  grid.rebalance(share.x, share.r);
  if (rank == last) {
    oracle::Particle large{.radius = 1};
    for (int k = 0; k < 3; ++k) large.x[k] = 0.5 * (grid.boxes().back().lo[k] + grid.boxes().back().hi[k]);
    share.add(large, 999);
  }
  grid.migrate(share.x, share.r, share.id);
  grid.build(share.x, share.r, share.id);
  hgrid::DistributedQueries queries(grid);
  hgrid::GlobalNeighbours found;
  std::vector<Region> regions;
  if (rank == 0) regions = {Region::point({1, 1, 1}), Region::box({0, 1, 1}, {69, 1.1, 1.1})};
  const auto detail = support::expect_error(ErrorCode::box_too_small, [&] { queries.find(regions, found); });
  EXPECT_TRUE(support::everywhere(detail.argument == (rank == 0 ? "regions" : "rank") && detail.index == (rank == 0 ? 1 : 0)))
      << detail.argument << " " << detail.index;
  queries.find(regions, found, hgrid::Take::centres);  // radii do not count in them
}

// A particle and the corner of a region are both wrapped onto the face that they lie just below.
TEST(QueriesOnRanks, ARegionFindsAParticleJustBelowAFace) {
  const double below = -7e-18;
  support::Share<double, 3> share;
  share.add({.x = {support::this_rank() == 0 ? below : 0.1 * support::this_rank(), 0.5, 0.5}}, support::this_rank());
  Grid grid(hgrid::SerialExec{}, hgrid::Box3::periodic({0, 0, 0}, {1, 1, 1}), MPI_COMM_WORLD);
  grid.rebalance(share.x, share.r), grid.migrate(share.x, share.r, share.id), grid.build(share.x, share.r, share.id);
  hgrid::DistributedQueries queries(grid);
  hgrid::GlobalNeighbours found;
  queries.find({Region::box({below, 0.4, 0.4}, {0.05, 0.6, 0.6})}, found);
  EXPECT_TRUE(support::everywhere(found.ids == std::vector<std::int64_t>{0}));
}

}  // namespace
