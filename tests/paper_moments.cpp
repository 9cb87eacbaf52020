// SPDX-License-Identifier: BSD-3-Clause
// The distributions of radii of the papers' cost model.
#include <gtest/gtest.h>

#include <cmath>

#include "paper_support.hpp"

namespace {

using namespace paper_test;

// Moments by Simpson's rule in ln r, for a density given up to its factor.
template <class Density>
Moments integrated(Density density, double a, double b) {
  Moments m{};
  constexpr int steps = 4000;
  const double h = std::log(b / a) / steps;
  for (int i = 0; i <= steps; ++i) {
    const double r = a * std::exp(h * i), w = (i == 0 || i == steps ? 1 : i % 2 == 1 ? 4 : 2) * h / 3;
    for (int k = 0; k < 4; ++k) m[k] += w * r * density(r) * std::pow(r, k);
  }
  return m;
}

template <class Density>
void expect_moments(const Distribution& radii, Density density, const std::string& what) {
  const double max = radii.radius_max();
  const double whole = integrated(density, 1, max)[0];
  for (double a : {1.0, std::pow(max, 0.3), std::pow(max, 0.9)}) {
    for (double b : {a * std::pow(max, 0.01), std::pow(max, 0.95), max}) {
      const Moments got = radii.moments(a, b), expected = integrated(density, a, b);
      for (int k = 0; k < 4; ++k) expect_relative(got[k], expected[k] / whole, 2e-9, what + " k=" + std::to_string(k));
    }
  }
}

TEST(PaperMoments, OfPowerLawsAlsoAtAndNearSingularExponents) {
  for (double exponent : {0.0, -1.0, -2.0, -3.0, -4.0, -0.5, 2.0, -7.0}) {
    for (double shift : {0.0, 1e-15, -1e-12, 1e-8, -1e-4}) {
      for (double ratio : {1.5, 100.0}) {
        const double e = exponent + shift;
        expect_moments(
            *power_law(ratio, e), [&](double r) { return std::pow(r, e); },
            "exponent " + std::to_string(exponent) + ", ratio " + std::to_string(ratio));
      }
    }
  }
}

TEST(PaperMoments, OfPowerLawsAreFiniteAndAddUpForAnyRatio) {
  for (double exponent : {-500.0, -4.0, -3.0, 0.0, 500.0}) {
    for (double ratio : {1 + 1e-9, 1e9, 1e15}) {
      const auto radii = power_law(ratio, exponent);
      double share = 0, below = 1;
      for (int i = 1; i <= 8; ++i) {
        const double r = i == 8 ? ratio : std::pow(ratio, i / 8.0);
        share += radii->moments(below, r)[0], below = r;
      }
      EXPECT_NEAR(share, 1, 1e-9) << exponent << ' ' << ratio;
      for (double m : radii->all()) EXPECT_TRUE(std::isfinite(m) && m >= 1 - 1e-9) << exponent << ' ' << ratio;
    }
  }
}

TEST(PaperMoments, OfTheLogNormalDistribution) {
  for (double ratio : {1.2, 10.0, 1000.0}) {
    const double mean = std::log(ratio) / 2, deviation = std::log(ratio) / 6;
    expect_moments(
        *log_normal(ratio), [&](double r) { return std::exp(-0.5 * std::pow((std::log(r) - mean) / deviation, 2)) / r; },
        "log-normal " + std::to_string(ratio));
  }
}

// The generator's samples follow the distributions.
TEST(PaperMoments, AgreeWithTheGeneratedRadii) {
  using Kind = hgrid::SizeDistribution::Kind;
  const auto compare = [](const hgrid::SizeDistribution& sizes, int dimension, const Distribution& radii) {
    const auto sample = from_radii(hgrid::sample_radii(sizes, 202000, dimension));
    for (int k = 0; k < 4; ++k) expect_relative(sample->all()[k], radii.all()[k], 1e-5, "moment " + std::to_string(k));
  };
  compare({Kind::mono}, 3, *monodisperse());
  compare({Kind::log_normal, 7}, 3, *log_normal(7));
  compare({Kind::power_law, 7, -3}, 3, *power_law(7, -3));
  compare({Kind::bidisperse, 10, 0}, 2, *bidisperse(10, 2));
}

TEST(PaperMoments, OfTablesAreThoseOfTheLineBetweenPoints) {
  const std::vector<double> r{0.5, 1, 2, 3, 4, 5, 6}, f{0, 0, 0.5, 0.5, 0.5, 1, 1};  // radii in [1, 2] and [4, 5]
  const auto table = from_table(r, f);
  EXPECT_EQ(table->radius_min(), 1);
  EXPECT_EQ(table->radius_max(), 5);
  EXPECT_EQ(table->floor(3.5), 2);
  EXPECT_EQ(table->next(2.5), 4);
  EXPECT_EQ(table->floor(1.5), 1.5);
  const Moments all = table->all(), part = table->moments(1.5, 4.5);
  for (int k = 0; k < 4; ++k) {
    const auto power = [&](double x) { return std::pow(x, k + 1) / (k + 1); };
    EXPECT_NEAR(all[k], 0.5 * (power(2) - power(1) + power(5) - power(4)), 1e-13);
    EXPECT_NEAR(part[k], 0.5 * (power(2) - power(1.5) + power(4.5) - power(4)), 1e-13);
  }
  EXPECT_EQ(table->moments(2, 4), Moments{});
}

TEST(PaperMoments, RefuseWhatIsNoDistribution) {
  for (double ratio : {0.5, 0.0, -1.0, not_a_number, HUGE_VAL}) {
    expect_error(ErrorCode::invalid_argument, [&] { power_law(ratio, -3); });
    expect_error(ErrorCode::invalid_argument, [&] { log_normal(ratio); });
    expect_error(ErrorCode::invalid_argument, [&] { bidisperse(ratio, 3); });
  }
  expect_error(ErrorCode::invalid_argument, [] { power_law(10, not_a_number); });
  expect_error(ErrorCode::nonfinite, [] { from_radii(std::vector<double>{1, not_a_number}); });
  expect_error(ErrorCode::negative_radius, [] { from_radii(std::vector<double>{1, -1}); });
  expect_error(ErrorCode::range_error, [] { from_radii(std::vector<double>{1, 1e16}); });
  const auto table = [](std::vector<double> r, std::vector<double> f) { return [=] { from_table(r, f); }; };
  expect_error(ErrorCode::size_mismatch, table({1, 2}, {0}));
  expect_error(ErrorCode::invalid_argument, table({1}, {0}));
  expect_error(ErrorCode::invalid_argument, table({2, 1}, {0, 1}));
  expect_error(ErrorCode::invalid_argument, table({0, 1}, {0, 1}));
  expect_error(ErrorCode::invalid_argument, table({1, 2}, {0.1, 1}));
  expect_error(ErrorCode::invalid_argument, table({1, 2}, {0, 0.9}));
  expect_error(ErrorCode::invalid_argument, table({1, 2, 3}, {0, not_a_number, 1}));
  expect_error(ErrorCode::invalid_argument, table({1, 2, 3, 4}, {0, 0.6, 0.5, 1}));
}

}  // namespace
