// SPDX-License-Identifier: BSD-3-Clause
// Neighbor lists of few entries, of dozens and of hundreds, which hosts sort in different ways.
#include "support/executors.hpp"
#include "support/packings.hpp"
#include "support/results.hpp"

namespace {

using hgrid::ListKind;

template <class Exec>
class ListLengths : public ::testing::Test {};
TYPED_TEST_SUITE(ListLengths, support::Executors);

/// Draws lists of a given mean length in a periodic or an open cube. In a small periodic cube many lists hold a neighbor twice.
oracle::System of_mean_length(int n, double mean, bool periodic) {
  oracle::System s;
  support::Random random(static_cast<std::uint64_t>(7 * mean) + n);
  const double reach = std::cbrt(mean / (n * 4.0 / 3.0 * 3.14159265358979));
  for (int k = 0; k < 3; ++k) s.periodic[k] = periodic, s.hi[k] = periodic ? 1 : 0;
  for (int i = 0; i < n; ++i) s.particles.push_back({.x = {random.real(), random.real(), random.real()}, .radius = reach / 2});
  return s;
}

template <class Grid>
void expect_lists(Grid& grid, const support::Contacts& half) {
  EXPECT_EQ(support::rows_of(grid, ListKind::half), half);
  EXPECT_EQ(support::rows_of(grid, ListKind::full), oracle::from_both_sides(half));
  EXPECT_EQ(support::pairs_of(grid, hgrid::Order::sorted), half);
  EXPECT_EQ(support::packed_rows_of(grid, ListKind::half), half);
  EXPECT_EQ(support::packed_rows_of(grid, ListKind::full), oracle::from_both_sides(half));
}

TYPED_TEST(ListLengths, Any) {
  for (bool periodic : {false, true}) {
    for (double mean : {0.5, 5.0, 9.0, 60.0, 185.0, 700.0}) {
      const oracle::System s = of_mean_length(1200, mean, periodic);
      const support::Contacts half = oracle::contacts(s);
      for (const auto schedule : {hgrid::Schedule::fast, hgrid::Schedule::plain}) {  // a schedule that has buckets only
        auto grid = support::built(support::make_executor<TypeParam>(3), s, {.schedule = schedule});
        expect_lists(grid, half);
      }
    }
  }
}

// In a slab thinner than two reaches, of more particles than 16 bits can number, a list of a dozen has neighbors twice.
TYPED_TEST(ListLengths, OfManyInAThinSlab) {
  const double reach = 0.008;
  oracle::System s = of_mean_length(70000, 1, true);
  s.hi[2] = 1.5 * reach;
  for (oracle::Particle& p : s.particles) p.x[2] *= s.hi[2], p.radius = reach / 2;
  auto grid = support::built(support::make_executor<TypeParam>(3), s);
  const support::Contacts half = support::sorted(support::pairs_of(grid));  // without taking part in a list
  const auto twin = [](const oracle::Contact& a, const oracle::Contact& b) { return a.i == b.i && a.j == b.j; };
  ASSERT_NE(std::adjacent_find(half.begin(), half.end(), twin), half.end());
  ASSERT_GT(half.size(), 8u * 70000 / 2);
  expect_lists(grid, half);
}

// Lists that are short on the average, and long ones side by side among them: their bucket is larger than usual.
TYPED_TEST(ListLengths, OfManyInOneBucket) {
  constexpr int dense = 400, alone = 30000;
  oracle::System s;
  support::Contacts half;
  support::Random random(8);
  for (int i = 0; i < dense; ++i) {
    s.particles.push_back({.x = {random.real(), random.real(), random.real()}, .radius = 1});
    for (int j = i + 1; j < dense; ++j) half.push_back({i, j, {0, 0, 0}});
  }
  for (int i = 0; i < alone; ++i) s.particles.push_back({.x = {10 + 3.0 * (i % 200), 3.0 * (i / 200), 0}, .radius = 1});
  auto grid = support::built(support::make_executor<TypeParam>(3), s);
  expect_lists(grid, half);
}

// Particles lie far outside the box, and in a box whose vectors give images large numbers.
TYPED_TEST(ListLengths, OfLargeImages) {
  for (double mean : {4.0, 70.0}) {
    oracle::System s = of_mean_length(500, mean, true);
    support::Random random(3);
    for (std::size_t k = 0; k < s.particles.size(); k += 3) {
      for (double& x : s.particles[k].x) x += random.integer(-3, 3) * 0x1p16;
    }
    auto wrapped = support::built(support::make_executor<TypeParam>(3), s);
    expect_lists(wrapped, oracle::contacts(s));
    s.tilt[0] = 40.3;
    auto tilted = support::built(support::make_executor<TypeParam>(3), s);
    expect_lists(tilted, oracle::contacts(s));
    s.tilt[2] = -20;
    auto twice = support::built(support::make_executor<TypeParam>(3), s);
    EXPECT_EQ(support::rows_of(twice, ListKind::full), oracle::from_both_sides(oracle::contacts(s)));
    try {
      support::packed_rows_of(twice, ListKind::full);
      FAIL() << "images of thousands of periods have no room in a packed list";
    } catch (const hgrid::Error& e) {
      EXPECT_EQ(e.code(), hgrid::ErrorCode::unsupported);
    }
  }
}

}  // namespace
