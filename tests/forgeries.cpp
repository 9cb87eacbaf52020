// SPDX-License-Identifier: BSD-3-Clause
// Forged checkpoints of each kind, in C++; a checkpoint that is not forged is never refused.
#include "support/forgeries.hpp"
#include "hgrid/loop.hpp"
#include "support/forged_parts.hpp"
#include "support/random_case.hpp"
#include "support/run_case.hpp"
#include "support/spliced_lists.hpp"

namespace {

TEST(Forgeries, AreRefusedOrCanBeUsed) {
  const hgrid::SerialExec exec;
  for (int kind = 0; kind < 5; ++kind) {
    const std::string name = support::names_of_forged[kind];
    support::expect_safe(name + " in 3-D", 1000,
                         [&](fuzz::Bytes& d) { return support::forged_loop<hgrid::SerialExec, 3>(exec, kind, d); });
    support::expect_safe(name + " in 2-D", 250,
                         [&](fuzz::Bytes& d) { return support::forged_loop<hgrid::SerialExec, 2>(exec, kind, d); });
  }
}

template <int D>
void expect_wrong_plans_noticed() {
  int with_islands = 0, with_worlds = 0;
  for (const auto& loop : support::SavedLoop<hgrid::SerialExec, D>::all(hgrid::SerialExec{})) {
    hgrid::Grid<hgrid::SerialExec, D> grid{hgrid::SerialExec{}};
    hgrid::restore(grid, loop.saved[0]);
    EXPECT_EQ(support::unnoticed_in_plan(grid.plan()), "");
    with_islands += !grid.plan().islands.empty(), with_worlds += grid.plan().worlds > 0;
  }
  EXPECT_TRUE(with_islands > 0 && with_worlds > 0);
}

TEST(Forgeries, OfPlansAndListsAreNoticed) {
  expect_wrong_plans_noticed<2>();
  expect_wrong_plans_noticed<3>();
  EXPECT_EQ(support::unnoticed_in_lists(), "");
  EXPECT_EQ(support::unnoticed_splice(hgrid::SerialExec{}), "");
  EXPECT_EQ(support::unnoticed_misfit(hgrid::SerialExec{}), "");
  EXPECT_EQ(support::fault_of_numbers(hgrid::SerialExec{}), "");
}

template <int D>
void expect_taken(const support::Case& c) {
  const hgrid::SerialExec exec;
  auto grid = support::grid_in<hgrid::Grid<hgrid::SerialExec, D>>(exec, c.system, support::options_of(c));
  const bool half = c.system.rule != oracle::Rule::gather;
  hgrid::VerletList list(grid, {.kind = half ? hgrid::ListKind::half : hgrid::ListKind::full, .skin = c.system.skin});
  const support::UserArrays<double, D> warm_up(c.warm_up), arrays(c.system);
  if (!c.warm_up.particles.empty()) list.update(warm_up.view());
  list.update(arrays.view());
  hgrid::Grid<hgrid::SerialExec, D> other(exec);
  hgrid::VerletList restored(other);
  const support::Bytes saved = hgrid::save(list);
  try {
    hgrid::restore(restored, saved);
  } catch (const hgrid::Error& e) {
    FAIL() << e.what() << "; HGRID_SEED=" << c.seed;
  }
  ASSERT_EQ(hgrid::save(restored), saved) << "HGRID_SEED=" << c.seed;
  ASSERT_EQ(restored.update(arrays.view()), list.update(arrays.view())) << "HGRID_SEED=" << c.seed;
}

TEST(Forgeries, RandomSystemsAreNone) {
  const std::uint64_t first = support::number_of("HGRID_SEED", 1), count = support::number_of("HGRID_SYSTEMS", 400);
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const support::Case c = support::make_case(seed);
    c.choice[support::dimension] == 0 ? expect_taken<2>(c) : expect_taken<3>(c);
  }
}

}  // namespace
