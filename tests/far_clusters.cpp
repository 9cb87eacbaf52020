// SPDX-License-Identifier: BSD-3-Clause
// Clusters far apart: the cost per particle is counted, and neither distances nor the number of particles raise it.
#include <gtest/gtest.h>

#include <span>

#include "host/planning/layout.hpp"
#include "host/planning/plan.hpp"
#include "host/planning/radius_histogram.hpp"
#include "support/counted_cost.hpp"
#include "support/executors.hpp"
#include "support/far_systems.hpp"
#include "support/results.hpp"

namespace {

using support::built_in;
using support::cost_of;
using support::Places;

constexpr int numbers[] = {20000, 80000};

template <int D>
void expect_no_more_than_one_cluster(hgrid::KeyOrder keys) {
  const bool in_rows = keys == hgrid::KeyOrder::row_major;
  for (const double ratio : {1.0, 10.0}) {
    for (const int n : std::span(numbers).first(in_rows ? 2 : 1)) {
      const double one = cost_of<D>(support::far_clusters(D, 1, 0, Places::axis, n, ratio), {.keys = keys});
      EXPECT_LT(one, 200);
      for (const double apart : {1e4, 1e6, 1e8, 1e12}) {
        for (const Places places : {Places::axis, Places::diagonal, Places::anywhere}) {
          for (const int clusters : {2, 3, 100}) {
            const oracle::System far = support::far_clusters(D, clusters, apart, places, n, ratio);
            EXPECT_LT(cost_of<D>(far, {.keys = keys}), 4 * one)
                << D << "-D, ratio " << ratio << ", n " << n << ", " << clusters << " clusters, " << apart << " apart, places "
                << static_cast<int>(places) << ", keys " << static_cast<int>(keys);
          }
        }
      }
    }
  }
}

TEST(FarClusters, CostNoMoreThanOneInRows) {
  expect_no_more_than_one_cluster<2>(hgrid::KeyOrder::row_major);
  expect_no_more_than_one_cluster<3>(hgrid::KeyOrder::row_major);
}

TEST(FarClusters, CostNoMoreThanOneUnderMortonKeys) {
  expect_no_more_than_one_cluster<2>(hgrid::KeyOrder::morton);
  expect_no_more_than_one_cluster<3>(hgrid::KeyOrder::morton);
}

// The user's caps for tables and keys bound memory; two clusters fit all the same.
TEST(FarClusters, CostNoMoreInTablesThatAreAskedFor) {
  for (const auto table : {hgrid::TableKind::dense, hgrid::TableKind::compacted}) {
    const double one = cost_of<3>(support::far_clusters(3, 1, 0, Places::axis, 20000), {.table = table});
    for (const int n : numbers) {
      const oracle::System far = support::far_clusters(3, 2, 1e12, Places::diagonal, n);
      EXPECT_LT(cost_of<3>(far, {.table = table}), 2 * one) << static_cast<int>(table) << ' ' << n;
    }
  }
}

// The periodic box is as wide as the distance between clusters.
TEST(FarClusters, CostNoMoreInPeriodicBoxes) {
  const double one = cost_of<3>(support::far_clusters(3, 1, 0, Places::axis, 20000));
  for (const int n : numbers) {
    oracle::System far = support::far_clusters(3, 5, 1e11, Places::anywhere, n);
    for (int k = 0; k < 3; ++k) far.lo[k] = -5e11, far.hi[k] = 5e11, far.periodic[k] = true;
    EXPECT_LT(cost_of<3>(far), 4 * one) << n;
  }
}

TEST(FarClusters, ClustersOfClustersOfClusters) {
  for (const int n : numbers) EXPECT_LT(cost_of<3>(support::nested_clusters(n)), 250) << n;
}

// A few in a decade, some hundreds, or thousands; of one size, or larger the further they are.
TEST(FarClusters, GapsThatGrow) {
  for (const int n : {100, 4000, 20000, 80000}) {
    for (const double share : {0.0, 1e-6, 0.3 * std::log(1e12) / n}) {
      const oracle::System s = support::growing_gaps(n, share);
      auto grid = built_in<3>(s);
      const double contacts = static_cast<double>(grid.count()) / n;  // near the origin all overlap
      EXPECT_LT(cost_of<3>(s), 250 + 20 * contacts) << n << ' ' << share;
    }
  }
}

TEST(FarClusters, AClusterInAGas) {
  for (const bool on_diagonal : {false, true}) {
    for (const int n : numbers) EXPECT_LT(cost_of<3>(support::cluster_in_a_gas(n, on_diagonal)), 250) << n;
  }
}

// Eight particles at each of thousands of places: a sample holds few of these.
TEST(FarClusters, ThousandsOfFew) {
  for (const Places places : {Places::axis, Places::diagonal, Places::anywhere}) {
    for (const int n : numbers) {
      EXPECT_LT(cost_of<3>(support::far_clusters(3, n / 8, 1e8, places, n)), 250) << static_cast<int>(places) << ' ' << n;
    }
  }
}

// The model predicts the counted cost of the planned levels.
TEST(FarClusters, TheModelSeesThem) {
  for (const double apart : {1e6, 1e12}) {
    const oracle::System far = support::far_clusters(3, 10, apart, Places::anywhere, 16000);
    hgrid::detail::PlanInput<3> input;
    input.particles = 16000;
    for (const oracle::Particle& p : far.particles) {
      for (int k = 0; k < 3; ++k) {
        input.sample.push_back(p.x[k]);
        input.lo[k] = std::min(input.lo[k], p.x[k]), input.hi[k] = std::max(input.hi[k], p.x[k]);
      }
      input.sample.push_back(p.radius);
      input.radius_max = std::max(input.radius_max, p.radius);
    }
    const auto grid = built_in<3>(far);
    const auto bins = hgrid::detail::radius_bins(input);
    const hgrid::detail::SearchSpace space = hgrid::detail::search_space(input, hgrid::Box3::open(), std::span(bins));
    const hgrid::detail::CostModel model(bins, space, 0, {}, {});
    const hgrid::Level<3>& level = grid.plan().levels.level[0];
    ASSERT_EQ(grid.plan().levels.count, 1);
    const hgrid::detail::SearchWork expected =
        model.work(0, static_cast<int>(bins.size()), {level.cell_size[0] / 0.5, level.cell_size[1] / 0.5});
    const hgrid::WorkCount work = built_in<3>(far).work();
    EXPECT_GT(expected.candidates, 0.5 * static_cast<double>(work.candidates)) << apart;
    EXPECT_LT(expected.candidates, 2 * static_cast<double>(work.candidates)) << apart;
  }
}

// Clusters that move leave their islands, and are given others.
TEST(FarClusters, IslandsFollow) {
  oracle::System s = support::far_clusters(3, 3, 1e12, Places::diagonal, 20000);
  auto grid = built_in<3>(s);
  const hgrid::offset_t contacts = grid.count();
  const double before = cost_of<3>(s);
  for (int step = 0; step < 8; ++step) {
    for (std::size_t i = 1; i < s.particles.size(); i += 3) {  // particles in the middle
      for (double& x : s.particles[i].x) x += 20;
    }
    grid.build(support::UserArrays<double, 3>(s).view());
    grid.build(support::UserArrays<double, 3>(s).view());  // the one before told
    const hgrid::WorkCount work = grid.work();
    EXPECT_LT(static_cast<double>(work.candidates + work.rows) / 20000, 1.5 * before) << step;
    EXPECT_NEAR(static_cast<double>(grid.count()), static_cast<double>(contacts), 0.01 * static_cast<double>(contacts));
  }
}

TEST(FarClusters, NoIslandsWithoutThem) {
  for (const bool periodic : {false, true}) {
    EXPECT_TRUE(support::built(hgrid::SerialExec{}, support::polydisperse(20000, 30, periodic)).plan().islands.empty());
  }
  oracle::System s = support::polydisperse(20000, 3, false);
  for (int i = 0; i < 40; ++i) s.particles[i].x[0] = 1e12 + 1e8 * i;
  EXPECT_TRUE(support::built(hgrid::SerialExec{}, s).plan().islands.empty()) << "outliers";
}

TEST(IslandsOf, CutsWideGapsOut) {
  const std::vector<hgrid::detail::Interval> x = {{-1e9, -1e9}, {0, 0}, {0.5, 0.5}, {4, 4}, {8.5, 8.5}, {1e9, 1e9}};
  const std::vector<hgrid::Island> islands = hgrid::detail::islands_of(x, 1, 1000);
  ASSERT_EQ(islands.size(), 5u);
  const double begin[] = {-1e9 - 1, -1, 7.5, 1e9 - 1};
  const hgrid::index_t cell[] = {0, 4, 12, 16, 20};  // one before, one after, one for the gap
  for (int i = 0; i < 4; ++i) EXPECT_EQ(islands[i].begin, begin[i]);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(islands[i].cell, cell[i]);
  EXPECT_TRUE(hgrid::detail::islands_of(x, 1, 19).empty());
}

// Monotone over machine numbers, also where islands meet, and onto all cells.
TEST(CellsOnIslands, AreMonotone) {
  support::Random random(5);
  for (int n = 0; n < 2000; ++n) {
    const double size = random.log_real(1e-6, 1e3);
    std::vector<hgrid::detail::Interval> x;
    for (double begin = random.sign() * random.log_real(1e-3, 1e12); x.size() < 20;) {
      x.push_back({begin, begin + (random.chance(0.5) ? size * random.log_real(1e-2, 1e3) : 0)});
      begin = x.back().last + size * random.log_real(1e-2, 1e9);
    }
    const std::vector<hgrid::Island> islands = hgrid::detail::islands_of(x, size, 1e9);
    hgrid::Level<2> level{};
    level.inverse[0] = 1 / size, level.cells[0] = islands.back().cell;
    level.islands[0] = static_cast<hgrid::index_t>(islands.size()) - 1;
    const auto cell = [&](double at) { return hgrid::detail::cell_coordinate(level, islands.data(), 0, at); };
    std::vector<double> at = {-1e15, 1e15};
    for (const hgrid::Island& island : islands) {
      for (int k = -2; k < 6 && island.begin < 1e15; ++k) {
        for (int ulp = -2; ulp <= 2; ++ulp) at.push_back(support::ulps_away(island.begin + k * size, ulp));
      }
    }
    std::ranges::sort(at);
    EXPECT_EQ(cell(at.front()), 0);
    EXPECT_EQ(cell(at.back()), level.cells[0] - 1);
    for (std::size_t k = 1; k < at.size(); ++k) ASSERT_LE(cell(at[k - 1]), cell(at[k])) << at[k];
    for (std::size_t i = 0; i + 1 < islands.size(); ++i) ASSERT_EQ(cell(islands[i].begin), islands[i].cell);
  }
}

}  // namespace
