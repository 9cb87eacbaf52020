// SPDX-License-Identifier: BSD-3-Clause
#include "hgrid/core/reach.hpp"

#include <gtest/gtest.h>

#include "host/sort/sort_kernels.hpp"
#include "support/packings.hpp"
#include "support/results.hpp"
#include "support/turned.hpp"
#include "support/user_arrays.hpp"

namespace {

using hgrid::wrap;

TEST(Wrap, LeavesTheInsideAlone) {
  for (double x : {0.0, -0.0, 0x1p-1074, 0.3, std::nextafter(10.0, 0.0)}) {
    EXPECT_EQ(wrap(x, 0, 10).inside, x);
    EXPECT_EQ(wrap(x, 0, 10).count, 0);
  }
}

TEST(Wrap, FacesAndTheirNeighbours) {
  EXPECT_EQ(wrap(10, 0, 10).inside, 0);
  EXPECT_EQ(wrap(10, 0, 10).count, 1);
  EXPECT_EQ(wrap(-10, 0, 10).inside, 0);
  EXPECT_EQ(wrap(-10, 0, 10).count, -1);
  // The nearest double to 10 - 5e-17 is 10 itself: the upper face, hence the lower face of the next period.
  for (double x : {-5e-17, -0x1p-1074, std::nextafter(0.0, -1.0)}) {
    EXPECT_EQ(wrap(x, 0, 10).inside, 0);
    EXPECT_EQ(wrap(x, 0, 10).count, 0);
  }
  EXPECT_EQ(wrap(-1e-8f, 0, 10).count, -1);
  EXPECT_LT(wrap(-1e-8f, 0, 10).inside, 10);
}

TEST(Wrap, AlwaysLandsInsideNearTheTruth) {
  support::Random random(4);
  for (int n = 0; n < 200000; ++n) {
    const double lo = random.sign() * random.log_real(1e-3, 1e9), hi = lo + random.log_real(1e-3, 1e3);
    if (!(hi > lo)) continue;
    const double period = hi - lo;
    double x = lo + random.integer(-1000000, 1000000) * period;
    x = n % 2 ? support::ulps_away(x, random.integer(-4, 4)) : x + random.real() * period;
    const hgrid::Wrapped w = wrap(x, lo, hi);
    ASSERT_GE(w.inside, lo);
    ASSERT_LT(w.inside, hi);
    ASSERT_EQ(w.count, std::floor(w.count));
    const long double back = static_cast<long double>(w.inside) + static_cast<long double>(w.count) * period;
    // Half an ulp for rounding, and the rounding of hi - lo at the faces.
    ASSERT_LE(std::fabs(static_cast<double>(back - x)), 4 * (std::fabs(lo) + std::fabs(hi)) * 0x1p-53);
  }
}

TEST(Wrap, OfAPositionIsThatOfItsAxes) {
  support::Random random(6);
  const auto box = hgrid::Box3::periodic({-1, 7, 2}, {3, 8, 2.5}, {true, false, true});
  for (int n = 0; n < 1000; ++n) {
    const hgrid::Vec<double, 3> x{random.real(-40, 40), random.real(-40, 40), random.real(-4, 4)};
    const hgrid::WrappedPosition<3> w = wrap(box, x);
    for (int k = 0; k < 3; ++k) {
      const hgrid::Wrapped along = k == 1 ? hgrid::Wrapped{x[1], 0} : wrap(x[k], box.lo[k], box.hi[k]);
      ASSERT_EQ(w.inside[k], along.inside);
      ASSERT_EQ(w.periods[k], along.count);
    }
  }
}

TEST(Box, PeriodicAlongSomeAxes) {
  const auto box = hgrid::Box3::periodic({1, 2, 3}, {4, 6, 8}, {true, false, true});
  EXPECT_EQ(box.wraps, (hgrid::Vec<bool, 3>{true, false, true}));
  EXPECT_EQ((hgrid::Vec<double, 3>{box.length(0), box.length(1), box.length(2)}), (hgrid::Vec<double, 3>{3, 0, 5}));
  EXPECT_EQ(hgrid::Box3::periodic({1, 2, 3}, {4, 6, 8}, {true, true, true}), hgrid::Box3::periodic({1, 2, 3}, {4, 6, 8}));
  EXPECT_EQ(hgrid::Box3::periodic({1, 2, 3}, {4, 6, 8}, {false, false, false}), hgrid::Box3::open());
  EXPECT_EQ(hgrid::Box2::of_axes(box), hgrid::Box2::periodic({1, 2}, {4, 6}, {true, false}));
  EXPECT_EQ(hgrid::Box3::of_axes(hgrid::Box2::periodic({1, 2}, {4, 6})),
            hgrid::Box3::periodic({1, 2, 0}, {4, 6, 0}, {true, true, false}));
}

// Draws whole numbers, whose sums are exact in double: integers must give the same images.
TEST(Images, AsIntegersCountThem) {
  support::Random random(8);
  for (int n = 0; n < 20000; ++n) {
    const int lo = random.integer(-1000, 1000), period = random.integer(1, 100);
    const int x = lo + random.integer(0, period - 1), reach = random.integer(0, 7 * period);
    const auto box = hgrid::Box2::periodic({static_cast<double>(lo), 0}, {static_cast<double>(lo + period), 1});
    int first = 0, last = 0;
    for (int m = -20; m <= 20; ++m) {
      if (x - m * period - reach > lo + period || x - m * period + reach < lo) continue;
      first = std::min(first, m), last = std::max(last, m);
    }
    const hgrid::detail::ImageSpan span = hgrid::detail::images_in_reach(box, 0, x, x, reach, false);
    ASSERT_EQ(span.first, first);
    ASSERT_EQ(span.last, last);
  }
}

TEST(Images, OnlyThoseInReach) {
  const auto box = hgrid::Box<2>::periodic({{0, 0}}, {{10, 10}});
  const auto expect = [&](double x, double reach, int first, int last) {
    const hgrid::detail::ImageSpan span = hgrid::detail::images_in_reach(box, 0, x, x, reach, false);
    EXPECT_EQ(span.first, first) << x;
    EXPECT_EQ(span.last, last) << x;
    EXPECT_EQ(span.count(), last - first + 1);
  };
  expect(5, 4.9, 0, 0);
  expect(1, 2, -1, 0);
  expect(9, 2, 0, 1);
  expect(5, 35, -4, 4);
}

// A particle at -5e-17 and one on the other side of the face touch, with the image of the positions as
// passed.
TEST(Images, ContactAcrossAFace) {
  oracle::System s;
  for (int k = 0; k < 3; ++k) s.periodic[k] = true, s.hi[k] = 10;
  s.particles = {{.x = {-5e-17, 5, 5}, .radius = 1}, {.x = {9, 5, 5}, .radius = 1}, {.x = {31, 5, 5}, .radius = 0.5}};
  auto grid = support::built(hgrid::SerialExec{}, s);
  const support::Contacts found = support::pairs_of(grid, hgrid::Order::sorted);
  EXPECT_EQ(found, oracle::contacts(s));
  EXPECT_EQ(found, (support::Contacts{{0, 1, {-1, 0, 0}}, {0, 2, {-3, 0, 0}}}));
}

// L < 2 r: a particle touches its own images, each once.
TEST(Images, OwnImagesOnce) {
  oracle::System s;
  for (int k = 0; k < 3; ++k) s.periodic[k] = true, s.hi[k] = 10;
  s.particles = {{.x = {1, 2, 3}, .radius = 5}};
  auto grid = support::built(hgrid::SerialExec{}, s);
  EXPECT_EQ(support::pairs_of(grid, hgrid::Order::sorted),
            (support::Contacts{{0, 0, {0, 0, 1}}, {0, 0, {0, 1, 0}}, {0, 0, {1, 0, 0}}}));
}

// Image numbers of the positions as passed are differences of two wrap counts and must fit 32 bits.
TEST(Images, FarApartPeriodsFitTheImageOrAreRefused) {
  oracle::System s;
  for (int k = 0; k < 3; ++k) s.periodic[k] = true, s.hi[k] = 1;
  for (double far : {0x1p30 - 32, 0x1p30}) {
    s.particles = {{.x = {far + 0.25, 0.5, 0.5}, .radius = 0.1}, {.x = {0.25 - far, 0.5, 0.5}, .radius = 0.1}};
    try {
      auto grid = support::built(hgrid::SerialExec{}, s);
      EXPECT_EQ(support::pairs_of(grid), oracle::contacts(s));
    } catch (const hgrid::Error& e) {
      EXPECT_EQ(e.code(), hgrid::ErrorCode::range_error);
      EXPECT_EQ(far, 0x1p30);
    }
  }
}

// Hosts wrap particles by batches, devices one by one: bit for bit alike, also at faces and far outside.
TEST(Wrap, BatchesAreWrappedAsOneParticleIs) {
  support::Random random(12);
  int refused = 0, outside = 0;
  for (int n = 0; n < 4000; ++n) {
    oracle::System s;
    s.turned = random.chance(0.3);
    for (int k = 0; k < 3; ++k) {
      s.periodic[k] = random.chance(0.8);
      s.lo[k] = random.chance(0.4) ? 0 : random.sign() * random.log_real(1e-3, 1e9),
      s.hi[k] = s.lo[k] + random.log_real(1e-3, 1e3);
      if (s.periodic[k]) s.periodic[k] = s.hi[k] > s.lo[k];
    }
    const double most = random.chance(0.5) ? 0 : random.log_real(1e-2, 1e3);
    for (int t = 0; t < 3; ++t) s.tilt[t] = random.real(-1, 1) * most * (s.hi[t == 2] - s.lo[t == 2]);
    if (s.turned) support::draw_axes(s, random);
    const auto box = support::box_of<3>(s);
    const double far = random.chance(0.9) ? 1e6 : 1e9;
    hgrid::detail::ParticleBatch<3> batch;
    batch.count = random.integer(1, 100);
    std::vector<hgrid::Vec<double, 3>> given;
    for (hgrid::index_t j = 0; j < batch.count; ++j) {
      hgrid::Vec<double, 3> x;
      for (int k = 0; k < 3; ++k) {
        const double face = random.chance(0.5) ? s.lo[k] : s.hi[k];
        const double periods = random.chance(0.3) ? 0 : std::round(random.sign() * random.log_real(1, far));
        x[k] = random.chance(0.5) ? s.lo[k] + random.real() * (s.hi[k] - s.lo[k])
                                  : support::ulps_away(face + periods * (s.hi[k] - s.lo[k]), random.integer(-3, 3));
        if (random.chance(0.02)) x[k] = random.chance(0.5) ? -0.0 : -5e-17;
        if (random.chance(3e-4)) x[k] = random.chance(0.5) ? std::nan("") : 1e300;
        batch.x[k][j] = x[k];
      }
      given.push_back(x);
    }
    hgrid::Image periods[hgrid::detail::particles_per_batch];
    const hgrid::index_t found = hgrid::detail::wrap_batch(batch, box, periods);
    bool good = true;
    int changed = 0;
    for (std::size_t j = 0; j < given.size(); ++j) {
      const auto in = hgrid::detail::into_box(box, given[j]);
      for (int k = 0; k < 3; ++k) {
        good = good && std::fabs(given[j][k]) <= 1e15 && std::fabs(in.count[k]) <= hgrid::detail::most_outside(box);
        changed += in.count[k] != 0;
        if (found < 0) continue;
        ASSERT_EQ(batch.x[k][j], in.inside[k]);
        ASSERT_EQ(std::signbit(batch.x[k][j]), std::signbit(in.inside[k]));
        ASSERT_EQ(periods[j][k], in.count[k]);
      }
    }
    ASSERT_EQ(found, good ? changed : -1);
    refused += !good, outside += good && changed > 0;
  }
  EXPECT_GT(refused, 50);
  EXPECT_GT(outside, 2000);
}

}  // namespace
