// SPDX-License-Identifier: BSD-3-Clause
// The margin of the host search's single-precision columns: each of their decisions is the predicate's.
#include "host/search/filter_columns.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "hgrid/core/predicate.hpp"
#include "support/packings.hpp"
#include "support/random.hpp"
#include "support/results.hpp"

namespace {

using hgrid::detail::FilterColumns;

float* const nowhere[4] = {};

struct Ball {
  hgrid::Vec<double, 3> x;
  double a;
};

using Offset = hgrid::Vec<double, 3>;

bool touch(const Ball& p, const Ball& q, const Offset& by, double skin) {
  double d[3];
  for (int k = 0; k < 3; ++k) d[k] = hgrid::detail::separated(p.x[k], q.x[k], by[k]);
  return hgrid::detail::is_within<3>(d, hgrid::detail::listing_distance<true>(p.a, q.a, skin));
}

struct Asked {
  float t;
  bool inside;  // the margin
};

/// How floats are reckoned with: denormal numbers may count as 0.
struct Floats {
  bool fused, flushed;

  float number(double x) const {
    const float f = static_cast<float>(x);
    return flushed && std::fabs(f) < 0x1p-126f ? 0.0f : f;
  }
  /// Returns the square of a distance less the square of the vector between.
  float t(float distance, const float (&apart)[3]) const {
    volatile float t = distance * distance;
    for (float d : apart) {
      volatile float square = d * d;
      t = fused ? std::fma(-d, d, t) : t - square;
    }
    return t;
  }
};

/// Returns the filter's answer for the columns of two balls, p moved by a shift.
Asked ask(const FilterColumns<3>& columns, const Ball& p, const Ball& q, const Offset& by, double skin, double longest,
          const Floats& floats) {
  float apart[3];
  for (int k = 0; k < 3; ++k) {
    apart[k] = floats.number(columns.from_origin(p.x[k], by[k], k)) - floats.number(q.x[k] - columns.origin[k]);
  }
  const float t = floats.t(floats.number(p.a + 0.5 * skin) + floats.number(q.a + 0.5 * skin), apart);
  return {t, std::fabs(t) <= columns.margin(longest)};
}

/// Returns the answer of a brick around a centre. Its candidates are moved by shifts, and lie no farther than `extent`.
Asked ask_brick(const Offset& centre, double extent, const Ball& p, const Ball& q, const Offset& by, double skin,
                const Floats& floats) {
  float apart[3];
  for (int k = 0; k < 3; ++k) apart[k] = floats.number(p.x[k] - centre[k]) - floats.number(q.x[k] + by[k] - centre[k]);
  const float distance = floats.number(hgrid::detail::filter_radius(p.a, skin, true)) +
                         floats.number(hgrid::detail::filter_radius(q.a, skin, true));
  const float t = floats.t(distance, apart);
  const hgrid::detail::MarginOfDistance of(extent);
  const float margin = floats.fused ? std::fma(std::fma(distance, of.squared, of.linear), distance, of.least)
                                    : (distance * of.squared + of.linear) * distance + of.least;
  return {t, std::fabs(t) <= margin};
}

/// Moves q to p's surface, give or take a few times the resolution of the columns, or a few units in the last place.
void bring_near(support::Random& random, const Ball& p, double extent, double skin, Ball& q) {
  double e[3], norm = 0;
  for (double& c : e) c = random.chance(0.3) ? 0 : random.real(-1, 1), norm += c * c;
  if (norm == 0) e[0] = norm = 1;
  const double distance = p.a + q.a + skin;
  const double off = random.chance(0.3) ? 0 : random.real(-8, 8) * 0x1p-24 * (random.chance(0.5) ? extent : distance);
  const double to = std::fmax(0, distance + off) / std::sqrt(norm);
  for (int k = 0; k < 3; ++k) q.x[k] = p.x[k] + to * e[k];
  q.a = support::ulps_away(q.a, q.a > 0 ? random.integer(-3, 3) : 0);
}

TEST(FilterColumns, DecideAsThePredicateDoes) {
  support::Random random(20261122);
  int sure = 0, asked = 0;
  for (int trial = 0; trial < 2000000; ++trial) {
    const double scale = random.chance(0.5) ? 1 : random.log_real(0x1p-150, 0x1p+50);
    const double size = scale * random.log_real(1, 1e7);
    const hgrid::Vec<double, 3> middle{random.real(-1, 1) * size * random.log_real(1, 0x1p+40), 0, random.real(-1, 1) * size};
    hgrid::Vec<double, 3> lo, hi;
    for (int k = 0; k < 3; ++k) lo[k] = middle[k] - size, hi[k] = middle[k] + size * random.real();
    const FilterColumns<3> columns(nowhere, lo, hi);
    Ball p, q;
    const double skin = random.chance(0.3) ? 0.3 * scale : 0;
    p.a = random.chance(0.1) ? 0 : random.real(0, 1) * scale;
    q.a = random.chance(0.1) ? 0 : random.log_real(1e-3, 1) * scale;
    for (int k = 0; k < 3; ++k) q.x[k] = random.real(lo[k], hi[k]);
    bring_near(random, q, size, skin, p);
    Offset by{};
    if (random.chance(0.5)) {  // then it comes from anywhere to a place beyond the bounds by the vector between
      for (int k = 0; k < 3; ++k) by[k] = random.real(-2, 2) * size, p.x[k] += by[k];
    } else {
      for (int k = 0; k < 3; ++k) p.x[k] = std::fmin(std::fmax(p.x[k], lo[k]), hi[k]);
    }
    const double longest = (p.a + q.a) * random.real(1, 1.5) + skin;
    const Asked found = ask(columns, p, q, by, skin, longest, {random.chance(0.5), random.chance(0.2)});
    ASSERT_EQ(found.t, found.t) << "no number in trial " << trial;
    ++(found.inside ? asked : sure);
    if (found.inside) continue;
    ASSERT_EQ(found.t > 0, touch(p, q, by, skin)) << "trial " << trial << ", t " << found.t;
  }
  EXPECT_GT(sure, 200000);  // for pairs that were put where the decision is hard
  EXPECT_GT(asked, 200000);
}

// The margin computed for each candidate of a brick. Brick and shifts may be far from the origin.
TEST(FilterColumns, BricksDecideAsThePredicateDoes) {
  support::Random random(20261125);
  int sure = 0, asked = 0;
  for (int trial = 0; trial < 2000000; ++trial) {
    const double scale = random.chance(0.5) ? 1 : random.log_real(0x1p-40, 0x1p+40);
    const double size = scale * random.log_real(1, 1e3), far = size * (random.chance(0.5) ? 1 : random.log_real(1, 1e9));
    Ball p, q;
    Offset centre, by{};
    const double skin = random.chance(0.3) ? 0.3 * scale : 0;
    p.a = random.chance(0.1) ? 0 : random.real(0, 1) * scale;
    q.a = random.chance(0.1) ? 0 : random.log_real(1e-3, 1) * scale;
    double bound = 0, largest = 0;
    for (int k = 0; k < 3; ++k) centre[k] = random.real(-far, far), p.x[k] = centre[k] + random.real(-size, size);
    bring_near(random, p, size, skin, q);
    for (int k = 0; k < 3; ++k) {
      bound = std::fmax(bound, std::fmax(std::fabs(p.x[k] - centre[k]), std::fabs(q.x[k] - centre[k])));
      if (random.chance(0.5)) by[k] = random.real(-2, 2) * far, q.x[k] -= by[k];
      largest = std::fmax(largest, std::fabs(p.x[k]) + std::fabs(by[k]));
    }
    const double extent = bound * (1 + 0x1p-20) + 0x1p-24 * largest;  // at most the bound of BrickGatherer
    const Asked found = ask_brick(centre, extent, p, q, by, skin, {random.chance(0.5), random.chance(0.2)});
    ASSERT_EQ(found.t, found.t) << "no number in trial " << trial;
    ++(found.inside ? asked : sure);
    if (found.inside) continue;
    ASSERT_EQ(found.t > 0, touch(p, q, by, skin)) << "trial " << trial << ", t " << found.t;
  }
  EXPECT_GT(sure, 200000);
  EXPECT_GT(asked, 200000);
}

// The margin is small: among pairs at random distances in a large packing, one in a thousand needs the exact test.
TEST(FilterColumns, DecideNearlyAll) {
  support::Random random(7);
  const double half = 115;  // for a packing of a million spheres of radius 1
  const FilterColumns<3> columns(nowhere, {-half, -half, -half}, {half, half, half});
  EXPECT_TRUE(columns.suit(2, 2));
  int asked = 0;
  for (int trial = 0; trial < 100000; ++trial) {
    Ball p{{}, 1}, q{{}, 1};
    for (int k = 0; k < 3; ++k) p.x[k] = random.real(-half, half), q.x[k] = p.x[k] + random.real(-2, 2);
    asked += ask(columns, p, q, {}, 0, 2, {true, false}).inside;
  }
  EXPECT_LE(asked, 100);
}

TEST(FilterColumns, SuitOnlyWhereTheyResolveTheFinest) {
  const auto columns = [](double half) { return FilterColumns<2>(nowhere, {-half, -half}, {half, half}); };
  EXPECT_TRUE(columns(1e3).suit(2, 200));
  EXPECT_FALSE(columns(1e6).suit(2, 200));
  EXPECT_FALSE(columns(1e3).suit(0, 2));
  EXPECT_FALSE(columns(1e20).suit(1e19, 1e19));
  EXPECT_FALSE(columns(1e300).suit(1e299, 1e300));
  EXPECT_FALSE(columns(1e-300).suit(1e-301, 1e-300));
}

// All pairs are so near to touching that the filter decides nothing; after them it is of use again.
TEST(FilterColumns, ALatticeThatJustTouchesInARandomPacking) {
  constexpr int side = 24;
  oracle::System s = support::polydisperse(4000, 2, false);
  for (oracle::Particle& p : s.particles) p.x[0] -= 1000;
  const auto pairs = [&] {
    auto grid = support::built(hgrid::SerialExec(), s);
    return static_cast<hgrid::index_t>(support::pairs_of(grid).size());
  };
  const hgrid::index_t around = pairs();
  for (int i = 0; i < side * side * side; ++i) {
    s.particles.push_back({.x = {2.0 * (i % side), 2.0 * (i / side % side), 2.0 * (i / side / side)}, .radius = 1});
  }
  EXPECT_EQ(pairs(), around + 3 * side * side * (side - 1));
  double& corner = s.particles[4000 + side - 1].x[0];
  corner = support::ulps_away(corner, 1);  // lets go of one of its three
  EXPECT_EQ(pairs(), around + 3 * side * side * (side - 1) - 1);
}

}  // namespace
