// SPDX-License-Identifier: BSD-3-Clause
// Size distributions, random packings and their relaxation.
#include "hgrid/packing/packing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "hgrid/core/error.hpp"
#include "hgrid/packing/relax.hpp"

namespace hgrid {
namespace {

using Kind = SizeDistribution::Kind;

/// The mean of r^power over a truncated power law of exponent a, in closed form.
double power_mean(double a, double w, double power) {
  const auto integral = [w](double b) { return std::fabs(b + 1) < 1e-9 ? std::log(w) : (std::pow(w, b + 1) - 1) / (b + 1); };
  return integral(a + power) / integral(a);
}

double sample_mean(const std::vector<double>& r, double power) {
  double sum = 0;
  for (const double value : r) sum += std::pow(value, power);
  return sum / static_cast<double>(r.size());
}

TEST(Radii, PowerLawsHaveTheirMoments) {
  for (const double a : {-6.0, -4.0, -3.0, -2.0, -1.0 - 1e-13, -1.0, -1.0 + 1e-13, -0.5, 0.0, 2.0}) {
    const std::vector<double> r = sample_radii({Kind::power_law, 10, a}, 200000, 3);
    EXPECT_TRUE(std::is_sorted(r.begin(), r.end())) << a;
    EXPECT_GE(r.front(), 1) << a;
    EXPECT_LE(r.back(), 10) << a;
    for (const double power : {1.0, 2.0}) {
      const double mean = power_mean(a, 10, power);
      EXPECT_NEAR(sample_mean(r, power) / mean, 1, 1e-3) << a << " " << power;
    }
  }
}

TEST(Radii, ExtremeExponentsStayInRange) {
  for (const double a : {-1e6, -300.0, 300.0, 1e6}) {
    const std::vector<double> r = sample_radii({Kind::power_law, 1e6, a}, 1000, 3);
    EXPECT_TRUE(std::all_of(r.begin(), r.end(), [](double v) { return v >= 1 && v <= 1e6; })) << a;
  }
}

TEST(Radii, BidisperseVolumesAreEqual) {
  for (const int dimension : {2, 3}) {
    const std::vector<double> r = sample_radii({Kind::bidisperse, 4, 0}, 130000, dimension);
    const auto large = static_cast<double>(std::count(r.begin(), r.end(), 4.0));
    const double small = static_cast<double>(r.size()) - large;
    EXPECT_NEAR(large * std::pow(4, dimension) / small, 1, 1e-3);
  }
}

TEST(Radii, LogNormal) {
  const std::vector<double> r = sample_radii({Kind::log_normal, 20, 0}, 100001, 3);
  EXPECT_NEAR(r[50000], std::sqrt(20.0), 1e-12);  // the median
  EXPECT_NEAR(r.front(), 1, 1e-2);
  EXPECT_NEAR(r.back(), 20, 0.2);
  double squared = 0;
  for (const double v : r) squared += std::pow(std::log(v / std::sqrt(20.0)) / (std::log(20.0) / 6), 2);
  EXPECT_NEAR(squared / static_cast<double>(r.size()), 0.97334, 1e-4);  // variance cut at three deviations
}

TEST(Radii, MonoAndFew) {
  EXPECT_EQ(sample_radii({}, 3, 3), (std::vector<double>{1, 1, 1}));
  EXPECT_EQ(sample_radii({Kind::power_law, 1, -3}, 2, 3), (std::vector<double>{1, 1}));
  EXPECT_NEAR(sample_radii({Kind::log_normal, 9, 0}, 1, 3).front(), 3, 1e-12);
  EXPECT_TRUE(sample_radii({Kind::power_law, 5, 1}, 0, 3).empty());
}

TEST(Radii, Errors) {
  EXPECT_THROW(sample_radii({Kind::power_law, 0.5, -3}, 10, 3), Error);
  EXPECT_THROW(sample_radii({Kind::power_law, NAN, -3}, 10, 3), Error);
  EXPECT_THROW(sample_radii({Kind::power_law, 2, INFINITY}, 10, 3), Error);
  EXPECT_THROW(sample_radii({Kind::bidisperse, 10, 0}, 400, 3), Error);
  EXPECT_THROW(sample_radii({}, std::int64_t{1} << 31, 3), Error);
}

PackingOptions options_of(SizeDistribution sizes, std::int64_t n, double fraction, int dimension) {
  PackingOptions options;
  options.sizes = sizes;
  options.particles = n;
  options.fraction = fraction;
  options.dimension = dimension;
  return options;
}

// The documented mapping, spelt out: a change of it would change everybody's packings.
TEST(RandomPacking, SeedsMeanTheSameEverywhere) {
  PackingOptions options = options_of({}, 3, 0.5, 3);
  options.seed = 42;
  const Packing packing = random_packing(options);
  std::mt19937_64 random(42);
  random.discard(2);  // the shuffle
  for (std::size_t i = 0; i < 3; ++i) {
    for (const auto* column : {&packing.x, &packing.y, &packing.z}) {
      EXPECT_EQ((*column)[i], packing.length * (static_cast<double>(random() >> 11) / 9007199254740992.0));
    }
  }
  EXPECT_NEAR(packing.length, std::cbrt(3 * 4 * M_PI / 3 / 0.5), 1e-14);
}

TEST(RandomPacking, RadiiAreShuffled) {
  Packing packing = random_packing(options_of({Kind::power_law, 10, -2}, 1000, 0.5, 2));
  EXPECT_FALSE(std::is_sorted(packing.r.begin(), packing.r.end()));
  std::sort(packing.r.begin(), packing.r.end());
  EXPECT_EQ(packing.r, sample_radii({Kind::power_law, 10, -2}, 1000, 2));
  EXPECT_EQ(packing.z, std::vector<double>(1000));
}

TEST(RandomPacking, Errors) {
  EXPECT_THROW(random_packing(options_of({}, 0, 0.5, 3)), Error);
  EXPECT_THROW(random_packing(options_of({}, 10, 0, 3)), Error);
  EXPECT_THROW(random_packing(options_of({}, 10, NAN, 3)), Error);
  EXPECT_THROW(random_packing(options_of({}, 10, 0.5, 4)), Error);
}

/// The largest overlap, relative to the smaller diameter, by trying all pairs and the nearest image.
double largest_overlap(const Packing& p, bool periodic) {
  double largest = 0;
  for (std::size_t i = 0; i < p.r.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      double squared = 0;
      for (const auto* column : {&p.x, &p.y, &p.z}) {
        double d = (*column)[i] - (*column)[j];
        if (periodic) d = std::remainder(d, p.length);
        squared += d * d;
      }
      const double overlap = p.r[i] + p.r[j] - std::sqrt(squared);
      largest = std::max(largest, overlap / (2 * std::min(p.r[i], p.r[j])));
    }
  }
  return largest;
}

TEST(Relax, OverlapsBecomeSmall) {
  for (const int dimension : {2, 3}) {
    for (const bool periodic : {false, true}) {
      Packing packing = random_packing(options_of({Kind::power_law, 8, -2}, 700, 0.55, dimension));
      EXPECT_GT(largest_overlap(packing, periodic), 1);
      RelaxOptions options;
      options.periodic = {periodic, periodic, periodic && dimension == 3};
      options.threads = 1;
      const Relaxation reached = relax(packing, options);
      EXPECT_LE(reached.mean_overlap, options.mean_overlap);
      EXPECT_LE(reached.max_overlap, options.max_overlap);
      EXPECT_NEAR(largest_overlap(packing, periodic), reached.max_overlap, 1e-12);
      for (std::size_t i = 0; i < packing.r.size(); ++i) {
        const double margin = periodic ? 0 : packing.r[i];
        EXPECT_TRUE(packing.x[i] >= margin && packing.x[i] <= packing.length - margin) << i;
      }
    }
  }
}

TEST(Relax, ThreadsChangeNothing) {
  std::vector<double> x[2];
  for (const int threads : {1, 3}) {
    Packing packing = random_packing(options_of({Kind::power_law, 30, -3}, 5000, 0.6, 3));
    RelaxOptions options;
    options.threads = threads;
    options.max_iterations = 20;
    relax(packing, options);
    x[threads / 2] = packing.x;
  }
  EXPECT_EQ(x[0], x[1]);
}

TEST(Relax, StopsWhenTold) {
  Packing packing = random_packing(options_of({}, 500, 0.6, 3));
  RelaxOptions options;
  options.progress = [](const Relaxation& now) { return now.iterations < 3; };
  EXPECT_EQ(relax(packing, options).iterations, 3);
}

TEST(Relax, CoincidentCentresPart) {
  Packing packing{3,
                  10,
                  std::vector<double>(20, 5.0),
                  std::vector<double>(20, 5.0),
                  std::vector<double>(20, 5.0),
                  std::vector<double>(20, 0.5)};
  EXPECT_LE(relax(packing).max_overlap, 0.03);
}

TEST(Relax, WhatDoesNotFitIsRefused) {
  Packing packing{3, 1, {0.5}, {0.5}, {0.5}, {0.6}};
  EXPECT_THROW(relax(packing), Error);
  RelaxOptions options;
  options.periodic = {true, true, true};  // it overlaps with its own images, which nothing can change
  options.max_iterations = 5;
  EXPECT_EQ(relax(packing, options).iterations, 5);
}

}  // namespace
}  // namespace hgrid
