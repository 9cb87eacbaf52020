// SPDX-License-Identifier: BSD-3-Clause
// Particles that are inserted into a built grid one by one, against all pairs and against a build of all.
#include "hgrid/find/insertions.hpp"

#include "support/counting_new.hpp"
#include "support/executors.hpp"
#include "support/gas.hpp"
#include "support/insertion_cases.hpp"
#include "support/random_suite.hpp"

namespace {

using hgrid::ErrorCode;
using hgrid::Image;
using hgrid::index_t;
using support::expect_error;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

template <class Exec>
class Insertions : public ::testing::Test {
 protected:
  static hgrid::Grid<Exec, 3> grid_of(const hgrid::Box3& box, const std::vector<double>& x, const std::vector<double>& r) {
    hgrid::Grid<Exec, 3> grid(support::make_executor<Exec>(2), box);
    grid.build(x, r);
    return grid;
  }
};
TYPED_TEST_SUITE(Insertions, support::Executors);

TYPED_TEST(Insertions, TouchWhatAllPairsSay) {
  const std::uint64_t systems = support::from_environment("HGRID_SYSTEMS", 3000);
  for (std::uint64_t seed = 1; seed <= systems; ++seed) {
    const support::Case c = support::of_spheres(support::make_case(seed));
    ASSERT_EQ(support::check_insertions(support::make_executor<TypeParam>(2), c), "") << "seed " << seed << "\n"
                                                                                      << support::to_text(c);
  }
}

// Inserts 10^4 particles into 10^5 with sizes 1:10. All of their pairs equal the pairs of a full build, and the pairs of some
// equal brute force.
TYPED_TEST(Insertions, ThousandsBetweenTwoBuilds) {
  constexpr int built = 100000, inserted = 10000;
  for (const bool periodic : {false, true}) {
    const oracle::System all = support::polydisperse(built + inserted, 10, periodic, 5);
    oracle::System before = all;
    before.particles.resize(built);
    auto grid = support::built(support::make_executor<TypeParam>(2), before);
    hgrid::Insertions insertions(grid);
    support::Contacts found, expected;
    for (int i = built; i < built + inserted; ++i) {
      const oracle::Particle& p = all.particles[static_cast<std::size_t>(i)];
      insertions.for_each_touching(support::position_of<3>(p), p.radius, [&](index_t j, const Image& m) {
        found.push_back({j, i, {-m[0], -m[1], -m[2]}});
      });
      ASSERT_EQ(insertions.insert(support::position_of<3>(p), p.radius), i);
    }
    EXPECT_EQ(insertions.count(), inserted);
    EXPECT_LT(insertions.bytes(), 2 * 100 * inserted);
    grid.build(support::UserArrays<double, 3>(all).view());
    for (const oracle::Contact& c : support::pairs_of(grid, hgrid::Order::sorted)) {
      if (c.j >= built) expected.push_back(c);
    }
    EXPECT_EQ(support::sorted(found), expected);
    std::vector<std::size_t> some;
    for (std::size_t i = built; i < all.particles.size(); i += 100) some.push_back(i);
    std::erase_if(expected, [](const oracle::Contact& c) { return c.j % 100 != 0 && !(c.i >= built && c.i % 100 == 0); });
    EXPECT_EQ(expected, oracle::contacts_of(all, some));
  }
}

// Draws nine decades of sizes, each more often than the next. Particles of one size are close together, and each meets larger
// ones.
TYPED_TEST(Insertions, SizesThatTheGridHasNot) {
  support::Random random(8);
  oracle::System all;
  all.particles.assign(500, {.radius = 1});
  for (oracle::Particle& p : all.particles) {
    for (double& x : p.x) x = random.real(0, 20);
  }
  for (int n = 0; n < 3000; ++n) {
    const double r = 1e3 * std::pow(10, -9 * std::sqrt(random.real()));
    oracle::Particle p{.radius = n % 50 == 0 ? 0 : r};
    for (double& x : p.x) x = random.real(-40, 40) * std::max(r, 1e-3);
    all.particles.push_back(p);
  }
  auto grid = this->grid_of(hgrid::Box3::open(), {}, {});
  oracle::System before = all;
  before.particles.resize(500);
  grid.build(support::UserArrays<double, 3>(before).view());
  hgrid::Insertions insertions(grid);
  const auto expected = support::touched_by_each(all);
  for (std::size_t i = 500; i < all.particles.size(); ++i) {
    const oracle::Particle& p = all.particles[i];
    support::Contacts found;
    insertions.for_each_touching(support::position_of<3>(p), p.radius, [&](index_t j, const Image& m) {
      found.push_back(support::contact(static_cast<std::int64_t>(i), j, &m));
    });
    ASSERT_EQ(support::sorted(found), expected[i]) << i;
    insertions.insert(support::position_of<3>(p), p.radius);
  }
}

TYPED_TEST(Insertions, JustTouching) {
  const double r = 0.1, touching = 2 * r;
  auto grid = this->grid_of(hgrid::Box3::open(), {0, 0, 0}, {r});
  hgrid::Insertions insertions(grid);
  EXPECT_TRUE(insertions.touches({touching, 0, 0}, r));
  EXPECT_FALSE(insertions.touches({std::nextafter(touching, 1), 0, 0}, r));
  EXPECT_EQ(insertions.insert({10, 0, 0}, r), 1);
  EXPECT_TRUE(insertions.touches({10, 10, 0}, 10 - r));
  EXPECT_TRUE(insertions.touches({10, 0, -4}, 4 - r));
  EXPECT_FALSE(insertions.touches({10, 0, -4}, std::nextafter(4 - r, 0)));
  EXPECT_EQ(insertions.insert({5, 5, 5}, 0), 2) << "a point";
  EXPECT_TRUE(insertions.touches({5, 5, 5}, 0));
  EXPECT_FALSE(insertions.touches({5, 5, std::nextafter(5, 6)}, 0));
  EXPECT_TRUE(insertions.touches({5, 5, 6}, 1));
}

TYPED_TEST(Insertions, ByTheLargerRadius) {
  hgrid::Grid<TypeParam, 3> grid(support::make_executor<TypeParam>(2), hgrid::Box3::open(), {.rule = hgrid::Rule::max});
  grid.build(std::vector<double>{0, 0, 0}, std::vector<double>{1});
  hgrid::Insertions insertions(grid);
  EXPECT_FALSE(insertions.touches({2, 0, 0}, 1.5));
  EXPECT_TRUE(insertions.touches({2, 0, 0}, 2));
  insertions.insert({10, 0, 0}, 2);
  EXPECT_FALSE(insertions.touches({13, 0, 0}, 2.5));
  EXPECT_TRUE(insertions.touches({13, 0, 0}, 3));
}

TYPED_TEST(Insertions, AcrossFacesAndOnesOwnImages) {
  auto grid = this->grid_of(hgrid::Box3::periodic({0, 0, 0}, {10, 10, 10}), {}, {});
  hgrid::Insertions insertions(grid);
  EXPECT_EQ(insertions.insert({-0.5, 20.5, 5}, 1), 0) << "into a grid of nothing";
  std::vector<std::pair<index_t, Image>> found;
  const auto take = [&](index_t id, const Image& m) { found.emplace_back(id, m); };
  insertions.for_each_touching({10.5, 0.5, -5}, 1, take);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].first, 0);
  EXPECT_EQ(found[0].second, (Image{{1, -2, -1}})) << "x_i - x_j - m L is short";
  EXPECT_FALSE(insertions.touches({5, 5, 5}, std::nextafter(5, 0))) << "of 10, which is the period";
  EXPECT_TRUE(insertions.touches({5, 5, 5}, 5));
  EXPECT_FALSE(insertions.insert_if_free({5, 5, 5}, 5));
  found.clear();
  insertions.for_each_touching({5, 5, 5}, 5, [&](index_t id, const Image& m) { found.emplace_back(id, m); });
  EXPECT_EQ(std::ranges::count_if(found, [](const auto& f) { return f.first == 1; }), 6) << "it would have had id 1";
  EXPECT_EQ(insertions.count(), 1);
}

