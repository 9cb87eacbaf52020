// SPDX-License-Identifier: BSD-3-Clause
// Errors of one rank whose particles lie on a device.
#pragma once

#include <limits>

#include "ranks/on_device.hpp"
#include "support/packings.hpp"

namespace support {

/// The last rank errs, and all throw; particles and contacts are then as they were.
template <class Exec>
void expect_errors_of_devices(const Exec& exec) {
  using hgrid::ErrorCode;
  const int last = all_ranks() - 1;
  const bool errs = this_rank() == last;
  const oracle::System system = polydisperse(300, 3, true);
  const Share<double, 3> share = share_of<double, 3>(system, 2);
  DeviceShare<Exec, double, 3> there(exec, share);
  hgrid::DistributedGrid<Exec, 3> grid(exec, box_of<3>(system), MPI_COMM_WORLD);
  grid.rebalance(there.x, there.r);
  grid.build(there.x, there.r, there.id, {.skin = 0.01});
  const Contacts before = contacts_of_ranks(grid);
  const auto expect = [&](ErrorCode code, std::int64_t index, const auto& change, const auto& call) {
    Share<double, 3> wrong = share;
    if (errs) change(wrong);
    DeviceShare<Exec, double, 3> there_wrong(exec, wrong);
    const auto moved = there_wrong.id.on_host();
    ErrorCode thrown = ErrorCode::io;
    hgrid::Error::Detail detail;
    try {
      call(there_wrong);
    } catch (const hgrid::Error& e) {
      thrown = e.code(), detail = e.detail();
    }
    EXPECT_TRUE(everywhere(thrown == code && detail.index == (errs ? index : last)))
        << static_cast<int>(thrown) << ", " << detail.index;
    EXPECT_TRUE(everywhere(there_wrong.id.on_host() == moved));
    EXPECT_TRUE(everywhere(contacts_of_ranks(grid) == before));
  };
  const auto build = [&](auto& s) { grid.build(s.x, s.r, s.id, {.skin = 0.01}); };
  const auto migrate = [&](auto& s) { grid.migrate(s.x, s.r, s.id); };
  const auto not_a_number = [](auto& s) { s.x[3 * 7 + 1] = std::numeric_limits<double>::quiet_NaN(); };
  expect(ErrorCode::nonfinite, 7, not_a_number, build);
  expect(ErrorCode::nonfinite, 7, not_a_number, migrate);
  expect(ErrorCode::nonfinite, 7, not_a_number, [&](auto& s) { grid.rebalance(s.x, s.r); });
  const auto negative_id = [](auto& s) { s.id[5] = -3; };
  expect(ErrorCode::range_error, 5, negative_id, build);
  expect(ErrorCode::range_error, 5, negative_id, migrate);
  expect(
      ErrorCode::negative_radius, 2, [](auto& s) { s.r[2] = -1; }, build);
  expect(
      ErrorCode::size_mismatch, -1, [](auto& s) { s.id.pop_back(); }, build);
  const auto keep = [](auto&) {};
  expect(ErrorCode::size_mismatch, -1, keep, [&](auto& s) {
    hgrid::DeviceVector colour(exec, std::vector<int>(share.id.size() + (errs ? 1 : 0)));
    grid.migrate(s.x, s.r, s.id, colour);
  });
  expect(ErrorCode::invalid_argument, 2, keep, [&](auto&) {
    using Region = hgrid::Region<3>;
    std::vector<Region> regions(3, Region::point({0, 0, 0}));
    if (errs) regions[2].radius = -1;
    hgrid::GlobalNeighbours found;
    hgrid::DistributedQueries(grid).find(hgrid::DeviceVector(exec, regions), found);
  });
  {  // no other rank hears of it
    std::vector<hgrid::Region<3>> regions(3, hgrid::Region<3>::point({0, 0, 0}));
    if (errs) regions[2].radius = -1;
    const hgrid::DeviceVector asking(exec, regions);
    hgrid::DeviceVector notes(exec, std::vector<hgrid::detail::NeighbourRecord>(3 * system.particles.size()));
    hgrid::DeviceVector count(exec, std::vector<hgrid::offset_t>{0});
    int code = -1;
    try {
      hgrid::DistributedQueries(grid).for_each(asking, NoteVisits<Exec>{notes.data(), count.data()});
    } catch (const hgrid::Error& e) {
      code = static_cast<int>(e.code());
    }
    EXPECT_EQ(code, errs ? static_cast<int>(ErrorCode::invalid_argument) : -1);
  }
  for (const bool forward : {true, false}) {
    expect(ErrorCode::size_mismatch, -1, keep, [&](auto&) {
      hgrid::DeviceVector field(exec, std::vector<double>(static_cast<std::size_t>(3 * grid.held()) - (errs ? 1 : 0)));
      forward ? grid.update(hgrid::Field{field, 3}) : grid.add_back(hgrid::Field{field, 3});
      grid.check();
    });
  }
}

}  // namespace support
