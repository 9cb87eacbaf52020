// SPDX-License-Identifier: BSD-3-Clause
// The cost model of the papers: distributions' moments, and T for given sizes.
#include "hgrid/host/planning/paper/cost.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "hgrid/core/error.hpp"
#include "paper_support.hpp"

namespace {

using namespace paper_test;
using hgrid::ErrorCode;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

template <class F>
void expect_error(ErrorCode code, F f) {
  try {
    f();
    ADD_FAILURE() << "accepted, not " << name(code);
  } catch (const hgrid::Error& e) {
    EXPECT_STREQ(name(e.code()), name(code)) << e.what();
  }
}

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
      for (int k = 0; k < 4; ++k)
        expect_relative(got[k], expected[k] / whole, 2e-9, what + " k=" + std::to_string(k));
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
      for (double m : radii->all())
        EXPECT_TRUE(std::isfinite(m) && m >= 1 - 1e-9) << exponent << ' ' << ratio;
    }
  }
}

TEST(PaperMoments, OfTheLogNormalDistribution) {
  for (double ratio : {1.2, 10.0, 1000.0}) {
    const double mean = std::log(ratio) / 2, deviation = std::log(ratio) / 6;
    expect_moments(
        *log_normal(ratio),
        [&](double r) { return std::exp(-0.5 * std::pow((std::log(r) - mean) / deviation, 2)) / r; },
        "log-normal " + std::to_string(ratio));
  }
}

// The generator's samples are those of the distributions.
TEST(PaperMoments, AgreeWithTheGeneratedRadii) {
  using Kind = hgrid::SizeDistribution::Kind;
  const auto compare = [](const hgrid::SizeDistribution& sizes, int dimension, const Distribution& radii) {
    const auto sample = from_radii(hgrid::sample_radii(sizes, 202000, dimension));
    for (int k = 0; k < 4; ++k)
      expect_relative(sample->all()[k], radii.all()[k], 1e-5, "moment " + std::to_string(k));
  };
  compare({Kind::mono}, 3, *monodisperse());
  compare({Kind::log_normal, 7}, 3, *log_normal(7));
  compare({Kind::power_law, 7, -3}, 3, *power_law(7, -3));
  compare({Kind::bidisperse, 10, 0}, 2, *bidisperse(10, 2));
}

TEST(PaperMoments, OfTablesAreThoseOfTheLineBetweenPoints) {
  const std::vector<double> r{0.5, 1, 2, 3, 4, 5, 6},
      f{0, 0, 0.5, 0.5, 0.5, 1, 1};  // radii in [1, 2] and [4, 5]
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
  for (double ratio : {0.5, 0.0, -1.0, nan, HUGE_VAL}) {
    expect_error(ErrorCode::invalid_argument, [&] { power_law(ratio, -3); });
    expect_error(ErrorCode::invalid_argument, [&] { log_normal(ratio); });
    expect_error(ErrorCode::invalid_argument, [&] { bidisperse(ratio, 3); });
  }
  expect_error(ErrorCode::invalid_argument, [] { power_law(10, nan); });
  expect_error(ErrorCode::nonfinite, [] { from_radii(std::vector<double>{1, nan}); });
  expect_error(ErrorCode::negative_radius, [] { from_radii(std::vector<double>{1, -1}); });
  expect_error(ErrorCode::range_error, [] { from_radii(std::vector<double>{1, 1e16}); });
  const auto table = [](std::vector<double> r, std::vector<double> f) { return [=] { from_table(r, f); }; };
  expect_error(ErrorCode::size_mismatch, table({1, 2}, {0}));
  expect_error(ErrorCode::invalid_argument, table({1}, {0}));
  expect_error(ErrorCode::invalid_argument, table({2, 1}, {0, 1}));
  expect_error(ErrorCode::invalid_argument, table({0, 1}, {0, 1}));
  expect_error(ErrorCode::invalid_argument, table({1, 2}, {0.1, 1}));
  expect_error(ErrorCode::invalid_argument, table({1, 2}, {0, 0.9}));
  expect_error(ErrorCode::invalid_argument, table({1, 2, 3}, {0, nan, 1}));
  expect_error(ErrorCode::invalid_argument, table({1, 2, 3, 4}, {0, 0.6, 0.5, 1}));
}

