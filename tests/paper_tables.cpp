// SPDX-License-Identifier: BSD-3-Clause
// The papers' cost model and rules against all of an independent reference's tables.
#include <gtest/gtest.h>

#include "paper_support.hpp"

#ifdef HGRID_TEST_HAS_JSON
namespace {

using namespace paper_test;

TEST(PaperTables, CostAgreesWithTheEvaluatorTable) {
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
      for (std::size_t h = 0; h < sizes.size(); ++h) expect_relative(levels[h].occupancy, row[rule]["m"][h], 1e-9, rule);
    }
    const std::vector<double> optimal = row["optimal"]["s"];
    expect_relative(c.model.work(optimal).total, row["optimal"]["T"], 1e-9, "optimal");
  }
}

TEST(PaperTables, CostAgreesWithTheEmpiricalTable) {
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
    for (std::size_t h = 0; h < sizes.size(); ++h) expect_relative(levels[h].occupancy, row["m"][h], 1e-9, "m");
    expect_relative(model.work(std::vector<double>{sizes.back()}).total, row.at("single_T"), 1e-9, "single");
    expect_relative(model.work(best).total, row.at("dp_best_T"), 1e-9, "sizes of the reference's programme");
  }
}

TEST(PaperTables, RulesAgreeWithTheEvaluatorTable) {
  REFERENCE_OR_SKIP(table, "evaluator_table");
  for (const Json& row : table) {
    const PowerLawCase c = power_law_of(row);
    for (auto [name, rule] :
         {std::pair{"linear", Rule::linear}, {"exponential", Rule::exponential}, {"constm", Rule::constant_ratio}}) {
      const Json& expected = row[name];
      const SizePlan plan = choose_sizes(c.model, {.rule = rule, .levels = expected["L"]});
      ASSERT_EQ(plan.sizes.size(), expected["s"].size());
      for (std::size_t h = 0; h < plan.sizes.size(); ++h) {
        expect_relative(plan.sizes[h], expected["s"][h], rule == Rule::constant_ratio ? 1e-8 : 1e-12, name);
      }
      expect_relative(plan.work.total, expected["T"], 1e-9, name);
      const SizePlan least = best(c.model, rule);
      expect_relative(least.work.total, expected["Tmin"], 1e-9, name);
      EXPECT_EQ(static_cast<int>(least.sizes.size()), expected["Lstar"]) << row.dump();
    }
    for (const auto& [levels, t] : row["optimal"]["T_of_L"].items()) {
      EXPECT_LE(total(c.model, Rule::optimal, std::stoi(levels)), t.get<double>() * (1 + 1e-8)) << levels << row.dump();
    }
    EXPECT_LE(best(c.model, Rule::optimal).work.total, row["optimal"]["T_inf"].get<double>() * (1 + 1e-8));
  }
}

TEST(PaperTables, RulesAgreeWithTheEmpiricalTable) {
  REFERENCE_OR_SKIP(table, "empirical_table");
  for (const Json& row : table) {
    const auto radii = from_radii(list_of(row));
    const CostModel model(*radii, options_of(row));
    EXPECT_LE(best(model, Rule::optimal).work.total, row.at("dp_best_T").get<double>() * (1 + 1e-8)) << row.at("list");
  }
}

TEST(PaperTables, RulesAgreeWithTheRatioTable) {
  REFERENCE_OR_SKIP(table, "constant_ratio_q");
  const PowerLawCase example(100, -3, {.packing = 0.7});
  for (const auto& [q, expected] : table.items()) {
    const SizePlan plan = choose_sizes(example.model, {.rule = Rule::constant_ratio, .q = std::stod(q), .max_levels = 30});
    EXPECT_EQ(static_cast<int>(plan.sizes.size()), expected[0]) << q;
    expect_relative(plan.work.total, expected[1], 1e-9, q);
  }
}

TEST(PaperTables, RulesAgreeWithTheAppendixTable) {
  REFERENCE_OR_SKIP(table, "appendix_A");
  for (auto [name, exponent] : {std::pair{"UV,quantile,True", -3.0}, {"US,quantile,True", 0.0}}) {
    const auto radii = from_radii(quantile_radii(125001, 50, exponent));
    const CostModel model(*radii, {.packing = 0.62});
    for (const auto& [levels, m] : table[name]["m"].items()) {
      expect_relative(constant_ratio_sizes(model, 1, std::stoi(levels)).occupancy, m, 1e-9, name + (' ' + levels));
    }
  }
}

}  // namespace
#endif
