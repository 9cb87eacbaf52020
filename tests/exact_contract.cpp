// SPDX-License-Identifier: BSD-3-Clause
// Contract C2 against integer arithmetic: pairs at the distance of touching, give or take a few units in the
// last place. MUST is a subset of the answer, the answer of MUST and EITHER.
#include <algorithm>
#include <array>
#include <cmath>

#include "support/exact.hpp"
#include "support/executors.hpp"
#include "support/packings.hpp"
#include "support/results.hpp"

namespace {

using exact::Integer;

// Moves q until its distance from p is the distance of touching to within 3 units, also across periodic faces.
void kiss(support::Random& random, const exact::System& s, const exact::Particle& p, double size, exact::Particle& q) {
  double e[3], norm = 0;
  for (double& c : e) c = random.chance(0.3) ? 0 : random.real(-1, 1), norm += c * c;
  if (norm == 0) e[0] = norm = 1;
  const double distance = static_cast<double>(p.radius) + 0.1 * size * random.real(0.1, 1);
  exact::wide squared = 0;
  for (int k = 0; k < 3; ++k) {
    const auto d = static_cast<Integer>(distance * e[k] / std::sqrt(norm));
    q.x[k] = p.x[k] + d;
    squared += static_cast<exact::wide>(d) * d;
  }
  for (int j = 0; j < 3; ++j) {
    const int periods = s.period[j] == 0 ? 0 : random.integer(-1, 1);
    for (int k = 0; k <= j; ++k) q.x[k] += periods * exact::vectors(s)[j][k];
  }
  const auto sum = static_cast<Integer>(std::sqrt(static_cast<long double>(squared))) + random.integer(-3, 3);
  q.radius = std::max<Integer>(0, s.by_larger ? sum : sum - p.radius);
}

// Draws particles in a box of a few diameters. Each touches an earlier one, give or take.
exact::System draw(support::Random& random, bool periodic, bool tilted, bool by_larger) {
  exact::System s{};
  s.by_larger = by_larger;
  const Integer size = Integer{1} << random.integer(44, tilted ? 45 : 47);  // coordinates stay within 1e15
  for (int k = 0; k < 3; ++k) {
    s.lo[k] = random.chance(0.5) ? 0 : -static_cast<Integer>(random.real() * size);
    s.period[k] = periodic && random.chance(0.8) ? size / random.integer(1, 2) + random.integer(0, 1000) : 0;
  }
  for (int t = 0; t < 3 && tilted; ++t) {
    const auto most = static_cast<double>(s.period[t < 2 ? 0 : 1]);
    if (s.period[t == 0 ? 1 : 2] != 0) s.tilt[t] = static_cast<Integer>(random.real(-2, 2) * most);
  }
  for (int i = 0; i < 24; ++i) {
    exact::Particle p{};
    if (i % 8 == 0) {
      for (int k = 0; k < 3; ++k) p.x[k] = s.lo[k] + static_cast<Integer>(random.real() * size * 0.5);
      p.radius = static_cast<Integer>(0.05 * size * random.real());
    } else {
      kiss(random, s, s.particles[i - random.integer(1, i % 8)], size, p);
    }
    s.particles.push_back(p);
  }
  return s;
}

oracle::System as_doubles(const exact::System& s, double unit) {
  oracle::System d;
  d.rule = s.by_larger ? oracle::Rule::max : oracle::Rule::sum;
  for (int k = 0; k < 3; ++k) {
    d.periodic[k] = s.period[k] != 0;
    d.tilt[k] = static_cast<double>(s.tilt[k]) * unit;
    d.lo[k] = static_cast<double>(s.lo[k]) * unit, d.hi[k] = static_cast<double>(s.lo[k] + s.period[k]) * unit;
  }
  for (const exact::Particle& p : s.particles) {
    oracle::Particle q;
    for (int k = 0; k < 3; ++k) q.x[k] = static_cast<double>(p.x[k]) * unit;
    q.radius = static_cast<double>(p.radius) * unit;
    d.particles.push_back(q);
  }
  return d;
}

struct Tally {
  std::int64_t must = 0, either = 0, near = 0, judged = 0;
};

// Returns all images in which the pair may touch, and some more, in order.
std::vector<std::array<Integer, 3>> images_near(const exact::System& s, Integer i, Integer j) {
  const auto reach = static_cast<Integer>(exact::reach_of(s, i, j));
  std::vector<std::array<Integer, 3>> images = {{}};
  for (int k = 2; k >= 0; --k) {
    if (s.period[k] == 0) continue;
    std::vector<std::array<Integer, 3>> more;
    for (std::array<Integer, 3> m : images) {
      const auto d = static_cast<Integer>(exact::separation(s, i, j, m)[k]);
      const Integer last = exact::floored(d + reach, s.period[k]) + 1;
      for (m[k] = exact::floored(d - reach, s.period[k]); m[k] <= last; ++m[k]) more.push_back(m);
    }
    images = more;
  }
  std::sort(images.begin(), images.end());
  return images;
}

void expect_within_contract(const exact::System& s, const support::Contacts& found, Tally& tally) {
  std::size_t next = 0;
  const auto count = static_cast<Integer>(s.particles.size());
  for (Integer i = 0; i < count; ++i) {
    for (Integer j = i; j < count; ++j) {
      for (const std::array<Integer, 3>& m : images_near(s, i, j)) {
        if (i == j && m <= std::array<Integer, 3>{}) continue;
        const exact::Verdict verdict = exact::judge(s, i, j, m);
        const bool reported = next < found.size() && found[next] == oracle::Contact{i, j, m};
        next += reported;
        ++tally.judged, tally.near += exact::is_near(s, i, j, m, 8);
        tally.must += verdict == exact::Verdict::must, tally.either += verdict == exact::Verdict::either;
        if (verdict == exact::Verdict::either) continue;
        ASSERT_EQ(reported, verdict == exact::Verdict::must)
            << i << " " << j << " image " << m[0] << " " << m[1] << " " << m[2];
      }
    }
  }
  ASSERT_EQ(next, found.size()) << "a contact that is none, or not in order";
}

TEST(ExactContract, AnswersAreWithinTau) {
  support::Random random(11);
  Tally tally;
  for (int n = 0; n < 51000; ++n) {
    const exact::System s = draw(random, n % 3 > 0, n % 3 == 2, n % 5 == 4);
    auto grid = support::built(hgrid::SerialExec{}, as_doubles(s, n % 2 == 0 ? 1.0 : 0x1p-45));
    expect_within_contract(s, support::pairs_of(grid, hgrid::Order::sorted), tally);
    if (::testing::Test::HasFatalFailure()) FAIL() << "system " << n;
  }
  std::cout << tally.judged << " pairs judged, " << tally.near << " within 8 units in the last place of touching, "
            << tally.either << " of them undecided\n";
  EXPECT_GE(tally.near, 1000000);
  EXPECT_GE(tally.must, 1000000);
  EXPECT_GE(tally.either, 10000) << "nothing lies at the border";
}

// Positions as they were passed: just below a box of eight, where wrapping them rounds to multiples of 2^-50, radii of
// some such units. In whole multiples of 2^-58, which the passed positions and the radii are.
TEST(ExactContract, WrappedCoordinatesCostTheirRounding) {
  constexpr double unit = 0x1p-58;
  constexpr Integer rounding = 256;  // u * 8, the largest error of a wrapped coordinate
  support::Random random(12);
  std::int64_t must = 0, must_not = 0, owed_to_wrapping = 0;
  for (int n = 0; n < 4000; ++n) {
    std::vector<double> x, r;
    std::vector<std::array<Integer, 4>> exact;
    for (int i = 0; i < 16; ++i) {
      std::array<Integer, 4> p{-1000000, -1000000, -1000000, random.integer(1000, 6000)};
      for (int k = 0; k < 3; ++k) p[k] -= random.integer(0, 9000);
      exact.push_back(p);
      for (int k = 0; k < 3; ++k) x.push_back(static_cast<double>(p[k]) * unit);
      r.push_back(static_cast<double>(p[3]) * unit);
    }
    hgrid::Grid grid{hgrid::SerialExec{}, hgrid::Box3::periodic({0, 0, 0}, {8, 8, 8})};
    grid.build(x, r);
    const support::Contacts found = support::pairs_of(grid, hgrid::Order::sorted);
    for (int i = 0; i < 16; ++i) {
      for (int j = i + 1; j < 16; ++j) {
        Integer squared = 0;
        for (int k = 0; k < 3; ++k) squared += (exact[i][k] - exact[j][k]) * (exact[i][k] - exact[j][k]);
        const auto distance = std::sqrt(static_cast<long double>(squared));
        const Integer reach = exact[i][3] + exact[j][3], tau = 3 * 2 * rounding + 1;  // tau of the stored values is below 1
        const bool reported = std::ranges::binary_search(found, oracle::Contact{i, j, {0, 0, 0}});
        if (distance <= static_cast<long double>(reach - tau)) {
          ++must;
          ASSERT_TRUE(reported) << "system " << n << ", particles " << i << " and " << j;
        }
        if (distance > static_cast<long double>(reach + tau)) {
          ++must_not;
          ASSERT_FALSE(reported) << "system " << n << ", particles " << i << " and " << j;
        }
        owed_to_wrapping += reported != (distance <= static_cast<long double>(reach));
      }
    }
  }
  EXPECT_GE(must, 100000);
  EXPECT_GE(must_not, 50000);
  EXPECT_GE(owed_to_wrapping, 1000) << "the contract promises less than the code keeps";
}

}  // namespace