// Border cells hold particles beyond the range of cell numbers.
TYPED_TEST(Insertions, FarFromTheGrid) {
  auto grid = this->grid_of(hgrid::Box3::open(), {0, 0, 0, 3, 0, 0}, {1, 1});
  hgrid::Insertions insertions(grid);
  for (const double far : {1e6, 1e12, -1e15}) {
    EXPECT_FALSE(insertions.touches({far, far, far}, 1));
    insertions.insert({far, far, far}, 1);
    EXPECT_TRUE(insertions.touches({far, far, far}, 1e-3));
    EXPECT_FALSE(insertions.touches({far, -far, far}, 1e-3));
  }
  EXPECT_FALSE(insertions.touches({-5, 0, 0}, 3.5));
  EXPECT_TRUE(insertions.touches({-5e14, 1, 1}, 1e15));
}

TYPED_TEST(Insertions, EndWithABuild) {
  auto grid = this->grid_of(hgrid::Box3::open(), {0, 0, 0}, {1});
  hgrid::Insertions insertions(grid);
  EXPECT_EQ(insertions.insert_if_free({5, 0, 0}, 1), 1);
  EXPECT_EQ(insertions.insert_if_free({6, 0, 0}, 1), std::nullopt);
  EXPECT_EQ(insertions.insert_if_free({8, 0, 0}, 1), 2);
  insertions.clear();
  EXPECT_EQ(insertions.count(), 0);
  EXPECT_EQ(insertions.insert_if_free({6, 0, 0}, 1), 1);
  grid.build(std::vector<double>{0, 0, 0, 20, 0, 0, 30, 0, 0}, std::vector<double>{1, 1, 1});
  EXPECT_EQ(insertions.count(), 0);
  EXPECT_FALSE(insertions.touches({6, 0, 0}, 1)) << "it was not among the particles of the build";
  EXPECT_TRUE(insertions.touches({30, 1, 0}, 0.5));
  EXPECT_EQ(insertions.insert_if_free({6, 0, 0}, 1), 3);
  EXPECT_EQ(insertions.count(), 1);
  EXPECT_ANY_THROW(grid.build(std::vector<double>{nan, 0, 0}, std::vector<double>{1}));
  EXPECT_EQ(insertions.count(), 1) << "the grid is as it was";
  EXPECT_TRUE(insertions.touches({6, 0, 0}, 1));
}

