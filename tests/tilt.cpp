// SPDX-License-Identifier: BSD-3-Clause
// Boxes with tilted images, and boxes in shear. random_systems compares their pairs with brute force, and exact_contract to
// within rounding.
#include "hgrid/core/tilt.hpp"
#include "hgrid/loop.hpp"

#include <cstdlib>

#include "support/executors.hpp"
#include "support/gas.hpp"

namespace {

using hgrid::Box2;
using hgrid::Box3;
using hgrid::ErrorCode;
using support::Contacts;
using support::expect_error;

TEST(Tilt, IsAtMostHalfAPeriodAndGivesBackWhatWasGiven) {
  support::Random random(3);
  for (int n = 0; n < 20000; ++n) {
    const hgrid::Vec<double, 3> lo{random.real(-9, 9), random.real(-9, 9), random.real(-9, 9)};
    const auto box = Box3::periodic(lo, {lo[0] + random.real(1, 4), lo[1] + random.real(1, 4), lo[2] + random.real(1, 4)});
    const hgrid::Vec<double, 3> given{random.sign() * random.log_real(1e-3, 1e3), random.real(-2, 2), random.real(-40, 40)};
    const Box3 tilted = hgrid::tilted(box, given);
    ASSERT_TRUE(tilted.tilted);
    for (int t = 0; t < 3; ++t) {
      ASSERT_LE(std::fabs(tilted.tilt[t]), 0.5 * box.length(t < 2 ? 0 : 1) * (1 + 0x1p-50));
      ASSERT_NEAR(hgrid::tilts_of(tilted)[t], given[t], 1e-11);
    }
    EXPECT_EQ(hgrid::tilted(tilted, {0, 0, 0}), box);
  }
}

// A box with zero tilts equals a box without tilts bit for bit, so it costs nothing more.
TEST(Tilt, OfNothingIsTheOrthogonalBox) {
  const auto box = Box3::periodic({0, 0, 0}, {1, 2, 3}, {true, true, false});
  EXPECT_EQ(hgrid::tilted(box, {0, 0, 0}), box);
  EXPECT_EQ(hgrid::sheared(box, 0), box);
  EXPECT_FALSE(Box2::of_axes(hgrid::tilted(Box3::periodic({0, 0, 0}, {1, 2, 3}), {0, 1, 1})).tilted);
  EXPECT_EQ(Box2::of_axes(hgrid::tilted(Box3::periodic({0, 0, 0}, {1, 2, 3}), {0.3, 0, 0})),
            hgrid::sheared(Box2::periodic({0, 0}, {1, 2}), 0.3));
}

TEST(Tilt, ErrorsNameTheAxis) {
  const auto box = Box3::periodic({0, 0, 0}, {1, 1, 1}, {true, true, false});
  const double nan = std::nan("");
  EXPECT_EQ(expect_error(ErrorCode::invalid_box, [&] { hgrid::tilted(box, {nan, 0, 0}); }).index, 1);
  EXPECT_EQ(expect_error(ErrorCode::invalid_box, [&] { hgrid::tilted(box, {0x1p21, 0, 0}); }).value, 0x1p21);
  EXPECT_EQ(expect_error(ErrorCode::invalid_box, [&] { hgrid::tilted(box, {0, 0.5, 0}); }).index, 2);
  const auto cube = Box3::periodic({0, 0, 0}, {1, 1, 1});
  EXPECT_EQ(hgrid::tilted(cube, {1000, 0, 1000}).periods, (hgrid::Vec<std::int32_t, 3>{1000, 0, 1000}));
  EXPECT_EQ(expect_error(ErrorCode::invalid_box, [&] { hgrid::tilted(cube, {0x1p12, 0, 0x1p12}); }).value, 0x1p12);
  const double far[] = {0.5, 0x1p29, 0.5}, r[] = {0.1};
  hgrid::Grid outside{hgrid::SerialExec{}, hgrid::tilted(cube, {0.25, 0, 0})};
  EXPECT_EQ(expect_error(ErrorCode::range_error, [&] { outside.build(hgrid::particles<3>(far, r, 1)); }).value, 0x1p29);
  for (const auto& [along, across] : {std::pair{0, 0}, {1, 2}, {0, 2}, {0, 3}, {-1, 1}, {3, 0}}) {
    EXPECT_EQ(expect_error(ErrorCode::invalid_box, [&] { hgrid::sheared(box, 0.1, along, across); }).index, across);
  }
  hgrid::Grid grid{hgrid::SerialExec{}, box};
  auto changed = hgrid::tilted(box, {0.4, 0, 0});
  changed.hi[0] = 0.5;
  expect_error(ErrorCode::invalid_box, [&] { grid.set_box(changed); });
  EXPECT_EQ(grid.box(), box);
  // The images of a particle are counted across the faces of the brick.
  grid.set_box(hgrid::tilted(box, {0.4, 0, 0}));
  const double x[] = {0.5, 0.5, 0.5}, wide[] = {2.51};
  EXPECT_EQ(expect_error(ErrorCode::box_too_small, [&] { grid.build(hgrid::particles<3>(x, wide, 1)); }).index, 0);
}

oracle::System tilted_packing(int n, std::uint64_t seed) {
  oracle::System s = support::polydisperse(n, 6, true, seed);
  s.tilt[0] = 0.3, s.tilt[1] = -1.1, s.tilt[2] = 2.4;
  return s;
}

// The vector of a contact, from positions as passed and images as given, belongs to two spheres that touch.
TEST(Tilt, SeparationsAreThoseOfContacts) {
  oracle::System s = tilted_packing(300, 5);
  s.tilt[0] += 7 * (s.hi[0] - s.lo[0]);
  support::Random random(6);
  for (oracle::Particle& p : s.particles) {
    for (double& x : p.x) x += random.integer(-2, 2) * (s.hi[0] - s.lo[0]);
  }
  auto grid = support::built(hgrid::SerialExec{}, s);
  int across = 0;
  for (const oracle::Contact& c : support::pairs_of(grid, hgrid::Order::sorted)) {
    const oracle::Particle &p = s.particles[c.i], &q = s.particles[c.j];
    const hgrid::Contact contact{
        static_cast<hgrid::index_t>(c.i), static_cast<hgrid::index_t>(c.j), {{int(c.m[0]), int(c.m[1]), int(c.m[2])}}};
    const hgrid::Vec<double, 3> d = contact.separation(grid.box(), p.x, q.x);
    long double squared = 0;
    for (int k = 0; k < 3; ++k) {
      long double exact = static_cast<long double>(p.x[k]) - q.x[k] - c.m[k] * (static_cast<long double>(s.hi[k]) - s.lo[k]);
      if (k == 0) exact -= c.m[1] * static_cast<long double>(s.tilt[0]) + c.m[2] * static_cast<long double>(s.tilt[1]);
      if (k == 1) exact -= c.m[2] * static_cast<long double>(s.tilt[2]);
      ASSERT_NEAR(d[k], static_cast<double>(exact), 1e-11);
      squared += exact * exact;
    }
    ASSERT_LE(std::sqrt(static_cast<double>(squared)), (p.radius + q.radius) * (1 + 1e-9));
    across += c.m != std::array<std::int64_t, 3>{};
  }
  EXPECT_GT(across, 100);
}

// b and b + 2 a, c and c - a + 3 b repeat a system alike; only the numbers of images differ.
TEST(Tilt, VectorsOfOneLatticeHoldTheSamePairs) {
  const oracle::System s = tilted_packing(400, 8);
  const double period = s.hi[0] - s.lo[0];
  oracle::System other = s;
  other.tilt[0] += 2 * period;
  other.tilt[1] += -period + 3 * other.tilt[0], other.tilt[2] += 3 * period;
  auto one = support::built(hgrid::SerialExec{}, s);
  auto two = support::built(hgrid::SerialExec{}, other);
  Contacts expected;
  for (oracle::Contact c : support::pairs_of(one, hgrid::Order::sorted)) {
    c.m[1] -= 3 * c.m[2], c.m[0] -= 2 * c.m[1] + 5 * c.m[2];
    const bool keep = c.i < c.j || c.m > std::array<std::int64_t, 3>{};
    expected.push_back(keep ? c : oracle::Contact{c.j, c.i, {-c.m[0], -c.m[1], -c.m[2]}});
  }
  const Contacts found = support::pairs_of(two, hgrid::Order::sorted);
  EXPECT_EQ(found, oracle::contacts(other));
  EXPECT_EQ(found, support::sorted(expected));  // rounding would show in pairs that just touch: there are none
}

// Particles become a little smaller, so other levels would suit them, but levels stay. The number shows graphs that the box is
// another one.
TEST(Tilt, LevelsStayWhereTheyWere) {
  oracle::System s = support::polydisperse(500, 6, true, 2);
  auto grid = support::built(hgrid::SerialExec{}, s);
  const double size = grid.levels()[0].cell_size[0];
  for (oracle::Particle& p : s.particles) p.radius *= 0.99;
  const support::UserArrays<double, 3> arrays(s);
  for (const double offset : {0.1, 0.7, 90.0}) {
    const std::uint64_t plan = grid.plan_generation();
    grid.set_box(hgrid::sheared(support::box_of<3>(s), offset));
    grid.build(arrays.view());
    EXPECT_EQ(grid.levels()[0].cell_size[0], size);
    EXPECT_NE(grid.plan_generation(), plan);
  }
  EXPECT_NE(support::built(hgrid::SerialExec{}, s).levels()[0].cell_size[0], size);
}

// A shear along y across x gives the pairs of mirrored particles in a shear along x across y, in lists, too.
TEST(Tilt, ShearAlongALaterAxis) {
  EXPECT_EQ(hgrid::sheared(hgrid::Box2::periodic({1, 2}, {4, 7}), 0.7, 1, 0),
            hgrid::box_of_vectors<2>({{{3, 0.7}, {0, 5}}}, {true, true}, {1, 2}));
  const Box3 cube = Box3::periodic({0, 0, 0}, {9, 9, 9});
  EXPECT_EQ(hgrid::sheared(cube, 0, 2, 1), cube);
  oracle::System mirrored = support::polydisperse(300, 3, true, 4), s = mirrored;
  hgrid::Grid<hgrid::SerialExec, 3> grid(hgrid::SerialExec{}, support::box_of<3>(s));
  hgrid::VerletList list(grid, {.skin = 0.3});
  const double height = s.hi[0] - s.lo[0];
  std::size_t across = 0;
  for (int step = 0; step < 150; ++step) {
    mirrored.tilt[0] = 0.01 * step * height;
    for (std::size_t i = 0; i < s.particles.size(); ++i) {
      double *const x = mirrored.particles[i].x, *const y = s.particles[i].x;
      x[0] += step > 0 ? 0.01 * x[1] : 0;
      y[0] = x[1], y[1] = x[0], y[2] = x[2];
    }
    grid.set_box(hgrid::sheared(support::box_of<3>(s), mirrored.tilt[0], 1, 0));
    list.update(support::UserArrays<double, 3>(s).view());
    const support::Contacts listed = support::as_listed(list.neighbours());
    for (oracle::Contact c : oracle::contacts(mirrored)) {
      std::swap(c.m[0], c.m[1]);
      across += c.m[0] != 0;
      if (c.i == c.j && c.m < std::array<std::int64_t, 3>{}) c.m = {-c.m[0], -c.m[1], -c.m[2]};
      ASSERT_TRUE(std::binary_search(listed.begin(), listed.end(), c)) << "step " << step;
    }
  }
  EXPECT_GT(across, 1000u);
  EXPECT_LT(list.counters().builds, 100);
}

// Discs in a box that shears, on lines that are straight relative to the flow, passed without wrapping.
class ShearedGas {
 public:
  oracle::System s;

