// SPDX-License-Identifier: BSD-3-Clause
// Lists of loops that wrap their positions at each step, against loops that do not.
#include "hgrid/loop.hpp"
#include "support/executors.hpp"
#include "support/wrapped_cases.hpp"

namespace {

using hgrid::ErrorCode;
using support::expect_error;
using support::WrappedBox;
using support::Wrapping;

template <class Exec>
class WrappedLoop : public ::testing::Test {};
TYPED_TEST_SUITE(WrappedLoop, support::Executors);

TYPED_TEST(WrappedLoop, EqualsTheLoopThatDoesNotWrap) {
  support::WrappedCounts counts;
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    ASSERT_EQ(support::check_all_wrapped(support::make_executor<TypeParam>(2), seed, 120, counts), "") << "seed " << seed;
  }
  EXPECT_GT(counts.contacts, 500000);
  EXPECT_LE(counts.differ, 2);
  ::testing::Test::RecordProperty("builds", std::to_string(counts.builds));
}

// A step that moves one particle, with margins, far beyond a quarter of a period: it must not be taken for a wrap.
TYPED_TEST(WrappedLoop, AMarginEndsAtAQuarterOfAPeriod) {
  hgrid::Grid<TypeParam, 2> grid(support::make_executor<TypeParam>(2), hgrid::Box2::periodic({0, 0}, {8, 8}));
  hgrid::VerletList list(grid, {.skin = 0.5, .wrapped = true});
  std::vector<double> x{1, 1, 5, 5}, r{0.5, 0.5}, none{0, 0}, margins{3.5, 3.5};
  auto now = hgrid::particles<2>(x.data(), r.data(), 2), widened = now;
  now.extra = none.data(), widened.extra = margins.data();
  EXPECT_TRUE(list.update(now, widened));
  x[0] = 3.2;  // of 2.25 that the skin and a quarter allow
  EXPECT_FALSE(list.update(now, widened));
  x[0] = 3.4;
  EXPECT_TRUE(list.update(now, widened));
}

TYPED_TEST(WrappedLoop, ChosenSkinsAndSteps) {
  Wrapping<double, 3> loop(WrappedBox::sheared, 150, 7);
  hgrid::Grid<TypeParam, 3> grid(support::make_executor<TypeParam>(2), loop.boxes[0]);
  hgrid::VerletList list(grid, {.skin = 0.3, .choose_skin = true, .wrapped = true});
  for (int step = 0; step < 200; ++step, loop.step(0.02)) {
    loop.put_boxes(grid);
    list.update(loop.wrapped_view());
    ASSERT_LE(list.skin(), 0.5 * loop.side);
  }
  EXPECT_LT(list.counters().builds, 100);
  EXPECT_EQ(list.counters().wrapped, 0);
  EXPECT_STREQ(list.counters().note(), "");
}

// Unless told, a list builds when coordinates are wrapped, and says so.
TYPED_TEST(WrappedLoop, IsToldOfWithoutTheOption) {
  Wrapping<double, 3> loop(WrappedBox::straight, 150, 3);
  hgrid::Grid<TypeParam, 3> grid(support::make_executor<TypeParam>(2), loop.boxes[0]);
  hgrid::VerletList list(grid, {.skin = 0.4}), wrapping(grid, {.skin = 0.4});
  const auto wide = [&] { return list.update(loop.unwrapped_view()); };
  for (int step = 0; step < 30; ++step, loop.step(0.02)) wide();
  EXPECT_EQ(list.counters().wrapped, 0);
  EXPECT_STREQ(list.counters().note(), "");
  wide();
  const hgrid::offset_t builds = list.counters().builds;
  loop.unwrapped[3 * 17 + 1] -= loop.side;
  EXPECT_TRUE(wide());
  EXPECT_EQ(list.counters().wrapped, 1);
  EXPECT_NE(std::string(list.counters().note()).find("VerletOptions::wrapped"), std::string::npos);
  loop.unwrapped[3 * 17 + 1] += 0.6 * loop.side;  // which is no wrap
  EXPECT_TRUE(wide());
  EXPECT_EQ(list.counters().wrapped, 1);
  EXPECT_EQ(list.counters().builds, builds + 2);
}

TYPED_TEST(WrappedLoop, ValuesFollowThroughASort) {
  Wrapping<double, 2> loop(WrappedBox::straight, 100, 5);
  const auto exec = support::make_executor<TypeParam>(2);
  hgrid::Grid<TypeParam, 2> grid(exec, loop.boxes[0]);
  hgrid::VerletList list(grid, {.kind = hgrid::ListKind::full, .skin = 0.4, .wrapped = true});
  hgrid::PairArray<TypeParam, double> values(exec, -1.0);
  list.update(loop.wrapped_view(), values);
  const hgrid::offset_t pairs = list.neighbours().size();
  for (hgrid::offset_t k = 0; k < pairs; ++k) values.data()[k] = 1;
  for (std::size_t c = 0; c < loop.x.size(); c += 3) loop.x[c] += loop.side;  // some coordinates of some particles
  EXPECT_FALSE(list.update(loop.wrapped_view(), values));
  for (std::size_t c = 0; c < loop.x.size(); c += 5) loop.x[c] -= 2 * loop.side;
  std::vector<hgrid::index_t> old_id(100);
  for (std::size_t i = 0; i < 100; ++i) old_id[i] = static_cast<hgrid::index_t>(99 - i);
  auto x = loop.x, r = loop.r;
  for (std::size_t i = 0; i < 100; ++i) {
    x[2 * i] = loop.x[2 * (99 - i)], x[2 * i + 1] = loop.x[2 * (99 - i) + 1], r[i] = loop.r[99 - i];
  }
  list.build(hgrid::particles<2>(x.data(), r.data(), 100), {.old_id = old_id.data()}, values);
  ASSERT_EQ(list.neighbours().size(), pairs);
  for (hgrid::offset_t k = 0; k < pairs; ++k) ASSERT_EQ(values.data()[k], 1) << k;
  EXPECT_EQ(list.renumbering().periods[99], (hgrid::Image{{-1 + 2, 0, 0}}));  // the first one
}

