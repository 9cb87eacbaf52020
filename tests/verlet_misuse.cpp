// SPDX-License-Identifier: BSD-3-Clause
// Lists in a time loop with meaningless arguments, with a grid that other code builds, or with a skin that does not fit the
// box.
#include "hgrid/loop.hpp"
#include "hgrid/queries.hpp"
#include "support/executors.hpp"
#include "support/gas.hpp"

namespace {

using hgrid::ErrorCode;
using support::expect_error;
using support::Gas;
using support::holds_all;

template <class Exec>
class VerletMisuse : public ::testing::Test {};
TYPED_TEST_SUITE(VerletMisuse, support::Executors);

TYPED_TEST(VerletMisuse, RefusesWhatMakesNoSense) {
  hgrid::Grid<TypeParam, 3> grid(support::make_executor<TypeParam>(2));
  expect_error(ErrorCode::invalid_argument, [&] { hgrid::VerletList list(grid, {.check_every = 0}); });
  expect_error(ErrorCode::invalid_argument, [&] { hgrid::VerletList list(grid, {.skin = -1}); });
  expect_error(ErrorCode::not_built, [&] { grid.require_valid(hgrid::Particles<double, 3>{}); });
  hgrid::History history(grid.exec());
  const auto half = grid.make_list(), full = grid.make_list(hgrid::ListKind::full);
  expect_error(ErrorCode::invalid_argument, [&] { history.remap(half, full); });
  auto built = support::built(support::make_executor<TypeParam>(2), support::polydisperse(50, 2, true));
  using hgrid::Regions;
  const auto ask = [&](const hgrid::Region<3>& r) { return [&, r] { built.count(Regions{&r, 1}); }; };
  const hgrid::Region<3> good = hgrid::Region<3>::point({0, 0, 0});
  std::vector<hgrid::Region<3>> many(20, good);
  many[13].radius = -2;
  EXPECT_EQ(expect_error(ErrorCode::invalid_argument, [&] { built.count(Regions{many.data(), 20}); }).index, 13);
  expect_error(ErrorCode::invalid_argument, ask(hgrid::Region<3>::box({1, 0, 0}, {0, 1, 1})));
  expect_error(ErrorCode::nonfinite, ask(hgrid::Region<3>::point({0, NAN, 0})));
  for (const double scale : {-0.5, 2e15, double{NAN}}) {
    const auto refused = expect_error(ErrorCode::invalid_argument, [&] {
      built.count(Regions{&good, 1, hgrid::Take::touching, scale});
    });
    EXPECT_EQ(refused.argument, "radius_scale");
  }
  expect_error(ErrorCode::box_too_small, [&] { built.count(Regions{&good, 1, hgrid::Take::touching, 1e9}); });
  expect_error(ErrorCode::range_error, ask(hgrid::Region<3>::sphere({0, 0, 0}, 1e16)));
  expect_error(ErrorCode::box_too_small, ask(hgrid::Region<3>::box({0, 0, 0}, {1e6, 1, 1})));
  EXPECT_EQ(built.count(Regions<3>{nullptr, 0}), 0);
  expect_error(ErrorCode::invalid_argument, [&] { built.count(Regions<3>{nullptr, 2}); });
  EXPECT_EQ(expect_error(ErrorCode::size_mismatch, [&] { built.count(Regions{&good, -3}); }).value, -3);
  expect_error(ErrorCode::size_mismatch, [&] { built.for_each_partner([](auto...) {}, Regions{&good, -1}); });
  expect_error(ErrorCode::capacity, [&] { built.count(Regions{&good, hgrid::most_particles + 1}); });
  hgrid::Particles<double, 3> nowhere{};
  nowhere.count = 50;
  expect_error(ErrorCode::invalid_argument, [&] { built.valid(nowhere); });
  nowhere.count = -50;
  expect_error(ErrorCode::size_mismatch, [&] { built.valid(nowhere); });
  hgrid::VerletList list(built, {.skin = 0.1});
  const Gas gas(50), more(51);
  expect_error(ErrorCode::size_mismatch, [&] {
    list.update(support::UserArrays<double, 3>(gas.s).view(), support::UserArrays<double, 3>(more.s).view());
  });
}

TYPED_TEST(VerletMisuse, BuildsAnewWhereSomebodyElseBuiltItsGrid) {
  Gas gas(150);
  const Gas other(200, true, 5);
  hgrid::Grid<TypeParam, 3> grid(support::make_executor<TypeParam>(2), support::box_of<3>(gas.s));
  hgrid::VerletList list(grid, {.skin = 0.5});
  const auto update = [&] { return list.update(support::UserArrays<double, 3>(gas.s).view()); };
  EXPECT_TRUE(update());
  for (int turn = 0; turn < 3; ++turn) {
    grid.build(support::UserArrays<double, 3>(other.s).view());
    EXPECT_TRUE(update());
    ASSERT_TRUE(holds_all(list.neighbours(), gas.s));
    EXPECT_FALSE(update());
  }
  EXPECT_EQ(list.counters().overtaken, 3);
  EXPECT_EQ(list.counters().builds, 4);
  const double* const nothing = nullptr;
  EXPECT_THROW(grid.build(hgrid::particles<3>(nothing, nothing, 5)), hgrid::Error);
  EXPECT_FALSE(update()) << "the refused build left the grid as it was";
  auto taken = std::move(grid);
  EXPECT_TRUE(update()) << "the grid has been moved away";
  EXPECT_TRUE(holds_all(list.neighbours(), gas.s));
}

TYPED_TEST(VerletMisuse, TwoListsNeedTwoGrids) {
  const Gas gas(100), other(120, true, 5);
  hgrid::Grid<TypeParam, 3> grid(support::make_executor<TypeParam>(2), support::box_of<3>(gas.s));
  hgrid::VerletList first(grid, {.skin = 0.5}), second(grid, {.skin = 0.2});
  const auto update = [](auto& list, const Gas& g) { return list.update(support::UserArrays<double, 3>(g.s).view()); };
  for (int step = 0; step < 2; ++step) {
    EXPECT_TRUE(update(first, gas));
    EXPECT_TRUE(update(second, other));
  }
  EXPECT_EQ(expect_error(ErrorCode::stale, [&] { update(first, gas); }).argument, "grid");
  expect_error(ErrorCode::stale, [&] { update(first, gas); });
  first.build(support::UserArrays<double, 3>(gas.s).view());  // on purpose
  EXPECT_TRUE(holds_all(first.neighbours(), gas.s));
  EXPECT_FALSE(update(first, gas));
  hgrid::VerletList third(grid, {.skin = 0.5, .rebuild = false});
  EXPECT_TRUE(update(third, gas));
  first.build(support::UserArrays<double, 3>(gas.s).view());
  expect_error(ErrorCode::stale, [&] { update(third, gas); });
}

// A clock for loops in which a build costs much beside a step, as in callers that send their particles around.
struct CallersTime {
  static inline double seconds = 0;
  static double now() { return seconds; }
};

// Particles that nearly fill a small box, and ones that need most of its images.
TYPED_TEST(VerletMisuse, AChosenSkinStaysWithinTheBox) {
  for (const double radius : {0.45, 3.4}) {
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
      support::Random random(seed + 1);
      std::vector<double> x(9), v(9);
      const std::vector<double> r(3, radius);
      for (double& c : x) c = random.real();
      for (double& c : v) c = random.real(-1, 1);
      hgrid::Grid<TypeParam, 3> grid(support::make_executor<TypeParam>(2), hgrid::Box3::periodic({0, 0, 0}, {1, 1, 1}));
      hgrid::VerletList list(grid, {.skin = 0.3 / radius, .choose_skin = true, .clock = CallersTime::now});
      for (int step = 0; step < 1500; ++step) {
        const bool rebuilt = list.update(hgrid::particles<3>(x.data(), r.data(), 3));
        CallersTime::seconds += (rebuilt ? 0.02 : 0) + 1e-7 * static_cast<double>(list.neighbours().size());
        ASSERT_LE(list.skin(), std::max(0.5, 0.3 / radius)) << "step " << step;
        for (std::size_t k = 0; k < 9; ++k) x[k] += 0.01 * v[k];
      }
      EXPECT_GT(list.skin(), radius < 1 ? 0.4 : 0.1) << "a thicker skin was cheaper";
    }
  }
}

