// SPDX-License-Identifier: BSD-3-Clause
// The density of particles around each other, estimated from a sample: the planner's candidates rest on it.
#include "host/planning/pair_density.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/random.hpp"

namespace {

using hgrid::detail::PairDensity;
using Point = hgrid::Vec<double, 3>;

/// A sample of particles. Each row stands for `weight` particles.
struct Sample {
  std::vector<double> rows = {}, radii = {};
  double weight = 1;

  void add(double x, double y, double z, double radius) {
    rows.insert(rows.end(), {x, y, z, radius});
    radii.push_back(radius);
  }

  PairDensity density(double side) const {
    return PairDensity::of_sample<3>(bins(), rows, {}, Point{{0, 0, 0}}, Point{{side, side, side}});
  }

  std::vector<hgrid::detail::RadiusBin> bins() const {
    return hgrid::detail::radius_histogram(radii, weight, std::ranges::max(radii));
  }
};

TEST(PairDensity, OfEvenPointsIsThatOfSpace) {
  support::Random random(1);
  Sample sample{.weight = 50};
  for (int i = 0; i < 10000; ++i) sample.add(random.real(), random.real(), random.real(), i % 2 == 0 ? 1e-3 : 8e-3);
  const PairDensity density = sample.density(1);
  ASSERT_EQ(density.classes(), 2);
  for (double width : {0.02, 0.05, 0.2, 0.5}) {
    for (int of = 0; of < 2; ++of) {
      EXPECT_NEAR(density.around(of, 0, 2, width), 500000, 25000) << width;
      EXPECT_NEAR(density.around(of, 1, 2, width), 250000, 25000) << width;
      EXPECT_EQ(density.around(of, 1, 1, width), 0);
    }
  }
  EXPECT_NEAR(density.around(0, 0, 2, 4) * 64, 500000 / 0.421875, 1000) << "beyond all points";  // boxes of 3/4 of the width
}

// Positions are scaled by the extent, whose inverse must be finite.
TEST(PairDensity, OfAnExtentThatIsHardlyOneIsThatOfAPlace) {
  Sample sample;
  for (int i = 0; i < 64; ++i) sample.add(i % 2 == 0 ? 0 : 1e-310, 0, 0, 1e-3);
  const double density = sample.density(1e-310).around(0, 0, 1, 1e-2);
  EXPECT_TRUE(std::isfinite(density)) << density;
  EXPECT_GT(density, 1e6);
}

// Half of the particles fill a cube of a thousandth of the volume: they see a density of a hundred times N / V and more, the
// others the density around them.
TEST(PairDensity, OfAClusterIsThatOfTheCluster) {
  support::Random random(2);
  Sample sample;
  for (int i = 0; i < 8000; ++i) {
    const double side = i % 2 == 0 ? 0.125 : 1;
    sample.add(side * random.real(), side * random.real(), side * random.real(), i % 2 == 0 ? 1e-3 : 8e-3);
  }
  const PairDensity density = sample.density(1);
  EXPECT_NEAR(density.around(0, 0, 1, 0.05) / (4000 * 512), 1, 0.15);
  EXPECT_NEAR(density.around(1, 1, 2, 0.05) / 4000, 1, 0.5);
  EXPECT_LT(density.around(1, 0, 1, 0.05), 0.05 * density.around(0, 0, 1, 0.05));
}

// However far apart clusters are, near pairs are seen: 15 octaves are looked at, then the octaves within the boxes that are
// left.
TEST(PairDensity, SeesThroughManyScales) {
  for (const double apart : {1e3, 1e6, 1e9, 1e11}) {
    support::Random random(3);
    Sample sample;
    for (int i = 0; i < 6000; ++i) {
      const double at = i % 3 * apart;
      sample.add(at + 10 * random.real(), at + 10 * random.real(), at + 10 * random.real(), 0.01);
    }
    EXPECT_NEAR(sample.density(2 * apart + 10).around(0, 0, 1, 1) / 2, 1, 0.3) << apart;
  }
}

// The sample may hold no giants; they lie where all others do.
TEST(PairDensity, AClassWithoutAPoint) {
  support::Random random(4);
  Sample sample{.weight = 10};
  for (int i = 0; i < 4000; ++i) sample.add(random.real(), random.real(), random.real(), 1e-3);
  std::vector<hgrid::detail::RadiusBin> bins = sample.bins();
  bins.push_back({0.1, {100, 10, 1, 0.1}});
  const PairDensity density = PairDensity::of_sample<3>(bins, sample.rows, {}, Point{{0, 0, 0}}, Point{{1, 1, 1}});
  EXPECT_NEAR(density.around(1, 0, 1, 0.2) / 40000, 1, 0.1);
  EXPECT_NEAR(density.around(0, 1, 2, 0.2) / 100, 1, 0.1);
}

TEST(PairDensity, OddSamples) {
  const std::vector<hgrid::detail::RadiusBin> one{{1, {1, 1, 1, 1}}};
  EXPECT_TRUE(std::isfinite(PairDensity::of_sample<3>(one, {}, {}, Point{{0, 0, 0}}, Point{{0, 0, 0}}).around(0, 0, 1, 1)));
  Sample same;
  for (int i = 0; i < 100; ++i) same.add(5, 5, 5, 1);
  const double met =
      PairDensity::of_sample<3>(same.bins(), same.rows, {}, Point{{5, 5, 5}}, Point{{5, 5, 5}}).around(0, 0, 1, 1);
  EXPECT_GT(met, 99);
  same.add(5, 5, 5, -1);
  same.radii.pop_back();
  EXPECT_EQ(PairDensity::of_sample<3>(same.bins(), same.rows, {}, Point{{5, 5, 5}}, Point{{5, 5, 5}}).around(0, 0, 1, 1), met);
}

}  // namespace
