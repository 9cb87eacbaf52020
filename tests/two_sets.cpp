// SPDX-License-Identifier: BSD-3-Clause
// Contacts between the particles of two grids: random systems cut in two, many neighbors, and refusals.
#include <gtest/gtest.h>

#include <mutex>
#include <stdexcept>

#include "support/asked.hpp"
#include "support/gas.hpp"
#include "support/grids_test.hpp"
#include "support/loop_cases.hpp"
#include "support/random_suite.hpp"
#include "support/two_sets_cases.hpp"

namespace {

using hgrid::ErrorCode;
using hgrid::Image;
using hgrid::index_t;
using hgrid::Regions;
using support::expect_error;

template <class Exec>
class TwoSets : public support::GridsTest<Exec> {};
TYPED_TEST_SUITE(TwoSets, support::Executors);

TYPED_TEST(TwoSets, OfRandomSystems) {
  const std::uint64_t first = support::from_environment("HGRID_SEED", 1);
  const std::uint64_t systems = support::from_environment("HGRID_SYSTEMS", 500);
  for (std::uint64_t seed = first; seed < first + systems; ++seed) {
    const support::Case c = support::make_case(seed);
    const auto run = [&]<class Real, int D>() { return support::check_two_sets<Real, D>(this->exec(), c); };
    ASSERT_EQ(support::in_types_of(c, run), "") << "seed " << seed << "\n" << support::to_text(c);
  }
}

// Enough neighbors of similar sizes that whole lists are found at once, and enough of all sizes that entries are sorted.
TYPED_TEST(TwoSets, OfManyNeighbours) {
  for (const bool periodic : {false, true}) {
    for (const double ratio : {1.0, 3.0, 50.0}) {
      oracle::System whole = support::polydisperse(6000, ratio, periodic, 5);
      for (std::size_t i = 0; i < whole.particles.size(); ++i) {
        whole.particles[i].radius *= ratio > 10 ? 2 : 3.5;
        if (i % 5 == 0) whole.particles[i].group = static_cast<int>(i % 7);
      }
      whole.owned = 5500, whole.skin = 0.1 * whole.particles[0].radius;
      support::Random random(7);
      const support::TwoSets sets = support::cut(whole, random);
      const std::size_t least = ratio == 1 ? 32 : 4;  // bricks find whole lists of so many
      ASSERT_GT(sets.expected.size(), least * sets.asking.particles.size()) << ratio;
      auto asking = support::built(this->exec(), sets.asking), asked = support::built(this->exec(), sets.asked);
      for (int time = 0; time < 2; ++time) {  // for the expected radius, and for the last one
        const auto found = support::asked(asked, asking);
        ASSERT_EQ(support::difference("listed", support::as_listed(this->exec(), found), sets.expected), "");
      }
    }
  }
}

TYPED_TEST(TwoSets, ThatAreOneHaveThemselvesToo) {
  const oracle::System s = support::polydisperse(500, 4, true, 3);
  auto grid = support::built(this->exec(), s);
  support::Contacts expected = oracle::neighbours(s);
  for (std::int64_t i = 0; i < 500; ++i) expected.push_back({i, i, {}});
  const auto found = support::as_listed(this->exec(), support::asked(grid, grid));
  EXPECT_EQ(support::difference("listed", found, support::sorted(expected)), "");
}

// Half the skin of either grid counts, so a list holds as long as both grids report it valid.
TYPED_TEST(TwoSets, HaveHalfTheSkinOfEither) {
  typename TestFixture::Grid a(this->exec()), b(this->exec());
  const std::vector<double> x{0, 0, 0}, y{2.25, 0, 0}, r{1};
  const auto found = [&](double skin_of_a, double skin_of_b) {
    a.build(x, r, {.skin = skin_of_a}), b.build(y, r, {.skin = skin_of_b});
    return b.count(a);
  };
  EXPECT_EQ(found(0, 0), 0);
  EXPECT_EQ(found(0.5, 0), 1);
  EXPECT_EQ(found(0, 0.5), 1);
  EXPECT_EQ(found(0.25, 0.25), 1);
  EXPECT_EQ(found(0.25, 0.125), 0);
}

TYPED_TEST(TwoSets, AreRefusedWhereTheyCannotBeCompared) {
  const std::vector<double> x{0.5, 0.5, 0.5}, r{0.1};
  const auto box = hgrid::Box3::periodic({0, 0, 0}, {1, 1, 1});
  auto grid = this->grid_of(box, x, r), wider = this->grid_of(hgrid::Box3::periodic({0, 0, 0}, {2, 1, 1}), x, r);
  auto by_max = this->grid_of(box, x, r, {.rule = hgrid::Rule::max});
  typename TestFixture::Grid none(this->exec(), box), worlds(this->exec(), box), typed(this->exec(), box);
  auto view = hgrid::particles<3>(x.data(), r.data(), 1);
  const index_t zero = 0;
  view.worlds = {&zero, 3};
  worlds.build(view);
  const double cutoff = 0.2;
  view.worlds = {}, view.cutoffs = {&zero, &cutoff, 1};
  typed.build(view);
  auto list = support::asked(grid, grid);
  EXPECT_EQ(list.size(), 1);
  const auto ask = [&](auto& other) { return [&] { grid.find(list, other); }; };
  expect_error(ErrorCode::not_built, ask(none));
  EXPECT_EQ(expect_error(ErrorCode::invalid_argument, ask(wider)).argument, "asking");
  expect_error(ErrorCode::invalid_argument, ask(by_max));
  EXPECT_EQ(expect_error(ErrorCode::size_mismatch, ask(worlds)).count, 3);
  EXPECT_EQ(expect_error(ErrorCode::size_mismatch, ask(typed)).count, 1);
  EXPECT_EQ(list.size(), 1);  // as it was
  typename TestFixture::Grid others(this->exec());
  view.cutoffs = {}, view.worlds = {&zero, 1};
  others.set_boxes({hgrid::Box3::periodic({0, 0, 0}, {1, 1, 1})});
  others.build(view);
  typename TestFixture::Grid wide(this->exec());
  wide.set_boxes({hgrid::Box3::periodic({0, 0, 0}, {1, 1, 2})});
  wide.build(view);
  EXPECT_EQ(others.count(others), 1);
  expect_error(ErrorCode::invalid_argument, [&] { others.count(wide); });
}

// Two tiny clusters at opposite faces of a box touch under shifts that are far larger than either.
TYPED_TEST(TwoSets, ThatAreTinyMeetAcrossAFace) {
  for (const double size : {1e-9, 1e-11, 1e-12}) {
    oracle::System whole;
    for (int k = 0; k < 3; ++k) whole.periodic[k] = true, whole.hi[k] = 1;
    support::Random random(3);
    for (int n = 0; n < 4000; ++n) {
      oracle::Particle p{.radius = random.real(0.03, 0.06) * size};
      for (double& x : p.x) x = random.real(0, 1) * size;
      if (n % 2 == 0) p.x[0] = 1 - p.x[0];
      whole.particles.push_back(p);
    }
    support::TwoSets sets{whole, whole, {}, {}};
    for (oracle::System* set : {&sets.asking, &sets.asked}) set->particles.clear();
    for (std::size_t i = 0; i < 4000; ++i) (i % 2 == 0 ? sets.asking : sets.asked).particles.push_back(whole.particles[i]);
    for (const oracle::Contact& c : oracle::neighbours(whole)) {
      if (c.i % 2 == 0 && c.j % 2 == 1) sets.expected.push_back({c.i / 2, c.j / 2, c.m});
    }
    ASSERT_GT(sets.expected.size(), 150u);
    auto asking = support::built(this->exec(), sets.asking), asked = support::built(this->exec(), sets.asked);
    const auto found = support::as_listed(this->exec(), support::asked(asked, asking));
    EXPECT_EQ(support::difference("listed", found, sets.expected), "") << size;
  }
}

// An error of regions is no error of later queries, and regions may be queried while a functor runs.
TYPED_TEST(TwoSets, AndRegionsDoNotMeet) {
  const oracle::System s = support::polydisperse(500, 2, true, 3);
  auto a = support::built(this->exec(), s), b = support::built(this->exec(), s);
  auto list = support::asked(b, a), other = support::asked(b, a);
  const auto all = list.size();
  const auto bad = hgrid::Region<3>::sphere({1, 1, 1}, -1);
  expect_error(ErrorCode::invalid_argument, [&] { b.find(list, Regions{&bad, 1}); });
  b.enqueue(list, a);
  b.wait(list, a);
  EXPECT_EQ(list.size(), all);
  const std::vector<hgrid::Region<3>> points(200, hgrid::Region<3>::sphere({1, 1, 1}, 2));
  const auto of_one = b.count(Regions{points.data(), 1});
  ASSERT_GT(of_one, 0);
  const auto asks = [&](index_t i, index_t, const Image&) {
    return i > 5 || (b.count(Regions{points.data(), 200}) == 200 * of_one &&
                     support::asked(b, Regions{points.data(), 3}).size() == 3 * of_one);
  };
  b.find(list, a, hgrid::only(asks));
  EXPECT_EQ(list.size(), all);
  expect_error(ErrorCode::reentrancy, [&] {
    b.find(list, a, hgrid::only([&](index_t, index_t, const Image&) { return b.enqueue(other, a), true; }));
  });
}

// Systems (worlds) have boxes of very different sizes, and multiples of radii that no box would hold.
TYPED_TEST(TwoSets, OfManySpheresAreAskedAsFewAre) {
  const std::vector<double> x{50, 50, 50, 52, 50, 50, 0.2, 0.2, 0.2}, r{3, 3, 0.05};
  const std::vector<index_t> world{0, 0, 1};
  typename TestFixture::Grid grid(this->exec());
  grid.set_boxes({hgrid::Box3::periodic({0, 0, 0}, {100, 100, 100}), hgrid::Box3::periodic({0, 0, 0}, {0.5, 0.5, 0.5})});
  auto view = hgrid::particles<3>(x.data(), r.data(), 3);
  view.worlds = {world.data(), 2};
  grid.build(view);
  std::vector<hgrid::Region<3>> points;
  for (int q = 0; q < 200; ++q) {
    points.push_back(
        hgrid::Region<3>::sphere({q % 2 == 0 ? 50.0 : 0.2, q % 2 == 0 ? 50.0 : 0.2, q % 2 == 0 ? 50.0 : 0.2}, 0.01));
    points.back().world = q % 2;
  }
  for (const auto& [take, scale] : {std::pair{hgrid::Take::centres, 1.0}, {hgrid::Take::touching, 0.1}}) {
    const auto few = grid.count(Regions{points.data(), 2, take, scale});
    EXPECT_EQ(few, 2);
    EXPECT_EQ(support::asked(grid, Regions{points.data(), 200, take, scale}).size(), 100 * few);
  }
  const oracle::System s = support::polydisperse(300, 2, false, 3);
  auto open = support::built(this->exec(), s);
  for (hgrid::Region<3>& q : points) q.world = 0;
  for (const double scale : {1e6, 1e12, 1e15})
    EXPECT_EQ(open.count(Regions{points.data(), 200, hgrid::Take::touching, scale}), 60000);
}

TYPED_TEST(TwoSets, CallBack) {
  const oracle::System s = support::polydisperse(300, 2, true, 3);
  auto a = support::built(this->exec(), s), b = support::built(this->exec(), s);
  auto list = support::asked(b, a);
  const auto all = list.size();
  const auto builds = [&](auto& grid) {
    return [&](index_t, index_t, const Image&) {
      grid.build(std::vector<double>{0, 0, 0}, std::vector<double>{0.1});
      return true;
    };
  };
  expect_error(ErrorCode::reentrancy, [&] { b.find(list, a, hgrid::only(builds(a))); });
  expect_error(ErrorCode::reentrancy, [&] { b.find(list, a, hgrid::only(builds(b))); });
  expect_error(ErrorCode::reentrancy, [&] { b.for_each_partner(builds(b), a); });
  const auto throws_once = [](index_t i, index_t, const Image&) { return i == 40 ? throw std::runtime_error("") : true; };
  EXPECT_THROW(b.find(list, a, hgrid::only(throws_once)), std::runtime_error);
  EXPECT_TRUE(list.size() == 0 || list.size() == all);  // empty or as it was
  EXPECT_THROW(b.for_each_partner([](index_t, index_t, const Image&) { throw std::runtime_error(""); }, a), std::runtime_error);
  EXPECT_EQ(b.count(a, hgrid::only([](index_t i, index_t j, const Image&) { return i == j; })), 300);
}

}  // namespace
