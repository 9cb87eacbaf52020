// SPDX-License-Identifier: BSD-3-Clause
// Changes of the input whose effect on the answer is known exactly, without any oracle.
#include <numeric>

#include "support/executors.hpp"
#include "support/random_suite.hpp"
#include "support/results.hpp"

namespace {

using support::Case;
using support::Contacts;

const int systems = static_cast<int>(support::from_environment("HGRID_SYSTEMS", 2000));

// Draws open or periodic systems of doubles, with pairs by radii and no marks by index. Levels are planned or given.
Case draw_case(std::uint64_t seed) {
  for (;; seed += 1000000) {
    Case c = support::of_spheres(support::make_case(seed));
    const bool plain = c.choice[support::ghosts] == 0 && c.choice[support::bad_rows] == 0 && c.choice[support::real] == 0 &&
                       c.system.rule != oracle::Rule::gather && c.system.types == 0;
    if (plain && c.system.particles.size() < 100) return c;
  }
}

template <int D, class Exec>
Contacts answer(const Case& c, const Exec& exec) {
  auto grid = support::grid_in<hgrid::Grid<Exec, D>>(exec, c.system, support::options_of(c));
  grid.build(support::UserArrays<double, D>(c.system).view(), {.skin = c.system.skin});
  return support::pairs_of(grid, hgrid::Order::sorted);
}
template <class Exec = hgrid::SerialExec>
Contacts answer(const Case& c, const Exec& exec = {}) {
  return c.system.dimension == 2 ? answer<2>(c, exec) : answer<3>(c, exec);
}

oracle::Contact turned(oracle::Contact c) {  // this contact, seen from where i < j
  const bool keep = c.i < c.j || (c.i == c.j && c.m > std::array<std::int64_t, 3>{});
  return keep ? c : oracle::Contact{c.j, c.i, {-c.m[0], -c.m[1], -c.m[2]}};
}

TEST(Metamorphic, PermutationRenamesIds) {
  support::Random random(10);
  for (int n = 0; n < systems; ++n) {
    Case c = draw_case(n);
    const Contacts before = answer(c);
    std::vector<std::size_t> to(c.system.particles.size());
    std::iota(to.begin(), to.end(), 0);
    for (std::size_t i = to.size(); i > 1; --i) std::swap(to[i - 1], to[random.bits() % i]);
    const std::vector<oracle::Particle> particles = c.system.particles;
    for (std::size_t i = 0; i < to.size(); ++i) c.system.particles[to[i]] = particles[i];
    c.system.excluded =
        oracle::renumbered(c.system.excluded, [&](std::int64_t id) { return to[static_cast<std::size_t>(id)]; });
    Contacts expected;
    for (const oracle::Contact& p : before) {
      expected.push_back(turned({static_cast<std::int64_t>(to[p.i]), static_cast<std::int64_t>(to[p.j]), p.m}));
    }
    ASSERT_EQ(answer(c), support::sorted(expected)) << "case " << c.seed;
  }
}

// Open boxes only: a mirrored half-open period is not half-open on the same side.
TEST(Metamorphic, NegationChangesNothing) {
  for (int n = 0; n < systems; ++n) {
    Case c = draw_case(n);
    for (bool& wraps : c.system.periodic) wraps = false;
    c.system.boxes.clear();
    const Contacts before = answer(c);
    for (oracle::Particle& p : c.system.particles) {
      for (double& x : p.x) x = -x;
    }
    ASSERT_EQ(answer(c), before) << "case " << c.seed;
  }
}

TEST(Metamorphic, ScalingByAPowerOfTwoChangesNothing) {
  for (int n = 0; n < systems; ++n) {
    Case c = draw_case(n);
    const Contacts before = answer(c);
    oracle::System& s = c.system;
    double largest = 0;
    for (const oracle::Particle& p : s.particles) {
      for (const double x : p.x)
        largest = std::fmax(largest, std::fabs(x));  // values that are not finite are left out, as in the library
    }
    const auto look_at = [&](const oracle::Domain& box) {  // its vectors may be longer than any coordinate
      double sum = 0;
      for (int k = 0; k < 3; ++k) sum += std::fabs(box.lo[k]) + std::fabs(box.hi[k]) + std::fabs(box.tilt[k]);
      largest = std::fmax(largest, sum);
    };
    look_at(s);
    std::ranges::for_each(s.boxes, look_at);
    const double factor = n % 2 == 0 || largest > 1e12 ? 0x1p-7 : 0x1p9;  // coordinates stay within 1e15
    const auto scale = [&](oracle::Domain& box) {
      for (int k = 0; k < 3; ++k) box.lo[k] *= factor, box.hi[k] *= factor, box.tilt[k] *= factor;
    };
    scale(s);
    std::ranges::for_each(s.boxes, scale);
    s.skin *= factor;
    for (oracle::Particle& p : s.particles) {
      for (double& x : p.x) x *= factor;
      p.radius *= factor, p.extra *= factor;
    }
    for (hgrid::LevelSpec& level : c.levels) {
      level.radius_max *= factor;
      for (double& size : level.cell_size) size *= factor;
    }
    ASSERT_EQ(answer(c), before) << "case " << c.seed;
  }
}

// The order of the axes decides the order of the sum of squares, so answers agree only where that does not
// round.
TEST(Metamorphic, PermutedAxesPermuteImages) {
  for (int n = 0; n < systems; ++n) {
    Case c = draw_case(n);
    oracle::System& s = c.system;
    s.boxes.clear();
    for (int k = 0; k < 3; ++k)
      s.lo[k] = std::round(s.lo[k] * 64) / 64, s.hi[k] = s.lo[k] + std::ceil((s.hi[k] - s.lo[k]) * 64 + 64) / 64;
    bool exact = s.skin < 0x1p12 && c.choice[support::tilt] == support::values::upright;
    s.skin = std::round(s.skin * 64) / 64;
    for (oracle::Particle& p : s.particles) {
      for (double& x : p.x) x = std::round(x * 64) / 64, exact = exact && std::fabs(x) < 0x1p14;
      p.radius = std::round(p.radius * 64) / 64, p.extra = std::round(p.extra * 64) / 64;
      exact = exact && p.radius < 0x1p12;
    }
    for (int k = 0; k < 3; ++k) exact = exact && std::fabs(s.lo[k]) < 0x1p14 && std::fabs(s.hi[k]) < 0x1p14;
    if (!exact) continue;
    const Contacts before = answer(c);
    std::swap(s.lo[0], s.lo[1]), std::swap(s.hi[0], s.hi[1]), std::swap(s.periodic[0], s.periodic[1]);
    for (oracle::Particle& p : s.particles) std::swap(p.x[0], p.x[1]);
    Contacts expected;
    for (oracle::Contact p : before) {
      std::swap(p.m[0], p.m[1]);
      expected.push_back(turned(p));
    }
    ASSERT_EQ(answer(c), support::sorted(expected)) << "case " << c.seed;
  }
}

TEST(Metamorphic, LevelsKeysTablesDirectionsAndSchedulesChangeNothing) {
  support::Random random(12);
  for (int n = 0; n < systems; ++n) {
    Case c = draw_case(n);
    const Contacts before = answer(c);
    for (int way = 0; way < 4; ++way) {
      for (int axis : {support::direction, support::keys, support::table, support::schedule}) {
        c.choice[axis] = random.integer(0, static_cast<int>(support::axes()[axis].value.size()) - 1);
      }
      c.levels = support::draw_levels(c.system, random.integer(0, 3), random);
      ASSERT_EQ(answer(c), before) << "case " << c.seed << ", way " << way;
    }
  }
}

TEST(Metamorphic, ExecutorsAndThreadsChangeNothing) {
  for (int n = 0; n < systems; ++n) {
    const Case c = draw_case(n);
    const Contacts before = answer(c);
    for (int threads : {1, 2, 5}) ASSERT_EQ(answer(c, hgrid::OpenMPExec{threads}), before) << "case " << c.seed;
  }
}

TEST(Metamorphic, ASkinOnlyAddsPairs) {
  for (int n = 0; n < systems; ++n) {
    Case c = draw_case(n);
    c.levels.clear();
    Contacts narrow, wide;
    for (const double part : {0.0, 1.0}) {
      Case with = c;
      with.system.skin = part * c.system.skin;
      (part == 0 ? narrow : wide) = answer(with);
    }
    ASSERT_TRUE(std::includes(wide.begin(), wide.end(), narrow.begin(), narrow.end())) << "case " << c.seed;
  }
}

// Where coordinates and periods are whole multiples of 1/64, adding periods rounds nothing.
TEST(Metamorphic, WholePeriodsChangeImagesOnly) {
  support::Random random(13);
  int shifted = 0;
  for (int n = 0; n < systems; ++n) {
    Case c = draw_case(n);
    oracle::System& s = c.system;
    s.boxes.clear();
    bool exact = !s.turned;
    const auto round = [&](double& v) { v = std::round(v * 64) / 64, exact = exact && std::fabs(v) < 0x1p30; };
    for (int k = 0; k < 3; ++k) {
      const double period = std::ceil((s.hi[k] - s.lo[k]) * 64 + 64) / 64;
      round(s.lo[k]);
      s.hi[k] = s.lo[k] + period;
    }
    for (oracle::Particle& p : s.particles) {
      for (double& x : p.x) round(x);
    }
    for (double& tilt : s.tilt) round(tilt);
    if (!exact) continue;
    const Contacts before = answer(c);
    std::vector<std::array<std::int64_t, 3>> periods(s.particles.size());
    for (std::size_t i = 0; i < periods.size(); ++i) {
      for (int k = 0; k < s.dimension; ++k) {
        if (!s.periodic[k]) continue;
        periods[i][k] = random.integer(-9, 9);
        s.particles[i].x[k] += static_cast<double>(periods[i][k]) * (s.hi[k] - s.lo[k]);
        for (int a = 0; a < k; ++a) s.particles[i].x[a] += static_cast<double>(periods[i][k]) * s.tilt[a + k - 1];
        ++shifted;
      }
    }
    Contacts expected;
    for (oracle::Contact p : before) {
      for (int k = 0; k < 3; ++k) p.m[k] += periods[p.i][k] - periods[p.j][k];
      expected.push_back(turned(p));
    }
    ASSERT_EQ(answer(c), support::sorted(expected)) << "case " << c.seed;
  }
  EXPECT_GT(shifted, 10000);
}

}  // namespace
