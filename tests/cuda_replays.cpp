// SPDX-License-Identifier: BSD-3-Clause
// Graphs that are replayed after a newer graph of their grid and lists was captured, or after the host has built the grid.
#include <algorithm>
#include <memory>

#include "hgrid/queries.hpp"
#include "support/captured_builds.hpp"

namespace {

using hgrid::ErrorCode;
using hgrid::index_t;
using hgrid::Order;
using support::CapturedGraph;
using support::expect_error;
using support::host_pairs;
using support::System;
using support::view_of;

System stretched(System s, double by) {
  for (double& x : s.x) x *= by;
  return s;
}

class CudaReplays : public support::CapturedBuilds {
 protected:
  void enqueue_lists() {
    grid->build(there->view());
    grid->enqueue(*list, {.order = Order::sorted});
    grid->enqueue(*half);
  }
  void expect_lists_of(const System& s, const char* when) {
    grid->wait(*list), grid->wait(*half);
    EXPECT_EQ(as_read(*list), host_pairs(s)) << when;
    EXPECT_EQ(support::as_listed(*exec, *half), support::as_listed(*exec, *list)) << when;
  }
  void SetUp() override {
    support::CapturedBuilds::SetUp();
    if (IsSkipped()) return;
    half.emplace(grid->make_list(hgrid::ListKind::half));
    grid->find(*half);
    grid->find(*list, {.order = Order::sorted});
  }
  void TearDown() override {
    half.reset();
    support::CapturedBuilds::TearDown();
  }