TYPED_TEST(Insertions, Errors) {
  hgrid::Grid<TypeParam, 3> empty(support::make_executor<TypeParam>(2));
  hgrid::Insertions none(empty);
  expect_error(ErrorCode::not_built, [&] { none.insert({0, 0, 0}, 1); });
  EXPECT_EQ(none.count(), 0);
  auto grid = this->grid_of(hgrid::Box3::periodic({0, 0, 0}, {10, 10, 10}), {1, 1, 1, 2, 2, 2}, {1, 1});
  hgrid::Insertions insertions(grid);
  insertions.insert({5, 5, 5}, 1);
  const auto expect = [&](ErrorCode code, const char* argument, hgrid::Vec<double, 3> x, double r, double value,
                          index_t world = 0) {
    for (int call = 0; call < 4; ++call) {
      const auto detail = expect_error(code, [&] {
        if (call == 0) insertions.touches(x, r, world);
        if (call == 1) insertions.insert(x, r, world);
        if (call == 2) insertions.insert_if_free(x, r, world);
        if (call == 3)
          insertions.for_each_touching(
              x, r, [](index_t, const Image&) {}, world);
      });
      EXPECT_EQ(detail.argument, argument);
      EXPECT_EQ(detail.index, 3) << "the id that it would have had";
      EXPECT_TRUE(detail.value == value || std::isnan(value)) << detail.value;
      EXPECT_EQ(insertions.count(), 1);
    }
  };
  expect(ErrorCode::nonfinite, "positions", {0, nan, 0}, 1, nan);
  expect(ErrorCode::nonfinite, "positions", {0, 0, -HUGE_VAL}, 1, -HUGE_VAL);
  expect(ErrorCode::nonfinite, "radii", {0, 0, 0}, nan, nan);
  expect(ErrorCode::negative_radius, "radii", {0, 0, 0}, -1, -1);
  expect(ErrorCode::range_error, "radii", {0, 0, 0}, 1e-16, 1e-16);
  expect(ErrorCode::range_error, "radii", {0, 0, 0}, 2e15, 2e15);
  expect(ErrorCode::range_error, "positions", {0, 2e15, 0}, 1, 2e15);
  expect(ErrorCode::range_error, "positions", {0, 1e12, 0}, 1, 1e12);
  expect(ErrorCode::box_too_small, "radii", {0, 0, 0}, 36, 36);
  expect(ErrorCode::range_error, "worlds", {0, 0, 0}, 1, 1, 1);
  expect(ErrorCode::range_error, "worlds", {0, 0, 0}, 1, -1, -1);
  const auto moved = std::move(grid);
  expect_error(ErrorCode::not_built, [&] { insertions.touches({0, 0, 0}, 1); });
}

