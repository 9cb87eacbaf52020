// SPDX-License-Identifier: BSD-3-Clause
// A grid that is queried with another grid's particles: what it refuses, lists that move between the grids, functors that query
// in turn.
#include <gtest/gtest.h>

#include <mutex>
#include <vector>

#include "hgrid/queries.hpp"
#include "support/gas.hpp"
#include "support/grids_test.hpp"

namespace {

using hgrid::ErrorCode;
using hgrid::Image;
using hgrid::index_t;
using hgrid::ListKind;
using hgrid::Regions;
using support::expect_error;
using Region = hgrid::Region<3>;

template <class Exec>
class AskedGrid : public support::GridsTest<Exec> {
 protected:
  // Two particles that touch, and a third one.
  const std::vector<double> x{0, 0, 0, 1.5, 0, 0, 9, 0, 0}, r{1, 1, 1};
  typename support::GridsTest<Exec>::Grid grid = this->grid_of(hgrid::Box3::open(), x, r);
};
TYPED_TEST_SUITE(AskedGrid, support::Executors);

// The image of a packed entry has eleven bits per axis.
TYPED_TEST(AskedGrid, PacksOnlyImagesThatFit) {
  auto grid = this->grid_of(hgrid::Box3::periodic({0, 0, 0}, {10, 10, 10}, {true, true, true}), this->x, this->r);
  auto packed = grid.make_packed_list(ListKind::full);
  for (const int periods : {-1023, 1023, -1024, 1024}) {
    const Region far[] = {Region::point({1 + 10.0 * periods, 0, 0})};
    if (std::abs(periods) > 1023) {
      const auto detail = expect_error(ErrorCode::unsupported, [&] { grid.find(packed, Regions{far, 1}); });
      EXPECT_TRUE(detail.argument == "list" && detail.index == 0 && detail.value == periods && detail.count == 2);
    } else {
      grid.find(packed, Regions{far, 1});
    }
    ASSERT_EQ(packed.size(), 2);
    EXPECT_EQ(packed.neighbours()[1].inside()[0], std::abs(periods) > 1023 ? 1023 : periods) << "the last one that fits stays";
    EXPECT_EQ(packed.periods(), nullptr);
  }
  auto half = grid.make_packed_list(ListKind::half);
  EXPECT_EQ(expect_error(ErrorCode::invalid_argument,
                         [&] {
                           grid.find(half, Regions{static_cast<const Region*>(nullptr), 0});
                         })
                .argument,
            "list");
}

TYPED_TEST(AskedGrid, RefusesByName) {
  auto& grid = this->grid;
  const Region regions[] = {Region::point({0, 0, 0}), Region::sphere({9, 0, 0}, -1)};
  auto half = grid.make_list(), list = grid.make_list(ListKind::full);
  auto pairs = grid.make_pairs();
  EXPECT_EQ(expect_error(ErrorCode::invalid_argument, [&] { grid.find(half, Regions{regions, 1}); }).argument, "list");
  grid.find(list, Regions{regions, 1});
  EXPECT_EQ(list.size(), 1);
  EXPECT_EQ(expect_error(ErrorCode::invalid_argument, [&] { grid.find(list, Regions{regions, 2}); }).index, 1);
  EXPECT_EQ(expect_error(ErrorCode::invalid_argument, [&] { grid.find(pairs, Regions{regions, 2}); }).index, 1);
  EXPECT_EQ(expect_error(ErrorCode::invalid_argument, [&] { grid.count(Regions{regions, 2}); }).index, 1);
  const auto none = [](index_t, index_t, const Image&) {};
  const auto visit = [&] { grid.for_each_partner(none, Regions{regions, 2}), grid.check(); };
  EXPECT_EQ(expect_error(ErrorCode::invalid_argument, visit).index, 1);
  grid.check();  // is told once
  const auto bad_visit = [&] {
    try {
      grid.for_each_partner(none, Regions{regions, 2});
    } catch (const hgrid::Error&) {  // on a host
    }
  };
  bad_visit();  // which is no error of other searches
  EXPECT_EQ(grid.count(hgrid::Excluding(grid, grid, {})), 5);
  EXPECT_EQ(grid.count(Regions{regions, 1}), 1);
  EXPECT_EQ(hgrid::Nearest(grid).of_particles({.k = 1}).points, 3);
  EXPECT_EQ(grid.skipped(), 0);
  expect_error(ErrorCode::size_mismatch, [&] { grid.find(list, Regions{regions, -1}); });
  expect_error(ErrorCode::invalid_argument, [&] { grid.find(list, Regions{regions, 1, hgrid::Take::touching, -1}); });
  EXPECT_EQ(list.size(), 1) << "as it was";

  grid.enqueue(list, Regions{regions, 2});
  EXPECT_EQ(expect_error(ErrorCode::invalid_argument, [&] { grid.wait(list, Regions{regions, 2}); }).index, 1);
  typename TestFixture::Grid unbuilt(this->exec());
  expect_error(ErrorCode::not_built, [&] { unbuilt.find(list, Regions{regions, 1}); });
  expect_error(ErrorCode::not_built, [&] { grid.find(list, unbuilt); });
  expect_error(ErrorCode::not_built, [&] { unbuilt.count(grid); });
  index_t ids[2] = {77, 77};
  const hgrid::PairColumns<index_t> small{ids, ids + 1, 2, nullptr, 1};
  EXPECT_EQ(expect_error(ErrorCode::capacity, [&] { grid.find(small, grid); }).needed, 5);
  EXPECT_EQ(ids[0], 77);
  const hgrid::NeighbourMatrix<index_t> lines{ids, 2, 1};
  EXPECT_EQ(expect_error(ErrorCode::size_mismatch, [&] { grid.find(lines, grid); }).needed, 3);
}

// A list of query particles must not be waited for as a list of the grid's own: its rows would have the wrong ids.
TYPED_TEST(AskedGrid, KnowsWhoseListItIs) {
  auto& grid = this->grid;
  const Region regions[] = {Region::point({0.5, 0, 0})};
  auto list = grid.make_list(ListKind::full);
  grid.enqueue(list, Regions{regions, 1});
  expect_error(ErrorCode::invalid_argument, [&] { grid.wait(list); });
  grid.wait(list, Regions{regions, 1});
  EXPECT_EQ(list.lists(), 1);
  EXPECT_EQ(list.size(), 2);
  grid.find(list);
  EXPECT_EQ(list.lists(), 3);
  grid.enqueue(list), grid.wait(list);
  EXPECT_EQ(list.size(), 2);
  grid.enqueue(list);
  grid.wait(list, Regions{regions, 1});  // finds what nobody enqueued
  EXPECT_EQ(list.lists(), 1);
  grid.find(list);
  grid.wait(list, Regions{regions, 1});  // does not take the grid's own contacts for the regions'
  EXPECT_EQ(list.lists(), 1);
  auto never = grid.make_list(ListKind::full);
  grid.wait(never, Regions{regions, 1});
  EXPECT_EQ(never.size(), 0) << "nothing was enqueued";
}

TYPED_TEST(AskedGrid, IsNotAskedByAFunctorOfItsOwn) {
  auto& grid = this->grid;
  int refused = 0;
  std::mutex mutex;
  const auto ask = [&](index_t, index_t, const Image&) {
    const std::lock_guard lock(mutex);
    try {
      grid.count(grid);
    } catch (const hgrid::Error& error) {
      refused += error.code() == ErrorCode::reentrancy;
    }
  };
  grid.for_each_partner(ask, grid);
  EXPECT_EQ(refused, 5);
}

// An enqueued list is found in the grid as it is when the work runs, in the memory that the list has then.
TYPED_TEST(AskedGrid, FindsOnceMoreWhatHadNoRoom) {
  auto& grid = this->grid;
  std::vector<Region> regions(100, Region::sphere({0.75, 0, 0}, 1));
  auto list = grid.make_list(ListKind::full);
  grid.enqueue(list, Regions{regions.data(), 1});
  grid.wait(list, Regions{regions.data(), 1});
  EXPECT_EQ(list.size(), 2);
  const std::size_t of_one = grid.bytes();
  grid.enqueue(list, Regions{regions.data(), 100});
  grid.wait(list, Regions{regions.data(), 100});
  EXPECT_EQ(list.size(), 200);
  const std::size_t bytes = grid.bytes();
  EXPECT_TRUE(!TypeParam::on_host || bytes > of_one + 100 * sizeof(double)) << "spheres in order are counted";
  EXPECT_EQ(grid.count(grid), 5);
  EXPECT_TRUE(!TypeParam::on_host || grid.bytes() == bytes) << "a count fills no list";
  auto pairs = grid.make_pairs();
  grid.find(pairs, grid);
  EXPECT_GT(grid.bytes(), bytes) << "lists on the way are counted";
}

TYPED_TEST(AskedGrid, MayBeMovedFromAndBuiltAgain) {
  auto& grid = this->grid;
  const Region regions[] = {Region::point({0.5, 0, 0})};
  std::vector<index_t> ids(9);
  const hgrid::NeighbourMatrix<index_t> matrix{ids.data(), 3, 3};
  EXPECT_EQ(grid.find(matrix, grid), 2);
  auto moved = std::move(grid);
  EXPECT_EQ(moved.count(Regions{regions, 1}), 2);
  expect_error(ErrorCode::not_built, [&] { grid.count(Regions{regions, 1}); });
  grid.build(this->x, this->r);
  EXPECT_EQ(grid.count(Regions{regions, 1}), 2);
  EXPECT_EQ(grid.find(matrix, moved), 2);
}

}  // namespace