  std::optional<hgrid::NeighbourList<hgrid::CudaExec>> half;
};

// An older graph builds the grid, but writes to the memory that its lists had.
TEST_F(CudaReplays, ListsAreOfTheGridAsItIs) {
  const System closer = stretched(small, 0.7), other = stretched(small, 0.995);
  const CapturedGraph older(stream, [&] { enqueue_lists(); });
  older.replay();
  expect_lists_of(small, "the one graph");
  put(closer);
  grid->build(there->view());
  const hgrid::offset_t before = list->capacity();
  grid->find(*list, {.order = Order::sorted}), grid->find(*half);
  ASSERT_GT(list->capacity(), before);
  const CapturedGraph newer(stream, [&] { enqueue_lists(); });
  put(small);
  newer.replay();
  expect_lists_of(small, "the newer graph");
  put(other);
  older.replay();
  expect_lists_of(other, "the older one");
  newer.replay(), older.replay(), put(small), newer.replay();
  expect_lists_of(small, "the newer one again");
}

// Captured work does not run before a replay. A wait does not run it either.
TEST_F(CudaReplays, AreWhatListsAreOf) {
  const System other = stretched(small, 0.995);
  enqueue_lists();
  expect_lists_of(small, "enqueued by the host");
  put(other);
  grid->build(there->view());
  const CapturedGraph with_build(stream, [&] { enqueue_lists(); });
  expect_lists_of(other, "captured with a build");
  grid->build(there->view());
  enqueue_lists();
  expect_lists_of(other, "enqueued again");
  put(small);
  grid->build(there->view());
  const CapturedGraph lists_alone(stream, [&] { grid->enqueue(*list, {.order = Order::sorted}), grid->enqueue(*half); });
  expect_lists_of(small, "captured without a build");
  const CapturedGraph build_alone(stream, [&] { grid->build(there->view()); });
  put(other);
  build_alone.replay();
  grid->enqueue(*list, {.order = Order::sorted}), grid->enqueue(*half);
  put(small);
  build_alone.replay();
  expect_lists_of(small, "built by a graph after they were enqueued");
}

// The host knows the newest build: its number of particles, their kind, and its skin. A graph of other particles is refused.
TEST_F(CudaReplays, OfOtherParticlesAreRefused) {
  const index_t n = small.size();
  std::vector<index_t> group(static_cast<std::size_t>(n), 0);
  std::vector<hgrid::Pair> bonds{{0, 1}};
  auto fewer = view_of(small), grouped = fewer, owned = fewer, bonded = fewer;
  fewer.count = n - n / 4;
  grouped.group = group.data();
  owned.owned = n / 2;
  bonded.exclusions = hgrid::Exclusions::in_pairs(bonds.data(), 1);
  const auto refuse = [&](const auto& particles, double skin, const char* which) {
    SCOPED_TRACE(which);
    const auto others = support::placed(*exec, particles);
    const hgrid::BuildOptions options{.skin = skin};
    enqueue_lists();
    grid->check();
    enqueue_lists();
    const CapturedGraph older(stream, [&] { enqueue_lists(); });
    older.replay();
    expect_lists_of(small, "of the graph");
    grid->build(others.view(), options);  // makes room
    enqueue_lists();
    grid->check();
    enqueue_lists();
    const CapturedGraph refused(stream,
                                [&] { expect_error(ErrorCode::reentrancy, [&] { grid->build(others.view(), options); }); });
    expect_lists_of(small, "as before");
    grid->build(others.view(), options);
    const hgrid::offset_t contacts = grid->count();
    grid->build(others.view(), options);  // which may wait, because the particles are others
    const CapturedGraph newer(stream, [&] { grid->build(others.view(), options); });
    newer.replay();
    EXPECT_EQ(grid->count(), contacts);
    older.replay();
    expect_error(ErrorCode::stale, [&] { grid->check(); });
    expect_error(ErrorCode::not_built, [&] { grid->count(); });
    grid->build(others.view(), options);
    EXPECT_EQ(grid->count(), contacts);
  };
  refuse(fewer, 0, "fewer");
  refuse(view_of(small), 0.1, "with a skin");
  refuse(grouped, 0, "with groups");
  refuse(owned, 0, "with ghosts");
  refuse(bonded, 0, "with exclusions");
}

// Records of floats are exact in an open box, and records of doubles are not.
TEST_F(CudaReplays, OfDoublesAreRefusedAfterFloats) {
  hgrid::Grid<hgrid::CudaExec, 3> open(*exec);
  const std::vector<float> x(small.x.begin(), small.x.end()), r(small.r.begin(), small.r.end());
  const auto floats = support::placed(*exec, hgrid::particles<3>(x.data(), r.data(), small.size()));
  open.build(floats.view()), open.build(there->view());
  const CapturedGraph older(stream, [&] { open.build(there->view()); });
  older.replay();
  open.check();
  open.build(floats.view());
  older.replay();
  expect_error(ErrorCode::stale, [&] { open.check(); });
}

// A build of the host, which waits, counts the particles that take part. A replay may have more.
TEST_F(CudaReplays, MayHaveMoreThatTakePart) {
  const System many = support::random_system(1500, 3, true);
  const auto n = static_cast<std::size_t>(many.size());
  const auto placed = support::placed(*exec, view_of(many));
  std::vector<std::uint8_t> all(n, 1), few(n, 1);
  std::fill(few.begin() + 1000, few.end(), 0);
  hgrid::CudaExec::Buffer<std::uint8_t> active(*exec, many.size());
  auto particles = placed.view();
  particles.active = active.data();
  exec->copy_in(active.data(), all.data(), many.size());
  hgrid::Grid<hgrid::CudaExec, 3> other(*exec, many.box);
  auto pairs = other.make_pairs();
  other.build(particles), other.find(pairs, {.order = Order::sorted});
  ASSERT_EQ(as_read(pairs), host_pairs(many));
  const CapturedGraph graph(stream, [&] { other.build(particles); });
  exec->copy_in(active.data(), few.data(), many.size());
  other.build(particles, {.check_now = true});
  other.find(pairs, {.order = Order::sorted});
  ASSERT_LT(pairs.size(), static_cast<hgrid::offset_t>(host_pairs(many).size()));
  exec->copy_in(active.data(), all.data(), many.size());
  graph.replay();
  other.find(pairs, {.order = Order::sorted});
  EXPECT_EQ(as_read(pairs), host_pairs(many));
}

// An older graph has other regions than the host asks for.
TEST_F(CudaReplays, RowsAreThoseOfTheLastRegions) {
  auto list = grid->make_list(hgrid::ListKind::full), other = grid->make_list(hgrid::ListKind::full);
  using Region = hgrid::Region<3>;
  std::vector<Region> regions(5);
  for (std::size_t q = 0; q < regions.size(); ++q) {
    for (int k = 0; k < 3; ++k) {
      const double middle = 0.5 * (small.box.lo[k] + small.box.hi[k]), size = 0.05 * (small.box.hi[k] - small.box.lo[k]);
      regions[q].lo[k] = middle - static_cast<double>(q) * size, regions[q].hi[k] = middle + size;
    }
  }
  hgrid::CudaExec::Buffer<Region> many(*exec, 5), few(*exec, 2);
  exec->copy_in(many.data(), regions.data(), 5);
  exec->copy_in(few.data(), regions.data() + 1, 2);
  const auto rows_of = [&](const auto& rows) {
    return std::pair(support::copied(*exec, rows.neighbours(), rows.size()),
                     support::copied(*exec, rows.offsets(), rows.lists() + 1));
  };
  const hgrid::Regions of_many{many.data(), 5}, of_few{few.data(), 2};
  const auto waited = [&](const hgrid::Regions<3>& asker) { return grid->wait(list, asker), rows_of(list); };
  const auto found = [&](const hgrid::Regions<3>& asker) { return grid->find(other, asker), rows_of(other); };
  grid->find(list, of_many);
  const CapturedGraph older(stream, [&] { grid->enqueue(list, of_many); });
  EXPECT_EQ(waited(of_many), found(of_many)) << "before a replay";
  grid->enqueue(list, of_few);
  const CapturedGraph newer(stream, [&] { grid->enqueue(list, of_few); });
  newer.replay(), older.replay();
  EXPECT_EQ(waited(of_few), found(of_few)) << "the older one was replayed last";
  exec->copy_in(few.data(), regions.data() + 3, 2);
  newer.replay();
  EXPECT_EQ(waited(of_few), found(of_few)) << "the newer one, of other regions";
  for (auto& r : regions) r = Region::box(small.box.lo, small.box.hi);
  exec->copy_in(few.data(), regions.data(), 2);
  const hgrid::offset_t before = list.capacity();
  for (int k = 0; k < 2; ++k) {
    newer.replay();
    EXPECT_EQ(waited(of_few), found(of_few)) << "which had no room";
    exec->copy_in(few.data(), regions.data() + 3, 2);
    regions[3].hi[0] -= 1;
  }
  EXPECT_GT(list.capacity(), before);
}

}  // namespace