TYPED_TEST(Insertions, FromAFunctor) {
  auto grid = this->grid_of(hgrid::Box3::open(), {0, 0, 0}, {1});
  hgrid::Insertions insertions(grid);
  expect_error(ErrorCode::reentrancy, [&] {
    insertions.for_each_touching({1, 0, 0}, 1, [&](index_t, const Image&) { insertions.insert({9, 0, 0}, 1); });
  });
  expect_error(ErrorCode::reentrancy, [&] {
    insertions.for_each_touching({1, 0, 0}, 1, [&](index_t, const Image&) {
      grid.build(std::vector<double>{0, 0, 0}, std::vector<double>{1});
    });
  });
  expect_error(ErrorCode::reentrancy, [&] {
    insertions.for_each_touching({1, 0, 0}, 1, [&](index_t, const Image&) { insertions.clear(); });
  });
  bool seen = false;
  insertions.for_each_touching({1, 0, 0}, 1, [&](index_t, const Image&) { seen = insertions.touches({0, 1, 0}, 1); });
  EXPECT_TRUE(seen);
  EXPECT_EQ(insertions.insert({9, 0, 0}, 1), 1);
}

// Each allocation fails once: nothing has changed, and the next call inserts.
TYPED_TEST(Insertions, MemoryRunsOut) {
  auto grid = this->grid_of(hgrid::Box3::open(), {0, 0, 0}, {1});
  hgrid::Insertions insertions(grid);
  support::Allocations& allocations = support::Allocations::get();
  index_t failures = 0;
  for (index_t i = 1; i <= 1000; ++i) {
    for (std::int64_t ahead = 0; insertions.count() < i; ++ahead) {
      allocations.fail_at = allocations.count + ahead;
      try {
        ASSERT_EQ(insertions.insert({4.0 * i, 0, 0}, 1), i);
      } catch (const hgrid::Error& e) {
        EXPECT_EQ(e.code(), ErrorCode::out_of_memory);
        EXPECT_EQ(insertions.count(), i - 1);
        EXPECT_EQ(insertions.touches({4.0 * (i - 1), 1, 0}, 1), true) << "what was there before";
        ++failures;
      }
      allocations.fail_at = -1;
    }
  }
  EXPECT_EQ(failures, 2 * 5) << "room for 64, 128, ... 1,024";
  insertions.clear();
  const std::int64_t before = allocations.count;
  for (index_t i = 1; i <= 1000; ++i) insertions.insert({4.0 * i, 0, 0}, 1);
  EXPECT_EQ(allocations.count, before) << "it keeps its room";
}

// The skin of a grid's build is for lists.
TYPED_TEST(Insertions, DoNotSeeTheSkin) {
  hgrid::Grid<TypeParam, 3> grid(support::make_executor<TypeParam>(2));
  grid.build(std::vector<double>{0, 0, 0}, std::vector<double>{1}, {.skin = 0.5});
  hgrid::Insertions insertions(grid);
  EXPECT_FALSE(insertions.touches({2.25, 0, 0}, 1));
  insertions.insert({10, 0, 0}, 1);
  EXPECT_FALSE(insertions.touches({12.25, 0, 0}, 1));
}

}  // namespace