TEST(PaperCost, RefusesWhatIsNoModelOrNoLevels) {
  const auto radii = power_law(10, -3);
  expect_error(ErrorCode::invalid_argument, [&] { CostModel(*radii, {.dimension = 4}); });
  for (double packing : {0.0, -1.0, nan, HUGE_VAL}) {
    expect_error(ErrorCode::invalid_argument, [&] { CostModel(*radii, {.packing = packing}); });
  }
  for (double k : {-0.1, nan, HUGE_VAL}) {
    expect_error(ErrorCode::invalid_argument, [&] { CostModel(*radii, {.cell_cost = k}); });
  }
  const CostModel model(*radii, {});
  const std::vector<std::vector<double>> bad{{},         {19},    {nan, 20},    {0, 20},
                                             {5, 5, 20}, {20, 5}, {5, HUGE_VAL}};
  for (const std::vector<double>& sizes : bad)
    expect_error(ErrorCode::invalid_levels, [&] { model.work(sizes); });
}

// Values of the reference that matter most, for where its file is not.
TEST(PaperCost, HasTheReferenceValues) {
  const auto total = [](double ratio, double exponent, const ModelOptions& options,
                        std::vector<double> sizes) {
    return PowerLawCase(ratio, exponent, options).model.work(sizes).total;
  };
  const ModelOptions down{3, 0.7, 0.2, Direction::top_down}, up{3, 0.7, 0.2, Direction::bottom_up};
  const std::vector<double> quarter{6.324555320336758, 20, 63.24555320336759, 200};
  expect_relative(total(100, -3, down, quarter), 12.129052220762949, 1e-9, "exponential, Top-Down");
  expect_relative(total(100, -3, up, quarter), 83.40654636525093, 1e-9, "exponential, Bottom-Up");
  expect_relative(total(100, -4, down, quarter), 48.34257918706014, 1e-9, "exponential, -4");
  expect_relative(total(100, -3, down, {200}), 91146.06126043574, 1e-9, "one level");
  expect_relative(total(100, -4, down, {200}), 1306371.6397708985, 1e-9, "one level, -4");
  const ModelOptions loose{3, 0.62, 0.2, Direction::bottom_up};
  expect_relative(total(10, 0, loose, {3.5565588200778455, 6.324555320336758, 11.24682650380698, 20}),
                  33.74899088593918, 1e-9, "exponential, 0");
  const ModelOptions flat{2, 0.4, 0.2, Direction::top_down};
  expect_relative(total(20, -3, flat, {40}), 153.6238925122548, 1e-9, "2-D, one level");
  expect_relative(total(20, -3, flat, {4.0, 7.9, 15.1, 27.2, 40}), 4.403259679885103, 1e-9,
                  "2-D, the printed sizes");

  std::vector<double> radii(1000, 1.0);
  radii.insert(radii.end(), 10, 10.0);
  const auto two = from_radii(radii);
  const std::vector<double> diameters{2, 20};
  const Work td = CostModel(*two, {.packing = 0.5}).work(diameters);
  expect_relative(td.total, 8.983428436476652, 1e-9, "bidisperse, Top-Down");
  expect_relative(td.tests, 2.761646258258829, 1e-9, "bidisperse, tests");
  expect_relative(td.cells, 31.108910891089113, 1e-9, "bidisperse, cells");
  const Work bu = CostModel(*two, {.packing = 0.5, .direction = Direction::bottom_up}).work(diameters);
  expect_relative(bu.total, 13.870291728886638, 1e-9, "bidisperse, Bottom-Up");
}

// T = 20.848 and 18.786 by hand: m = 8 nu / V_3, T = 13.5 m + 14 K.
TEST(PaperCost, OfOneSize) {
  const auto radii = monodisperse();
  for (double packing : {0.7, 0.62}) {
    const Work work = CostModel(*radii, {.packing = packing}).work(std::vector<double>{2});
    expect_relative(work.total, 13.5 * 8 * packing / (4 * std::acos(-1.0) / 3) + 2.8, 1e-14, "monodisperse");
  }
}

