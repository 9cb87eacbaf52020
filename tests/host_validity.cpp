// SPDX-License-Identifier: BSD-3-Clause
// Hosts check particles in batches: the result equals bit for bit a reduction over single particles, after any change of the
// particles since the build. The largest excess alone may be a bound while all particles are within their margins.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>

#include "hgrid/loop/remembered_build.hpp"
#include "host/host_validity.hpp"
#include "support/packings.hpp"
#include "support/pieces_exec.hpp"
#include "support/results.hpp"

namespace {

using Exec = support::PiecesExec<3>;

bool same_bits(double a, double b) { return std::memcmp(&a, &b, sizeof(a)) == 0; }

/// Checks particles that were `before` at the build and are `now`, in both ways. Returns whether the list holds.
template <class Real, int D>
bool checked(const oracle::System& before, const oracle::System& now, hgrid::Rule rule) {
  const Exec exec;
  hgrid::Grid<Exec, D> grid(exec, support::box_of<D>(before), {.rule = rule});
  const support::UserArrays<Real, D> built(before), arrays(now);
  grid.build(built.view(), {.skin = 0.1});
  hgrid::detail::RememberedBuild<Exec, D> remembered(exec);
  remembered.reserve(built.view(), grid.view());
  remembered.take(built.view(), grid.view());
  const hgrid::Particles<Real, D> p = arrays.view();
  const hgrid::Box<D> box = remembered.particles().box;
  hgrid::Validity scratch;
  const hgrid::Validity expected = hgrid::detail::measure_validity(
      exec, p, remembered.particles(), box, static_cast<hgrid::detail::ChangedBox<D>*>(nullptr), &scratch);
  const auto check = [&] {
    return hgrid::detail::validity_on_host(exec, p, remembered.particles(), box,
                                           static_cast<hgrid::detail::ChangedBox<D>*>(nullptr));
  };
  const hgrid::Validity first = check(), found = check();  // the first one rounds what is within its margins
  EXPECT_EQ(first.holds(), found.holds());
  EXPECT_TRUE(same_bits(first.excess, expected.excess)) << first.excess << " " << expected.excess;
  const double most = std::max(expected.excess, 0.5 * remembered.particles().skin);
  EXPECT_GE(found.excess, expected.excess);
  EXPECT_LE(found.excess, most);
  EXPECT_TRUE(same_bits(found.value, expected.value)) << found.value << " " << expected.value;
  EXPECT_EQ(found.dirty, expected.dirty);
  EXPECT_EQ(found.changed, expected.changed);
  EXPECT_EQ(found.present, expected.present);
  EXPECT_EQ(found.first, expected.first);
  EXPECT_EQ(found.expected, expected.expected);
  EXPECT_EQ(found.holds(), expected.holds());
  return found.holds();
}

using Change = std::function<void(oracle::System&)>;

/// Expects equal answers for all kinds of particles.
void expect_same(const Change& before_build, const Change& since, bool holds) {
  for (const bool periodic : {false, true}) {
    for (const hgrid::Rule rule : {hgrid::Rule::sum, hgrid::Rule::max}) {
      oracle::System before = support::polydisperse(3001, 4, periodic);
      before_build(before);
      oracle::System now = before;
      since(now);
      SCOPED_TRACE(periodic ? "periodic" : "open");
      EXPECT_EQ((checked<double, 3>(before, now, rule)), holds);
      EXPECT_EQ((checked<float, 3>(before, now, rule)), holds);
      for (oracle::System* s : {&before, &now}) s->dimension = 2;
      EXPECT_EQ((checked<double, 2>(before, now, rule)), holds);
    }
  }
}

void nothing(oracle::System&) {}

Change moved_by(double far, std::size_t each) {
  return [far, each](oracle::System& s) {
    support::Random random(5);
    for (std::size_t i = 0; i < s.particles.size(); i += each) {
      for (double& x : s.particles[i].x) x += random.real(-far, far);
    }
  };
}

TEST(HostValidity, NothingMoved) { expect_same(nothing, nothing, true); }

TEST(HostValidity, WithinMargins) {
  expect_same(nothing, moved_by(0.02, 1), true);
  expect_same(nothing, moved_by(0.02, 300), true);
}

TEST(HostValidity, SomeBeyond) {
  expect_same(nothing, moved_by(0.2, 1), false);
  expect_same(nothing, moved_by(3, 1000), false);
}

// At the build, particles lie some periods outside the box. The grid remembers the periods of each.
TEST(HostValidity, ManyPeriodsOutside) {
  const Change outside = [](oracle::System& s) {
    for (std::size_t i = 0; i < s.particles.size(); i += 3) {
      for (int k = 0; k < 3; ++k) s.particles[i].x[k] += (static_cast<double>(i % 7) - 3) * (s.hi[k] - s.lo[k]);
    }
  };
  expect_same(outside, nothing, true);
  expect_same(outside, moved_by(0.02, 2), true);
  expect_same(outside, moved_by(0.2, 2), false);
}

// A particle has its old place in the box, but lies in another period. Images of a list count from the period at the build.
TEST(HostValidity, TakenBackIntoTheBox) {
  const auto periods = [](double count) {
    return [count](oracle::System& s) { s.particles[5].x[0] += count * (s.hi[0] - s.lo[0]); };
  };
  expect_same(periods(2), periods(-2), false);
  expect_same(nothing, periods(1), false);
}

TEST(HostValidity, RadiiThatChange) {
  const auto scaled = [](double by) {
    return [by](oracle::System& s) {
      for (std::size_t i = 0; i < s.particles.size(); i += 2) s.particles[i].radius *= by;
    };
  };
  expect_same(nothing, scaled(0.9), true);
  expect_same(nothing, scaled(1.001), true);
  expect_same(nothing, scaled(1.2), false);
}

TEST(HostValidity, RadiusMinusZero) {
  const Change points = [](oracle::System& s) {
    for (oracle::Particle& p : s.particles) p.radius = -0.0;
  };
  expect_same(points, nothing, true);
  expect_same(points, moved_by(0.02, 1), true);
}

TEST(HostValidity, NumbersThatAreNone) {
  const auto set = [](double to) { return [to](oracle::System& s) { s.particles[1234].x[1] = to; }; };
  expect_same(nothing, set(std::numeric_limits<double>::quiet_NaN()), false);
  expect_same(nothing, set(std::numeric_limits<double>::infinity()), false);
  expect_same(
      nothing, [](oracle::System& s) { s.particles[7].radius = std::numeric_limits<double>::quiet_NaN(); }, false);
}

// Some batches are left to the check of single particles.
TEST(HostValidity, PropertiesOfParticles) {
  const Change masked = [](oracle::System& s) { s.particles[17].active = false; };
  expect_same(masked, nothing, true);
  expect_same(
      masked, [](oracle::System& s) { s.particles[17].active = true; }, false);
  expect_same(nothing, masked, false);
  expect_same(
      nothing, [](oracle::System& s) { s.particles[40].group = 3; }, false);
  expect_same([](oracle::System& s) { s.particles[40].group = 3; }, nothing, true);
  expect_same(
      nothing, [](oracle::System& s) { s.particles[40].extra = 0.01; }, true);
}

}  // namespace
