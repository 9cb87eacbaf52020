// SPDX-License-Identifier: BSD-3-Clause
// A user's functor throws or calls back, and a grid is used after it was moved.
#include <thread>

#include "hgrid/queries.hpp"
#include "support/executors.hpp"
#include "support/packings.hpp"
#include "support/results.hpp"

namespace {

template <class Exec>
class Callbacks : public ::testing::Test {};
TYPED_TEST_SUITE(Callbacks, support::Executors);

template <class F>
hgrid::ErrorCode code_of(const F& f) {
  try {
    f();
  } catch (const hgrid::Error& e) {
    return e.code();
  }
  ADD_FAILURE() << "nothing was thrown";
  return hgrid::ErrorCode::io;
}

TYPED_TEST(Callbacks, AnExceptionArrivesAndTheGridSurvives) {
  const oracle::System s = support::polydisperse(5000, 5, true);
  for (hgrid::Schedule schedule : {hgrid::Schedule::fast, hgrid::Schedule::plain}) {
    auto grid = support::built(support::make_executor<TypeParam>(4), s, {.schedule = schedule});
    std::atomic<int> calls{0};
    const auto thrower = [&](hgrid::index_t, hgrid::index_t, const hgrid::Image&) {
      if (++calls >= 100) throw std::runtime_error("enough");
    };
    EXPECT_THROW(grid.for_each_contact(thrower), std::runtime_error);
    EXPECT_THROW(grid.for_each_partner(thrower), std::runtime_error);
    EXPECT_EQ(support::visited_contacts(grid), oracle::contacts(s));
    EXPECT_NO_THROW(grid.build(support::UserArrays<double, 3>(s).view()));
  }
}

TYPED_TEST(Callbacks, BuildingFromAFunctorIsRefused) {
  const oracle::System s = support::polydisperse(200, 2, true);
  const support::UserArrays<double, 3> arrays(s);
  auto grid = support::built(support::make_executor<TypeParam>(2), s);
  const auto rebuild = [&](hgrid::index_t, hgrid::index_t, const hgrid::Image&) { grid.build(arrays.view()); };
  EXPECT_EQ(code_of([&] { grid.for_each_contact(rebuild); }), hgrid::ErrorCode::reentrancy);
  EXPECT_EQ(code_of([&] { grid.for_each_partner(rebuild); }), hgrid::ErrorCode::reentrancy);
  const std::vector<hgrid::Region<3>> everywhere(1, hgrid::Region<3>::box({0, 0, 0}, {1, 1, 1}));
  const hgrid::Regions asker{everywhere.data(), 1};
  ASSERT_GT(grid.count(asker), 0);
  EXPECT_EQ(code_of([&] { grid.for_each_partner(rebuild, asker); }), hgrid::ErrorCode::reentrancy);
  EXPECT_EQ(support::pairs_of(grid, hgrid::Order::sorted), oracle::contacts(s));
}

TYPED_TEST(Callbacks, QueriesNeedABuild) {
  hgrid::Grid<TypeParam, 3> grid(support::make_executor<TypeParam>(2));
  auto pairs = grid.make_pairs();
  auto rows = grid.make_list();
  const auto nothing = [](hgrid::index_t, hgrid::index_t, const hgrid::Image&) {};
  using hgrid::ErrorCode;
  EXPECT_EQ(code_of([&] { grid.count(); }), ErrorCode::not_built);
  EXPECT_EQ(code_of([&] { grid.find(pairs); }), ErrorCode::not_built);
  EXPECT_EQ(code_of([&] { grid.find(rows); }), ErrorCode::not_built);
  EXPECT_EQ(code_of([&] { grid.find(hgrid::PairColumns<std::int32_t>{}); }), ErrorCode::not_built);
  EXPECT_EQ(code_of([&] { grid.for_each_contact(nothing); }), ErrorCode::not_built);
  EXPECT_EQ(code_of([&] { grid.for_each_partner(nothing); }), ErrorCode::not_built);
  EXPECT_EQ(code_of([&] { grid.view(); }), ErrorCode::not_built);
  EXPECT_EQ(code_of([&] { grid.levels(); }), ErrorCode::not_built);
  EXPECT_EQ(code_of([&] { grid.work(); }), ErrorCode::not_built);
}

TYPED_TEST(Callbacks, AMovedFromGridIsNotBuilt) {
  const oracle::System s = support::polydisperse(800, 2, true);
  const auto exec = support::make_executor<TypeParam>(2);
  auto a = support::built(exec, s);
  hgrid::Grid<TypeParam, 3> b(std::move(a));
  EXPECT_EQ(code_of([&] { a.count(); }), hgrid::ErrorCode::not_built);
  EXPECT_EQ(support::pairs_of(b, hgrid::Order::sorted), oracle::contacts(s));

  auto c = support::built(exec, support::polydisperse(5, 2, true));  // a smaller one, which is overwritten
  c = std::move(b);
  EXPECT_EQ(code_of([&] { b.count(); }), hgrid::ErrorCode::not_built) << "it must not see the memory of the other";
  EXPECT_EQ(support::pairs_of(c, hgrid::Order::sorted), oracle::contacts(s));

  a.build(support::UserArrays<double, 3>(s).view());  // and may be built again
  EXPECT_EQ(support::pairs_of(a, hgrid::Order::sorted), oracle::contacts(s));
}

TYPED_TEST(Callbacks, ConcurrentQueriesAndGridsShareNothing) {
  const oracle::System s = support::polydisperse(3000, 4, true), t = support::polydisperse(2500, 9, false);
  auto shared = support::built(support::make_executor<TypeParam>(2), s);
  const support::Contacts expected = oracle::contacts(s), other = oracle::contacts(t);
  const std::vector<hgrid::Region<3>> regions(100, hgrid::Region<3>::sphere({1, 1, 1}, 2));
  const hgrid::offset_t of_regions = shared.count(hgrid::Regions{regions.data(), 100});
  bool equal[5] = {};
  const auto ask_often = [&](bool& all_equal) {
    all_equal = true;
    auto list = shared.make_list(hgrid::ListKind::full);
    for (int time = 0; time < 20; ++time) {
      shared.find(list, hgrid::Regions{regions.data(), 100});
      all_equal = all_equal && list.size() == of_regions && shared.count(hgrid::Regions{regions.data(), 100}) == of_regions;
    }
  };
  std::thread threads[] = {std::thread(ask_often, std::ref(equal[3])), std::thread(ask_often, std::ref(equal[4])),
                           std::thread([&] { equal[0] = support::visited_contacts(std::as_const(shared)) == expected; }),
                           std::thread([&] { equal[1] = support::visited_contacts(std::as_const(shared)) == expected; }),
                           std::thread([&] {
                             auto own = support::built(support::make_executor<TypeParam>(2), t);
                             equal[2] = support::pairs_of(own, hgrid::Order::sorted) == other;
                           })};
  for (std::thread& thread : threads) thread.join();
  ASSERT_GT(of_regions, 0);
  EXPECT_TRUE(equal[0] && equal[1] && equal[2] && equal[3] && equal[4]);
}

}  // namespace
