// SPDX-License-Identifier: BSD-3-Clause
// Loops in which hgrid chooses the skin: with any cost of the caller's work, in boxes down to the smallest that are allowed.
#include "hgrid/loop.hpp"
#include "support/executors.hpp"
#include "support/packings.hpp"
#include "support/results.hpp"
#include "support/skin_loop.hpp"

namespace {

using support::SkinLoop;

template <class Exec>
class ChosenSkin : public ::testing::Test {};
TYPED_TEST_SUITE(ChosenSkin, support::Executors);

TYPED_TEST(ChosenSkin, LeavesEachLoopAlive) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    SkinLoop loop(seed);
    support::CallerClock::set(seed, 0.5 * loop.per_build, loop.per_build);
    hgrid::Grid<TypeParam, 3> grid(support::make_executor<TypeParam>(2), support::box_of<3>(loop.s));
    hgrid::VerletList list(grid, {.skin = loop.skin, .choose_skin = true, .clock = support::CallerClock::seconds});
    double widest = 0;
    for (int step = 0; step < loop.steps(); ++step, loop.step()) {
      ASSERT_NO_THROW(list.update(support::UserArrays<double, 3>(loop.s).view())) << "seed " << seed << ", step " << step;
      widest = std::max(widest, list.skin());
      const support::Contacts listed = support::as_listed(list.neighbours()), contacts = oracle::contacts(loop.s);
      ASSERT_TRUE(std::includes(listed.begin(), listed.end(), contacts.begin(), contacts.end()))
          << "seed " << seed << ", step " << step;
    }
    EXPECT_LE(widest, std::max({loop.skin, loop.s.hi[0], loop.s.hi[1], loop.s.hi[2]})) << "wider than a period, seed " << seed;
    EXPECT_GT(list.counters().builds, 3);
  }
}

// The given clock decides, so a loop replays. Where builds are expensive, the skin grows.
TYPED_TEST(ChosenSkin, FollowsTheClockThatItIsGiven) {
  const auto run = [](double per_build) {
    SkinLoop loop(5);
    for (oracle::Particle& p : loop.s.particles) p.radius = 0.05;
    support::CallerClock::set(1, per_build, per_build);
    hgrid::Grid<TypeParam, 3> grid(support::make_executor<TypeParam>(2), support::box_of<3>(loop.s));
    hgrid::VerletList list(grid, {.skin = 0.05, .choose_skin = true, .clock = support::CallerClock::seconds});
    std::vector<double> skins;
    for (int step = 0; step < 400; ++step, loop.step()) {
      support::CallerClock::now += 1e-3 * static_cast<double>(list.neighbours().size());
      list.update(support::UserArrays<double, 3>(loop.s).view());
      skins.push_back(list.skin());
    }
    return skins;
  };
  const std::vector<double> dear = run(10), cheap = run(1e-9);
  EXPECT_EQ(dear, run(10));
  EXPECT_GT(dear.back(), 0.1);
  EXPECT_LT(cheap.back(), dear.back());
}

// A first skin of ten boxes, as from a code in other units, listed all pairs for some eighty builds once. Without a first skin
// the user need not know a radius.
TYPED_TEST(ChosenSkin, BeginsByTheRadii) {
  for (const double first : {0.0, 10.0, 1e12}) {
    oracle::System s = support::polydisperse(400, 7, false);
    support::CallerClock::set(1, 1, 1);
    hgrid::Grid<TypeParam, 3> grid(support::make_executor<TypeParam>(2), support::box_of<3>(s));
    hgrid::VerletList list(grid, {.skin = first, .choose_skin = true, .clock = support::CallerClock::seconds});
    double radii = 0;
    for (const oracle::Particle& p : s.particles) radii += p.radius;
    const auto count = static_cast<double>(s.particles.size());
    const std::size_t contacts = oracle::contacts(s).size();
    for (int step = 0; step < 300; ++step) {
      list.update(support::UserArrays<double, 3>(s).view());
      if (step == 0) {
        EXPECT_GT(list.skin(), 0.05 * radii / count);
        EXPECT_LT(list.skin(), 2 * radii / count);  // a level stores its largest radius only
      }
      ASSERT_LE(static_cast<std::size_t>(list.neighbours().size()), 10 * (contacts + s.particles.size()))
          << first << ", " << step;
      for (oracle::Particle& p : s.particles)
        p.x[0] += 0.1 * radii / count;  // a build is expensive, a step costs nothing: the skin grows
    }
    EXPECT_GT(list.counters().builds, 3);
  }
}

}  // namespace
