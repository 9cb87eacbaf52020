// SPDX-License-Identifier: BSD-3-Clause
// The papers' rules for cell sizes against the numbers that they print and against an independent reference.
#include <gtest/gtest.h>

#include <cmath>

#include "paper_support.hpp"

namespace {

using namespace paper_test;

// The paper's example: w = 100, exponent -3, nu = 0.7, K = 0.2, Top-Down, 3-D.
const PowerLawCase& example() {
  static const PowerLawCase c(100, -3, {.packing = 0.7});
  return c;
}

TEST(PaperRules, PrintedNumbersOfTheExample) {
  const CostModel& model = example().model;
  const SizePlan linear = best(model, Rule::linear);
  EXPECT_EQ(linear.sizes.size(), 43u);
  EXPECT_NEAR(linear.work.total, 12.40, 0.005);
  const SizePlan exponential = best(model, Rule::exponential);
  EXPECT_EQ(exponential.sizes.size(), 4u);
  EXPECT_NEAR(total(model, Rule::exponential, 6) / exponential.work.total, 1.24, 0.005);
  const SizePlan constant = best(model, Rule::constant_ratio);
  EXPECT_EQ(constant.sizes.size(), 12u);
  EXPECT_NEAR(constant.work.total, 11.60, 0.005);
  EXPECT_NEAR(total(model, Rule::constant_ratio, 8) / constant.work.total, 1.10, 0.005);
  EXPECT_NEAR(total(model, Rule::constant_ratio, 19) / constant.work.total, 1.10, 0.005);
  EXPECT_NEAR(best(model, Rule::optimal).work.total, 11.58, 0.01);
  EXPECT_EQ(choose_sizes(model, {.fewest = true}).sizes.size(), 6u);
}

// The paper prints numbers that the model does not give: see also the tables of the documentation.
TEST(PaperRules, NumbersThatDoNotReproduce) {
  const CostModel& model = example().model;
  EXPECT_NEAR(best(model, Rule::exponential).work.total, 12.129052, 1e-6) << "printed 11.57";
  EXPECT_GT(total(model, Rule::optimal, 4), 11.96) << "so that no four levels cost 11.57";
  EXPECT_NEAR(total(model, Rule::exponential, 3) / best(model, Rule::exponential).work.total, 1.4742, 1e-4) << "printed 1.43";
}

TEST(PaperRules, HaveTheReferenceValues) {
  const CostModel& model = example().model;
  expect_relative(best(model, Rule::linear).work.total, 12.397537767538225, 1e-9, "linear");
  expect_relative(best(model, Rule::exponential).work.total, 12.129052220762949, 1e-9, "exponential");
  expect_relative(best(model, Rule::constant_ratio).work.total, 11.595032677579868, 1e-9, "q = 1");
  expect_relative(best(model, Rule::constant_ratio, 1.3).work.total, 11.580678447918547, 1e-9, "q = 1.3");
  EXPECT_LE(best(model, Rule::optimal).work.total, 11.573576274953043 * (1 + 1e-8));
  EXPECT_LE(total(model, Rule::optimal, 6), 11.583249816877732 * (1 + 1e-8));
  const std::vector<double> expected{10.530694061753271, 32.65758802073822, 72.25321966693093, 128.90877436007258, 200};
  const std::vector<double> sizes = constant_ratio_sizes(model, 1, 5).sizes;
  ASSERT_EQ(sizes.size(), 5u);
  for (int h = 0; h < 5; ++h) expect_relative(sizes[h], expected[h], 1e-8, "constant occupancy");
}

TEST(PaperRules, TwoDimensionalExample) {
  const PowerLawCase c(20, -3, {.dimension = 2, .packing = 0.4});
  const SizePlan plan = best(c.model, Rule::optimal);
  const std::vector<double> printed{4.0, 7.9, 15.1, 27.2, 40.0};
  ASSERT_EQ(plan.sizes.size(), 5u);
  for (int h = 0; h < 5; ++h) EXPECT_NEAR(plan.sizes[h], printed[h], 0.05);
  EXPECT_NEAR(plan.work.total, 4.4032, 5e-5);
  EXPECT_NEAR(c.model.work(std::vector<double>{40}).total / plan.work.total, 34.9, 0.05);
}

// For gapped radii the best cell is larger than the diameter; for one size nothing is left to choose.
TEST(PaperRules, OfFewSizes) {
  std::vector<double> radii(1000, 1.0);
  radii.insert(radii.end(), 10, 10.0);
  const auto two = from_radii(radii);
  const SizePlan plan = best(CostModel(*two, {.packing = 0.5}), Rule::optimal);
  ASSERT_EQ(plan.sizes.size(), 2u);
  EXPECT_NEAR(plan.sizes[0], 2.2801886, 1e-5);
  EXPECT_NEAR(plan.work.total, 8.7019006, 1e-7);  // the reference's candidates reach 8.70606, at 2.244
  for (const std::vector<double>& some : {std::vector<double>{}, {0}, {3}, {0, 0}, {5, 5, 5}, {0, 5}}) {
    const auto few = from_radii(some);
    for (Rule rule : {Rule::linear, Rule::exponential, Rule::constant_ratio, Rule::optimal}) {
      for (int levels : {0, 1, 7}) {
        const SizePlan one = choose_sizes(CostModel(*few, {}), {.rule = rule, .levels = levels});
        EXPECT_EQ(one.sizes, std::vector<double>{2 * few->radius_max()});
        EXPECT_TRUE(std::isfinite(one.work.total) && one.work.total > 0);
      }
    }
  }
}

// With exponent -1 - d, equal occupancy is a constant ratio of sizes.
TEST(PaperRules, ConstantOccupancyIsExponentialAtMinusOneMinusD) {
  for (int d : {2, 3}) {
    const PowerLawCase c(100, -1 - d, {.dimension = d});
    for (int levels : {2, 5, 11}) {
      const std::vector<double> sizes = constant_ratio_sizes(c.model, 1, levels).sizes;
      const std::vector<double> expected = exponential_sizes(*c.radii, levels);
      ASSERT_EQ(sizes.size(), expected.size());
      for (int h = 0; h < levels; ++h) expect_relative(sizes[h], expected[h], 1e-12, "size");
    }
  }
}

TEST(PaperRules, OccupanciesHaveTheRatioThatWasAskedFor) {
  std::vector<DistributionPtr> all;
  all.push_back(power_law(50, -2));
  all.push_back(log_normal(30));
  all.push_back(from_table(std::vector<double>{1, 2, 5, 30}, std::vector<double>{0, 0.7, 0.9, 1}));
  for (const DistributionPtr& radii : all) {
    for (double q : {0.5, 1.0, 3.0}) {
      const CostModel model(*radii, {});
      const RatioSizes found = constant_ratio_sizes(model, q, 6);
      const std::vector<LevelEstimate> levels = model.levels(found.sizes);
      ASSERT_EQ(levels.size(), 6u);
      expect_relative(levels[0].occupancy, found.occupancy, 1e-9, "m_1");
      for (int h = 1; h < 6; ++h) expect_relative(levels[h].occupancy, q * levels[h - 1].occupancy, 1e-7, "ratio");
    }
  }
}

// Appendix A of 2012: seven levels for the uniform-volume system of 125001 particles.
TEST(PaperRules, AppendixA) {
  const auto radii = from_radii(quantile_radii(125001, 50, -3));
  const CostModel model(*radii, {.packing = 0.62});
  double least = HUGE_VAL;
  int at = 0;
  for (int levels = 1; levels <= 12; ++levels) {
    const double cost = levels * (constant_ratio_sizes(model, 1, levels).occupancy + 0.3);  // Eq. 7
    if (cost < least) least = cost, at = levels;
  }
  EXPECT_EQ(at, 7);
  const RatioSizes seven = constant_ratio_sizes(model, 1, 7);
  EXPECT_NEAR(seven.occupancy, 0.367, 0.002);
  double low = HUGE_VAL, high = 0;
  for (const LevelEstimate& level : model.levels(seven.sizes)) {
    low = std::fmin(low, level.occupancy), high = std::fmax(high, level.occupancy);
  }
  EXPECT_LE((high - low) / 2, 0.02 * seven.occupancy) << "printed: about 2 %";
}

// "T <= 30 N in all test cases" holds for these rules Top-Down, which is then the better direction, too.
TEST(PaperRules, NeedAtMostThirtyTests) {
  for (double ratio : {1.5, 5.0, 20.0, 100.0, 1000.0}) {
    for (double exponent : {0.0, -1.0, -2.0, -3.0, -4.0}) {
      const PowerLawCase down(ratio, exponent, {.packing = 0.7});
      const PowerLawCase up(ratio, exponent, {.packing = 0.7, .direction = Direction::bottom_up});
      const double constant = best(down.model, Rule::constant_ratio).work.total;
      const double optimal = best(down.model, Rule::optimal).work.total;
      EXPECT_LE(constant, 30);
      EXPECT_LE(optimal, constant * (1 + 1e-9));
      EXPECT_LE(constant, best(up.model, Rule::constant_ratio).work.total * (1 + 1e-9));
      EXPECT_LE(optimal, best(up.model, Rule::optimal).work.total * (1 + 1e-9));
    }
  }
}

// For lists: the least T with the diameters as cell sizes, by a programme over all of them, is never less.
TEST(PaperRules, OptimumIsNeverWorseThanAnyChoiceOfDiameters) {
  std::vector<std::vector<double>> lists{quantile_radii(300, 1000, -1), {}, {}};
  for (int i = 0; i < 300; ++i) {
    lists[1].push_back(i < 270 ? 1 + 1e-3 * i : 50.0 + i);
    lists[2].push_back(1 + i * i % 97);
  }
  for (const std::vector<double>& list : lists) {
    const auto radii = from_radii(list);
    std::vector<double> s;
    for (double r = radii->radius_min(); s.empty() || 2 * r > s.back(); r = radii->next(r)) s.push_back(2 * r);
    for (Direction direction : {Direction::top_down, Direction::bottom_up}) {
      const CostModel model(*radii, {.direction = direction});
      std::vector<double> least{0};
      for (std::size_t j = 0; j < s.size(); ++j) {
        least.push_back(HUGE_VAL);
        for (std::size_t i = 0; i <= j; ++i) {
          const double lower = i == 0 ? 2 * below_all : s[i - 1];
          least.back() = std::fmin(least.back(), least[i] + model.level(lower, s[j]).total);
        }
      }
      EXPECT_LE(best(model, Rule::optimal).work.total, least.back() * (1 + 1e-12));
    }
  }
}

TEST(PaperRules, EndForAnyRatio) {
  for (double ratio : {1 + 1e-15, 1e6, 1e9, 1e15}) {
    for (double exponent : {0.0, -1.0, -3.0, -4.0}) {
      for (Direction direction : {Direction::top_down, Direction::bottom_up}) {
        const PowerLawCase c(ratio, exponent, {.direction = direction});
        for (Rule rule : {Rule::linear, Rule::exponential, Rule::constant_ratio, Rule::optimal}) {
          const SizePlan plan = choose_sizes(c.model, {.rule = rule});
          EXPECT_EQ(plan.sizes.back(), 2 * ratio);
          EXPECT_TRUE(std::isfinite(plan.work.total));
        }
      }
    }
  }
}

TEST(PaperRules, RefuseWhatIsNoRule) {
  const CostModel& model = example().model;
  EXPECT_THROW(linear_sizes(model.radii(), 0), hgrid::Error);
  EXPECT_THROW(exponential_sizes(model.radii(), -1), hgrid::Error);
  EXPECT_THROW(choose_sizes(model, {.levels = -1}), hgrid::Error);
  EXPECT_THROW(choose_sizes(model, {.levels = 1001}), hgrid::Error);
  EXPECT_THROW(choose_sizes(model, {.max_levels = 0}), hgrid::Error);
  for (double q : {0.0, -1.0, HUGE_VAL, not_a_number}) {
    EXPECT_THROW(constant_ratio_sizes(model, q, 3), hgrid::Error);
  }
}

// A distribution whose cost is nowhere finite still gets valid levels, and a warning.
TEST(PaperRules, FallBackToOneLevel) {
  struct Broken : Distribution {
    Broken() : Distribution(1, 10) {}
    Moments moments(double, double) const override { return {NAN, NAN, NAN, NAN}; }
  } broken;
  for (Rule rule : {Rule::optimal, Rule::constant_ratio}) {
    const SizePlan plan = choose_sizes(CostModel(broken, {}), {.rule = rule});
    EXPECT_EQ(plan.sizes, std::vector<double>{20});
    EXPECT_EQ(plan.warnings.size(), 1u);
  }
}

}  // namespace
