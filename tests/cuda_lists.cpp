// SPDX-License-Identifier: BSD-3-Clause
// Lists, levels and regions on a CUDA device: plain C++.
#include <algorithm>

#include "support/asked.hpp"
#include "support/cuda_case.hpp"
#include "support/drawn_lists.hpp"
#include "support/host_reference.hpp"
#include "support/loop_cases.hpp"
#include "support/random_suite.hpp"
#include "support/region_cases.hpp"
#include "support/two_sets_cases.hpp"

namespace {

using support::host_pairs;
using support::random_system;
using support::scaled;
using support::System;
using support::view_of;

std::vector<hgrid::Pair> as_read(const hgrid::CudaExec& exec, const hgrid::PairList<hgrid::CudaExec>& list) {
  return support::copied(exec, list.pairs(), list.size());
}

std::vector<hgrid::Pair> listed(const hgrid::CudaExec& exec, const System& s, hgrid::Order order) {
  const auto there = support::placed(exec, view_of(s));
  hgrid::Grid<hgrid::CudaExec, 3> grid(exec, s.box);
  grid.build(there.view());
  auto list = grid.make_pairs();
  grid.find(list, {.order = order});
  return as_read(exec, list);
}

TEST(CudaLists, SameBytesByOneSearchAndByCountScanFill) {
  HGRID_NEEDS_DEVICE();
  support::PoisonedMemory memory;
  for (const bool periodic : {false, true}) {
    const System s = random_system(scaled(30000), 20, periodic);
    const hgrid::CudaExec twice(nullptr, &memory, hgrid::detail::ListMode::count_scan_fill);
    const auto expected = listed(hgrid::CudaExec(nullptr, &memory), s, hgrid::Order::fixed);
    ASSERT_GT(expected.size(), s.r.size() / 3);
    EXPECT_EQ(listed(twice, s, hgrid::Order::fixed), expected);
    EXPECT_EQ(listed(twice, s, hgrid::Order::sorted), host_pairs(s));
  }
}

// One particle touches all others.
TEST(CudaLists, ARowOfALargeParticle) {
  HGRID_NEEDS_DEVICE();
  support::PoisonedMemory memory;
  System s = random_system(scaled(50000), 1, false);
  s.r[s.r.size() / 2] = 1e4;
  EXPECT_EQ(listed(hgrid::CudaExec(nullptr, &memory), s, hgrid::Order::sorted), host_pairs(s));
}

// Lists are sorted several to a warp, by a warp, or by a block in its scratch memory or beyond it.
TEST(CudaLists, ListsOfEveryLengthAreSorted) {
  HGRID_NEEDS_DEVICE();
  using support::DrawnLists;
  support::PoisonedMemory memory;
  const hgrid::CudaExec exec(nullptr, &memory);
  for (const int times : {1, 2, 40}) {
    EXPECT_TRUE(support::sorts(exec, DrawnLists(support::lengths_up_to(300), times, DrawnLists::Order::any))) << times;
  }
  for (const auto order : {DrawnLists::Order::any, DrawnLists::Order::sorted, DrawnLists::Order::reversed}) {
    EXPECT_TRUE(support::sorts(exec, DrawnLists({1000, 5000, 3, 20000, 1792, 1793}, 1, order)));
  }
  EXPECT_TRUE(support::sorts(exec, DrawnLists(std::vector<int>(70, 100), 1, DrawnLists::Order::any), false));
  EXPECT_TRUE(support::sorts(exec, DrawnLists({0, 0, 0}, 1, DrawnLists::Order::any)));
  EXPECT_TRUE(support::sorts_packed(exec, DrawnLists(support::lengths_up_to(300), 2, DrawnLists::Order::any)));
  EXPECT_TRUE(support::sorts_packed(exec, DrawnLists({1000, 20000, 1793}, 3, DrawnLists::Order::any)));
}

TEST(CudaLists, LargestRadiusOfEachLevel) {
  HGRID_NEEDS_DEVICE();
  support::PoisonedMemory memory;
  const hgrid::CudaExec exec(nullptr, &memory);
  const System s = random_system(scaled(100000), 50, false);
  for (const hgrid::SortKind sort : {hgrid::SortKind::radix, hgrid::SortKind::counting}) {
    const auto there = support::placed(exec, view_of(s));
    hgrid::Grid<hgrid::CudaExec, 3> grid(exec, s.box, {.sort = sort});
    grid.build(there.view());
    double lower = 0;
    for (const hgrid::LevelReport& level : grid.levels()) {
      double expected = 0;
      for (const double r : s.r) {
        if (r > lower && r <= level.radius_bound) expected = std::max(expected, r);
      }
      EXPECT_EQ(level.radius_max, expected);
      lower = level.radius_bound;
    }
  }
}

TEST(CudaLists, ParticlesOfRegions) {
  HGRID_NEEDS_DEVICE();
  support::PoisonedMemory memory;
  const hgrid::CudaExec exec(nullptr, &memory);
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const support::Case c = support::of_spheres(support::make_case(seed));
    if (c.choice[support::dimension] != 1 || c.choice[support::real] != 0) continue;
    support::Random random(seed);
    const auto regions = support::draw_regions<3>(c.system, random);
    hgrid::detail::CudaBuffer<hgrid::Region<3>> there(exec, static_cast<hgrid::offset_t>(regions.size()));
    exec.copy_in(there.data(), regions.data(), there.size());
    const support::UserArrays<double, 3> arrays(c.system, c.choice[support::layout]);
    const auto particles = support::placed(exec, arrays.view());
    auto grid = support::grid_in<hgrid::Grid<hgrid::CudaExec, 3>>(exec, c.system, support::options_of(c));
    grid.build(particles.view());
    const auto found = support::as_listed(exec, support::asked(grid, hgrid::Regions{there.data(), there.size()}));
    EXPECT_EQ(found, support::in_regions<3>(c.system, regions, hgrid::Take::touching)) << seed;
  }
}

TEST(CudaLists, BetweenTwoSets) {
  HGRID_NEEDS_DEVICE();
  support::PoisonedMemory memory;
  const hgrid::CudaExec exec(nullptr, &memory);
  const std::uint64_t systems = support::from_environment("HGRID_SYSTEMS", 60);
  for (std::uint64_t seed = 1; seed <= systems; ++seed) {
    const support::Case c = support::make_case(seed);
    const auto run = [&]<class Real, int D>() { return support::check_two_sets<Real, D>(exec, c); };
    ASSERT_EQ(support::in_types_of(c, run), "") << "seed " << seed;
  }
}

// The executor's device counts, not the one that is current when it is used.
TEST(CudaLists, WithAnotherDeviceCurrent) {
  HGRID_NEEDS_DEVICE();
  if (hgrid_found.devices.size() < 2) GTEST_SKIP() << "no second CUDA device";
  const System s = random_system(scaled(5000), 10, true);
  cudaStream_t stream;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  {
    const hgrid::CudaExec exec(stream);
    ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
    EXPECT_EQ(listed(exec, s, hgrid::Order::sorted), host_pairs(s));
    int device = 0;
    EXPECT_EQ(cudaGetDevice(&device), cudaSuccess);
    EXPECT_EQ(device, 1);
  }
  cudaSetDevice(0);
  cudaStreamDestroy(stream);
}

}  // namespace
