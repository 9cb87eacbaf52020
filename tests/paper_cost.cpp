// SPDX-License-Identifier: BSD-3-Clause
// The cost model of the papers: T for given sizes.
#include <gtest/gtest.h>

#include <cmath>

#include "paper_support.hpp"

namespace {

using namespace paper_test;

TEST(PaperCost, RefusesWhatIsNoModelOrNoLevels) {
  const auto radii = power_law(10, -3);
  expect_error(ErrorCode::invalid_argument, [&] { CostModel(*radii, {.dimension = 4}); });
  for (double packing : {0.0, -1.0, not_a_number, HUGE_VAL}) {
    expect_error(ErrorCode::invalid_argument, [&] { CostModel(*radii, {.packing = packing}); });
  }
  for (double k : {-0.1, not_a_number, HUGE_VAL}) {
    expect_error(ErrorCode::invalid_argument, [&] { CostModel(*radii, {.cell_cost = k}); });
  }
  const CostModel model(*radii, {});
  const std::vector<std::vector<double>> bad{{}, {19}, {not_a_number, 20}, {0, 20}, {5, 5, 20}, {20, 5}, {5, HUGE_VAL}};
  for (const std::vector<double>& sizes : bad) expect_error(ErrorCode::invalid_levels, [&] { model.work(sizes); });
}

// Values of the reference that matter most, for where its file is not.
TEST(PaperCost, HasTheReferenceValues) {
  const auto total = [](double ratio, double exponent, const ModelOptions& options, std::vector<double> sizes) {
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
  expect_relative(total(10, 0, loose, {3.5565588200778455, 6.324555320336758, 11.24682650380698, 20}), 33.74899088593918, 1e-9,
                  "exponential, 0");
  const ModelOptions flat{2, 0.4, 0.2, Direction::top_down};
  expect_relative(total(20, -3, flat, {40}), 153.6238925122548, 1e-9, "2-D, one level");
  expect_relative(total(20, -3, flat, {4.0, 7.9, 15.1, 27.2, 40}), 4.403259679885103, 1e-9, "2-D, the printed sizes");

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
        expect_relative(c.model.occupancy(2 * below_all, 2 * w), std::pow(2 * w, d) * 0.5 / volume * part / whole, 1e-13,
                        "m_1");
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

}  // namespace
