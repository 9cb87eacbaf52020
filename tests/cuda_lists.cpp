// SPDX-License-Identifier: BSD-3-Clause
// Lists, levels and regions on a CUDA device, and graphs when scratch grows: plain C++, and memory that both sides read.
#include <algorithm>

#include "support/cuda_case.hpp"
#include "support/host_reference.hpp"
#include "support/random_suite.hpp"
#include "support/region_cases.hpp"

namespace {

using support::host_pairs;
using support::random_system;
using support::System;

hgrid::Particles<double, 3> view_of(const System& s) { return hgrid::particles<3>(s.x.data(), s.r.data(), s.size()); }

std::vector<hgrid::Pair> as_read(const hgrid::PairList<hgrid::CudaExec>& list) {
  return {list.pairs(), list.pairs() + list.size()};
}

std::vector<hgrid::Pair> listed(const hgrid::CudaExec& exec, const System& s, hgrid::Order order) {
  const auto there = support::placed(exec, view_of(s));
  hgrid::Grid<hgrid::CudaExec, 3> grid(exec, s.box);
  grid.build(there.view());
  auto list = grid.make_pairs();
  grid.pairs(list, order);
  return as_read(list);
}

TEST(CudaLists, SameBytesByLookBackAndByCountScanFill) {
  HGRID_NEEDS_DEVICE();
  support::PinnedMemory memory;
  for (const bool periodic : {false, true}) {
    const System s = random_system(30000, 20, periodic);
    const hgrid::CudaExec twice(nullptr, &memory, hgrid::ListMode::count_scan_fill);
    const auto expected = listed(hgrid::CudaExec(nullptr, &memory), s, hgrid::Order::fixed);
    ASSERT_GT(expected.size(), 10000u);
    EXPECT_EQ(listed(twice, s, hgrid::Order::fixed), expected);
    EXPECT_EQ(listed(twice, s, hgrid::Order::sorted), host_pairs(s));
  }
}

// One particle touches all others.
TEST(CudaLists, ARowOfALargeParticle) {
  HGRID_NEEDS_DEVICE();
  support::PinnedMemory memory;
  System s = random_system(50000, 1, false);
  s.r[25000] = 1e4;
  EXPECT_EQ(listed(hgrid::CudaExec(nullptr, &memory), s, hgrid::Order::sorted), host_pairs(s));
}

TEST(CudaLists, LargestRadiusOfEachLevel) {
  HGRID_NEEDS_DEVICE();
  support::PinnedMemory memory;
  const hgrid::CudaExec exec(nullptr, &memory);
  const System s = random_system(100000, 50, false);
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
  support::PinnedMemory memory;
  const hgrid::CudaExec exec(nullptr, &memory);
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const support::Case c = support::make_case(seed);
    if (c.choice[support::dimension] != 1 || c.choice[support::real] != 0) continue;
    support::Random random(seed);
    const auto regions = support::draw_regions<3>(c.system, random);
    hgrid::CudaBuffer<hgrid::Region<3>> there(exec, static_cast<hgrid::offset_t>(regions.size()));
    std::copy(regions.begin(), regions.end(), there.data());
    const support::UserArrays<double, 3> arrays(c.system, c.choice[support::layout]);
    const auto particles = support::placed(exec, arrays.view());
    hgrid::Grid<hgrid::CudaExec, 3> grid(exec, support::box_of<3>(c.system), support::options_of(c));
    grid.build(particles.view());
    hgrid::Queries queries(grid);
    const auto found = support::as_listed(queries.find(there.data(), there.size(), hgrid::Take::touching));
    EXPECT_EQ(found, support::in_regions<3>(c.system, regions, hgrid::Take::touching)) << seed;
  }
}

class CudaGraphs : public ::testing::Test {
 protected:
  void SetUp() override {
    HGRID_NEEDS_DEVICE();
    ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  }
  void TearDown() override {
    if (stream != nullptr) cudaStreamDestroy(stream);
  }

  support::PinnedMemory memory;
  cudaStream_t stream = nullptr;
  const System small = random_system(5000, 10, true), large = random_system(100000, 10, true);
};

// What grows the scratch that all copies of an executor share does not take it away from a captured graph.
TEST_F(CudaGraphs, OutliveScratchThatGrows) {
  const hgrid::CudaExec exec(stream, &memory);
  const auto there = support::placed(exec, view_of(small));
  hgrid::Grid<hgrid::CudaExec, 3> grid(exec, small.box);
  auto list = grid.make_pairs();
  for (int warm = 0; warm < 2; ++warm) grid.build(there.view()), grid.pairs(list);
  const auto expected = as_read(list);
  cudaGraph_t graph;
  cudaGraphExec_t step;
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed), cudaSuccess);
  grid.build(there.view());
  grid.enqueue_pairs(list);
  ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
  ASSERT_EQ(cudaGraphInstantiate(&step, graph, 0), cudaSuccess);
  EXPECT_EQ(listed(exec, large, hgrid::Order::sorted), host_pairs(large));
  ASSERT_EQ(cudaGraphLaunch(step, stream), cudaSuccess);
  grid.wait(list);
  EXPECT_EQ(as_read(list), expected);
  cudaGraphExecDestroy(step);
  cudaGraphDestroy(graph);
}

TEST_F(CudaGraphs, RefuseToGrow) {
  const hgrid::CudaExec exec(stream, &memory);
  System more = random_system(8000, 10, true);
  more.box = small.box;
  const auto few = support::placed(exec, view_of(small)), many = support::placed(exec, view_of(more));
  hgrid::Grid<hgrid::CudaExec, 3> grid(exec, small.box);
  auto list = grid.make_pairs();
  for (int warm = 0; warm < 2; ++warm) grid.build(few.view()), grid.pairs(list);
  const auto expected = as_read(list);
  cudaGraph_t graph = nullptr;
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed), cudaSuccess);
  try {
    grid.build(many.view());
    ADD_FAILURE() << "memory of a graph was taken for the grid's";
  } catch (const hgrid::Error& e) {
    EXPECT_EQ(e.code(), hgrid::ErrorCode::reentrancy) << e.what();
  }
  EXPECT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
  cudaGraphDestroy(graph);
  grid.pairs(list);
  EXPECT_EQ(as_read(list), expected) << "the grid is as it was";
}

}  // namespace
