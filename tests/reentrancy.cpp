// SPDX-License-Identifier: BSD-3-Clause
// A functor that uses the grid which calls it: members that only read the last build work, all others are refused.
#include "hgrid/loop.hpp"
#include "support/executors.hpp"
#include "support/gas.hpp"
#include "support/packings.hpp"
#include "support/results.hpp"

namespace {

using hgrid::ErrorCode;
using hgrid::Image;
using hgrid::index_t;
using support::expect_error;

template <class Exec>
class Reentrancy : public ::testing::Test {};
TYPED_TEST_SUITE(Reentrancy, support::Executors);

TYPED_TEST(Reentrancy, MembersThatAreNotConstAreRefused) {
  const oracle::System s = support::polydisperse(200, 2, true);
  const support::UserArrays<double, 3> arrays(s);
  auto grid = support::built(support::make_executor<TypeParam>(2), s);
  auto list = grid.make_pairs(), other = grid.make_pairs();
  auto lists = grid.make_list();
  std::vector<index_t> matrix(200 * 200);
  grid.find(list);
  const auto before = support::as_listed(list);
  const auto refuse = [&](const auto& call) {
    const auto predicate = [&](index_t, index_t, const Image&) { return call(), true; };
    expect_error(ErrorCode::reentrancy, [&] { grid.find(list, hgrid::only(predicate)); });
    expect_error(ErrorCode::reentrancy, [&] { grid.for_each_contact(predicate); });
    EXPECT_EQ(support::as_listed(list), before);
  };
  refuse([&] { grid.build(arrays.view()); });
  refuse([&] { grid.count(); });
  refuse([&] { grid.count(hgrid::only([](index_t, index_t, const Image&) { return true; })); });
  refuse([&] { grid.find(hgrid::PairColumns<index_t>{}); });
  refuse([&] { grid.enqueue(lists); });
  refuse([&] { grid.enqueue(hgrid::NeighbourMatrix<index_t>{matrix.data(), 200, 200}, nullptr); });
  refuse([&] { grid.validity(arrays.view()); });
  refuse([&] { grid.require_valid(arrays.view()); });
  refuse([&] { grid.find(other); });
  refuse([&] { grid.find(lists); });
  refuse([&] { grid.enqueue(other); });
  refuse([&] { grid.wait(other); });
  refuse([&] { grid.find(hgrid::NeighbourMatrix<index_t>{matrix.data(), 200, 200}); });
  refuse([&] { grid.valid(arrays.view()); });
  refuse([&] { grid.set_box(hgrid::Box3::open()); });
  refuse([&] { grid.set_boxes({}); });
  refuse([&] { grid.plan_again(); });
  refuse([&] { grid.watch({}); });
  refuse([&] { grid.work(); });
  refuse([&] { grid.levels(); });
  const std::vector<std::byte> saved = hgrid::save(grid);
  refuse([&] { hgrid::restore(grid, saved); });
  hgrid::VerletList verlet(grid, hgrid::VerletOptions{.skin = 0.1});
  refuse([&] { verlet.update(arrays.view()); });

  std::atomic<int> visited{0};
  grid.find(list, hgrid::only([&](index_t i, index_t, const Image&) {
              if (i == 0) grid.for_each_contact([&](index_t, index_t, const Image&) { ++visited; });
              grid.check();
              if (grid.skipped() != 0) return false;
              return grid.generation() > 0 && grid.particle_count() == 200 && grid.view().slots() > 0;
            }));
  EXPECT_EQ(support::as_listed(list), before);
  EXPECT_GT(visited, 0);
}

}  // namespace
