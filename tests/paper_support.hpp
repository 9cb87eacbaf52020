// SPDX-License-Identifier: BSD-3-Clause
// Helpers of the tests of the papers' cost model: cases of the model, and the independent reference values if their folder
// exists.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "hgrid/core/names.hpp"
#include "hgrid/packing/radii.hpp"
#include "papers/levels/size_rules.hpp"

#if __has_include(<nlohmann/json.hpp>)
#include <nlohmann/json.hpp>
#define HGRID_TEST_HAS_JSON 1
#endif

namespace paper_test {

using hgrid::Direction;
using hgrid::ErrorCode;
using namespace hgrid::paper;

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// A truncated power law with its model.
struct PowerLawCase {
  PowerLawCase(double ratio, double exponent, const ModelOptions& options)
      : radii(power_law(ratio, exponent)), model(*radii, options) {}
  DistributionPtr radii;
  CostModel model;
};

/// The radii r_i = F^-1((i + 1/2) / n) of a truncated power law.
inline std::vector<double> quantile_radii(int n, double ratio, double exponent) {
  using Kind = hgrid::SizeDistribution::Kind;
  return hgrid::sample_radii({Kind::power_law, ratio, exponent}, n, 3);
}

template <class F>
void expect_error(ErrorCode code, F f) {
  try {
    f();
    ADD_FAILURE() << "accepted, not " << name_of(code);
  } catch (const hgrid::Error& e) {
    EXPECT_STREQ(name_of(e.code()), name_of(code)) << e.what();
  }
}

inline void expect_relative(double got, double expected, double tolerance, const std::string& what) {
  EXPECT_NEAR(got, expected, tolerance * std::fabs(expected)) << what;
}

#ifdef HGRID_TEST_HAS_JSON
using Json = nlohmann::json;

inline std::optional<Json> reference(const char* table) {
  std::ifstream file(HGRID_SHARED_DATA "/../expected/cost-model.json");
  if (!file) return {};
  return Json::parse(file).at(table);
}

inline Direction direction_of(const Json& row) { return row.at("dir") == "td" ? Direction::top_down : Direction::bottom_up; }

inline ModelOptions options_of(const Json& row) { return {row.at("d"), row.at("nu"), row.at("K"), direction_of(row)}; }

inline PowerLawCase power_law_of(const Json& row) { return {row.at("omega"), row.at("alpha"), options_of(row)}; }

inline std::vector<double> list_of(const Json& row) {
  if (row.at("list") == "quantile 1000, omega 10, alpha -3") return quantile_radii(1000, 10, -3);
  EXPECT_EQ(row.at("list"), "bidisperse 1000 x r=1, 10 x r=10");
  std::vector<double> radii(1000, 1.0);
  radii.insert(radii.end(), 10, 10.0);
  return radii;
}
#endif

inline SizePlan best(const CostModel& model, Rule rule, double q = 1) {
  return choose_sizes(model, {.rule = rule, .q = q, .max_levels = 200});
}

inline double total(const CostModel& model, Rule rule, int levels) {
  return choose_sizes(model, {.rule = rule, .levels = levels}).work.total;
}

}  // namespace paper_test

/// `name` becomes that table of the reference values; the test is skipped where there is none.
#ifdef HGRID_TEST_HAS_JSON
#define REFERENCE_OR_SKIP(name, table)                                               \
  const std::optional<paper_test::Json> name##_found = paper_test::reference(table); \
  if (!name##_found) GTEST_SKIP() << "no reference values";                          \
  const paper_test::Json& name = *name##_found
#endif