TYPED_TEST(WrappedLoop, GoesOnFromACheckpoint) {
  Wrapping<double, 3> loop(WrappedBox::sheared, 120, 11);
  const auto exec = support::make_executor<TypeParam>(2);
  hgrid::Grid<TypeParam, 3> grid(exec, loop.boxes[0]), other(exec);
  hgrid::VerletList list(grid, {.skin = 0.4, .wrapped = true}), restored(other);
  bool is_restored = false;
  for (int step = 0; step < 60; ++step, loop.step(0.02)) {
    loop.put_boxes(grid);
    const bool is_new = list.update(loop.wrapped_view());
    if (is_restored) {
      loop.put_boxes(other);
      ASSERT_EQ(restored.update(loop.wrapped_view()), is_new) << step;
      ASSERT_EQ(support::as_listed(restored.neighbours()), support::as_listed(list.neighbours())) << step;
      for (int i = 0; i < 120; ++i) ASSERT_EQ(restored.periods()[i], list.periods()[i]) << step << ", " << i;
    } else if (step >= 20 && !is_new) {
      hgrid::restore(restored, hgrid::save(list));
      is_restored = true;
    }
  }
  ASSERT_TRUE(is_restored);
}

// Another caller builds the grid with fewer boxes than the list's particles have systems (worlds).
TYPED_TEST(WrappedLoop, BoxesOfAnotherBuildAreNotTheLists) {
  const auto box = hgrid::Box2::periodic({0, 0}, {9, 9});
  hgrid::Grid<TypeParam, 2> grid(support::make_executor<TypeParam>(2), box);
  hgrid::VerletList list(grid, {.skin = 0.5, .wrapped = true});
  std::vector<double> x{1, 1, 8.9, 1, 8.9, 1}, r{0.5, 0.5, 0.5};
  std::vector<hgrid::index_t> world{0, 0, 1}, one{0, 0, 0};
  auto now = hgrid::particles<2>(x.data(), r.data(), 3), others = now;
  now.worlds = {world.data(), 2}, others.worlds = {one.data(), 1};
  grid.set_boxes({box, box});
  list.update(now);
  grid.set_boxes({box}), grid.build(others);
  expect_error(ErrorCode::size_mismatch, [&] { list.update(now); });
  grid.set_boxes({box, box});
  x[0] += 9, x[4] -= 9;
  EXPECT_TRUE(list.update(now));
  EXPECT_EQ(support::as_listed(list.neighbours()).size(), 1u);
}

TYPED_TEST(WrappedLoop, RefusesWhatItCannotTell) {
  hgrid::Grid<TypeParam, 2> grid(support::make_executor<TypeParam>(2), hgrid::Box2::periodic({0, 0}, {4, 9}));
  hgrid::VerletList wide(grid, {.skin = 2.1, .wrapped = true});
  std::vector<double> x{1, 1, 3, 3}, r{0.5, 0.5};
  const auto grains = hgrid::particles<2>(x.data(), r.data(), 2);
  const auto detail = expect_error(ErrorCode::unsupported, [&] { wide.update(grains); });
  EXPECT_EQ(detail.argument, "skin");
  EXPECT_EQ(detail.value, 2.1);
  grid.set_box(hgrid::Box2::periodic({0, 0}, {4.2, 9}));
  EXPECT_TRUE(wide.update(grains));
  grid.set_boxes({hgrid::Box2::periodic({0, 0}, {9, 9}), hgrid::Box2::periodic({0, 0}, {9, 4})});
  expect_error(ErrorCode::unsupported, [&] { wide.build(grains); });
  grid.set_boxes({}), grid.set_box(hgrid::Box2::open());
  EXPECT_TRUE(wide.update(grains));
  const std::vector<hgrid::Image> periods(2);
  EXPECT_EQ(expect_error(ErrorCode::invalid_argument, [&] { wide.build(grains, {.periods = periods.data()}); }).argument,
            "periods");
  hgrid::VerletList plain(grid, {.skin = 2.1});
  EXPECT_EQ(plain.periods(), nullptr);
  expect_error(ErrorCode::invalid_argument,
               [&] { wide.update(hgrid::particles<2>(static_cast<double*>(nullptr), r.data(), 2)); });
}

}  // namespace
