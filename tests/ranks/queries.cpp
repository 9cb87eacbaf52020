// SPDX-License-Identifier: BSD-3-Clause
// What goes wrong with regions on ranks; tests/ranks/random_systems.cpp has what goes right.
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

}  // namespace