  explicit ShearedGas(int n) {
    support::Random random(4);
    s.dimension = 2;
    const double length = std::sqrt(n * 2.2);
    for (int k = 0; k < 2; ++k) s.periodic[k] = true, s.hi[k] = length;
    for (int i = 0; i < n; ++i) {
      s.particles.push_back({.x = {random.real(0, length), random.real(0, length)}, .radius = random.real(0.2, 0.8)});
      v_.push_back(random.real(-1, 1)), v_.push_back(random.real(-1, 1));
    }
  }

  void step() {
    for (std::size_t i = 0; i < s.particles.size(); ++i) {
      double* const x = s.particles[i].x;
      x[0] += dt * (v_[2 * i] + rate * (x[1] + 0.5 * dt * v_[2 * i + 1])), x[1] += dt * v_[2 * i + 1];
    }
    s.tilt[0] = rate * dt * ++steps_ * (s.hi[1] - s.lo[1]);
  }

  /// `fastest` is above the speed at which any two near particles come apart.
  static constexpr double dt = 0.01, rate = 0.2, fastest = 2 * 1.5 + 2 * rate;

 private:
  std::vector<double> v_;
  int steps_ = 0;
};

// Pairs that overlap by more than they come apart in a step still touch after it under the same image, for any offset.
TEST(Shear, ImagesOfContactsStayThoseThatTheyWere) {
  ShearedGas gas(300);
  Contacts held;
  std::size_t followed = 0;
  for (int step = 0; step < 3000; ++step, gas.step()) {
    hgrid::Grid<hgrid::SerialExec, 2> grid(hgrid::SerialExec{}, support::box_of<2>(gas.s));
    grid.build(support::UserArrays<double, 2>(gas.s).view());
    const Contacts now = support::pairs_of(grid, hgrid::Order::sorted);
    ASSERT_TRUE(std::includes(now.begin(), now.end(), held.begin(), held.end())) << "step " << step;
    oracle::System deep = gas.s;
    for (oracle::Particle& p : deep.particles) p.radius -= 0.5 * gas.fastest * gas.dt;
    held = oracle::contacts(deep);
    followed += held.size();
  }
  EXPECT_GT(gas.s.tilt[0], 5 * (gas.s.hi[0] - gas.s.lo[0]));
  EXPECT_GT(followed, 100000u);
}

template <class Exec>
class Shear : public ::testing::Test {};
TYPED_TEST_SUITE(Shear, support::Executors);

// HGRID_STEPS: of a loop with more discs; 10^5 take minutes.
TYPED_TEST(Shear, ListsMissNoContact) {
  const char* const given = std::getenv("HGRID_STEPS");
  const int steps = given != nullptr ? std::atoi(given) : 2000;
  ShearedGas gas(given != nullptr ? 2000 : 400);
  hgrid::Grid<TypeParam, 2> grid(support::make_executor<TypeParam>(2), support::box_of<2>(gas.s));
  hgrid::VerletList list(grid, {.skin = 0.2});
  for (int step = 0; step < steps; ++step, gas.step()) {
    grid.set_box(support::box_of<2>(gas.s));
    list.update(support::UserArrays<double, 2>(gas.s).view());
    if (step % (given != nullptr ? 100 : 20) == 0) {
      ASSERT_TRUE(support::holds_all(list.neighbours(), gas.s)) << "step " << step;
    }
  }
  EXPECT_LT(list.counters().builds, steps / 4);
  EXPECT_GT(list.counters().builds, steps / 100);
}

}  // namespace