TEST(SkinChooser, GoesBackFromWhatCannotBeBuilt) {
  hgrid::detail::SkinChooser chooser(1);
  EXPECT_FALSE(chooser.retreat()) << "the first skin is the caller's";
  chooser.accept();
  const auto thicker_is_cheaper = [&] { chooser.observe(1 / chooser.skin(), 1); };
  for (int build = 0; build < 30; ++build) {
    thicker_is_cheaper();
    if (chooser.skin() > 3) {
      EXPECT_TRUE(chooser.retreat());
      EXPECT_FALSE(chooser.retreat());
    }
    chooser.accept();
    ASSERT_LE(chooser.skin(), 3);
  }
  EXPECT_GT(chooser.skin(), 1.6);
  chooser.limit(0.5);
  EXPECT_EQ(chooser.skin(), 0.5);
  for (int build = 0; build < 30; ++build) {
    thicker_is_cheaper();
    ASSERT_LE(chooser.skin(), 0.5);
  }
}

// Cost of a step: a build shared by skin / speed steps, and a list that grows with the skin.
TEST(SkinChooser, FindsTheCheapestAndFollowsIt) {
  const auto cost = [](double skin, double speed) { return 1.0 / (skin / speed) + 0.05 * std::pow(1 + skin, 3); };
  for (const double first : {0.001, 0.1, 3.0}) {
    hgrid::detail::SkinChooser chooser(first);
    for (const double speed : {0.02, 0.2}) {
      for (int build = 0; build < 300; ++build) chooser.observe(100 * cost(chooser.skin(), speed), 100);
      double best = HUGE_VAL;
      for (double skin = 1e-3; skin < 10; skin *= 1.01) best = std::fmin(best, cost(skin, speed));
      EXPECT_TRUE(chooser.resting());
      EXPECT_LT(cost(chooser.skin(), speed), 1.03 * best) << "from " << first << " at speed " << speed;
    }
  }
}

}  // namespace