// Eq. 32, with the cases that it leaves out.
TEST(PaperCost, OfOneLevelIsTheClosedForm) {
  for (int d : {2, 3}) {
    for (double w : {2.0, 100.0, 1e4}) {
      for (double a : {0.0, -1.0, -2.0, -3.0, -4.0, -2.5}) {
        const double part = 1 + a == 0 ? std::log(w) : (std::pow(w, 1 + a) - 1) / (1 + a);
        const double whole = 1 + d + a == 0 ? std::log(w) : (std::pow(w, 1 + d + a) - 1) / (1 + d + a);
        const double volume = d == 2 ? std::acos(-1.0) : 4 * std::acos(-1.0) / 3;
        const PowerLawCase c(w, a, {.dimension = d, .packing = 0.5});
        expect_relative(c.model.occupancy(2 * below_all, 2 * w),
                        std::pow(2 * w, d) * 0.5 / volume * part / whole, 1e-13, "m_1");
      }
    }
  }
}

TEST(PaperCost, AdditiveFormIsTheDoubleSum) {
  std::vector<DistributionPtr> all;
  for (double a : {0.0, -1.0, -2.0, -3.0, -4.0}) all.push_back(power_law(100, a));
  all.push_back(log_normal(30));
  all.push_back(bidisperse(10, 3));
  all.push_back(from_radii(quantile_radii(1000, 50, -3)));
  all.push_back(from_table(std::vector<double>{1, 2, 5, 30}, std::vector<double>{0, 0.7, 0.9, 1}));
  double farthest = 0;
  for (const DistributionPtr& radii : all) {
    for (Direction direction : {Direction::top_down, Direction::bottom_up}) {
      for (int d : {2, 3}) {
        const CostModel model(*radii, {.dimension = d, .direction = direction});
        for (int levels : {1, 2, 5, 12}) {
          for (const auto& sizes : {exponential_sizes(*radii, levels), linear_sizes(*radii, levels)}) {
            const double sum = model.work(sizes).total, by_searcher = model.work_by_searcher(sizes).total;
            farthest = std::max(farthest, std::fabs(sum / by_searcher - 1));
          }
        }
      }
    }
  }
  EXPECT_LE(farthest, 2e-15);
}

#ifdef HGRID_TEST_HAS_JSON
TEST(PaperCost, AgreesWithTheEvaluatorTable) {
  REFERENCE_OR_SKIP(table, "evaluator_table");
  for (const Json& row : table) {
    const PowerLawCase c = power_law_of(row);
    const std::vector<double> single{2 * c.radii->radius_max()};
    expect_relative(c.model.work(single).total, row.at("single_T"), 1e-9, row.dump());
    for (const char* rule : {"linear", "exponential", "constm"}) {
      const std::vector<double> sizes = row[rule]["s"];
      const Work work = c.model.work(sizes);
      const std::vector<LevelEstimate> levels = c.model.levels(sizes);
      expect_relative(work.total, row[rule]["T"], 1e-9, rule);
      expect_relative(work.tests, row[rule]["T_cd"], 1e-9, rule);
      expect_relative(work.cells, row[rule]["T_ca"], 1e-9, rule);
      for (std::size_t h = 0; h < sizes.size(); ++h)
        expect_relative(levels[h].occupancy, row[rule]["m"][h], 1e-9, rule);
    }
    const std::vector<double> optimal = row["optimal"]["s"];
    expect_relative(c.model.work(optimal).total, row["optimal"]["T"], 1e-9, "optimal");
  }
}

TEST(PaperCost, AgreesWithTheEmpiricalTable) {
  REFERENCE_OR_SKIP(table, "empirical_table");
  for (const Json& row : table) {
    const auto radii = from_radii(list_of(row));
    const CostModel model(*radii, options_of(row));
    const std::vector<double> sizes = row.at("s"), best = row.at("dp_s");
    const Work work = model.work(sizes);
    expect_relative(work.total, row.at("T"), 1e-9, row.at("list"));
    expect_relative(work.tests, row.at("T_cd"), 1e-9, row.at("list"));
    expect_relative(work.cells, row.at("T_ca"), 1e-9, row.at("list"));
    const std::vector<LevelEstimate> levels = model.levels(sizes);
    for (std::size_t h = 0; h < sizes.size(); ++h)
      expect_relative(levels[h].occupancy, row["m"][h], 1e-9, "m");
    expect_relative(model.work(std::vector<double>{sizes.back()}).total, row.at("single_T"), 1e-9, "single");
    expect_relative(model.work(best).total, row.at("dp_best_T"), 1e-9, "sizes of the reference's programme");
  }
}
#endif

}  // namespace
