// SPDX-License-Identifier: BSD-3-Clause
// The CUDA executor against the host: large systems, functors, graphs, streams, memory, errors.
#include <gtest/gtest.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>

#include <algorithm>
#include <cmath>

#include "support/host_reference.hpp"
#include "support/on_device.cuh"

namespace {

using hgrid::ErrorCode;
using hgrid::index_t;
using support::host_pairs;
using support::OnDevice;
using support::random_system;
using support::read;
using support::System;

std::vector<hgrid::GridOptions> all_options() {
  std::vector<hgrid::GridOptions> all;
  for (int v = 0; v < 12; ++v) {
    hgrid::GridOptions o;
    o.keys = static_cast<hgrid::KeyOrder>(v & 1);
    o.table = static_cast<hgrid::TableKind>(v >> 1 & 1);
    o.direction = v < 8 ? hgrid::Direction::top_down : hgrid::Direction::bottom_up;
    o.sort = v & 4 ? hgrid::SortKind::counting : hgrid::SortKind::radix;
    all.push_back(o);
  }
  return all;
}

TEST(CudaGrid, EqualsTheHost) {
  HGRID_NEEDS_DEVICE();
  const hgrid::CudaExec exec;
  for (const index_t n : {1, 2, 127, 128, 129, support::scaled(20000), support::scaled(300000)}) {
    for (const double ratio : {1.0, 10.0, 100.0}) {
      for (const bool periodic : {false, true}) {
        const System s = random_system(n, ratio, periodic && n > 1000);
        const OnDevice<double> there(s);
        const auto expected = host_pairs(s);
        for (const hgrid::GridOptions& options : all_options()) {
          hgrid::Grid<hgrid::CudaExec, 3> grid(exec, s.box, options);
          grid.build(there.view());
          auto list = grid.make_pairs();
          grid.find(list, {.order = hgrid::Order::sorted});
          ASSERT_EQ(read(exec, list), expected) << n << " particles, ratio " << ratio << ", periodic " << periodic;
        }
      }
    }
  }
}

// Small and whole, for the sanitizers; one row is long, and lists are made in both ways in turn.
TEST(CudaGrid, OneStepOfEachKind) {
  HGRID_NEEDS_DEVICE();
  const hgrid::CudaExec one_search, fill(nullptr, nullptr, hgrid::detail::ListMode::count_scan_fill);
  int kinds = 0;
  for (const bool periodic : {false, true}) {
    System s = random_system(support::scaled(20000), 20, periodic);
    s.r[77] = 25;
    const OnDevice<float> there(s);
    for (const hgrid::GridOptions& options : all_options()) {
      const hgrid::CudaExec& exec = kinds++ % 2 == 0 ? one_search : fill;
      hgrid::Grid<hgrid::CudaExec, 3> grid(exec, s.box, options);
      auto list = grid.make_pairs();
      auto rows = grid.make_list(hgrid::ListKind::full);
      for (int step = 0; step < 2; ++step) {
        grid.build(there.view(), {.skin = 0.05});
        grid.find(list);
        grid.find(rows);
      }
      EXPECT_EQ(rows.size(), 2 * list.size());
      EXPECT_EQ(grid.count(), list.size());
    }
  }
}

TEST(CudaGrid, SameBytesEveryTime) {
  HGRID_NEEDS_DEVICE();
  const hgrid::CudaExec exec;
  const System s = random_system(support::scaled(200000), 20, false);
  const OnDevice<float> there(s);
  hgrid::Grid<hgrid::CudaExec, 3> grid(exec, s.box);
  auto list = grid.make_pairs();
  std::vector<hgrid::Pair> first;
  for (int repeat = 0; repeat < 50; ++repeat) {
    grid.build(there.view());
    grid.find(list);
    const auto now = read(exec, list);
    if (repeat == 0) first = now;
    ASSERT_EQ(now, first) << repeat;
  }
}

struct CountPartners {
  index_t* contacts;
  __device__ void operator()(index_t i, index_t, const hgrid::Image&) const { ++contacts[i]; }
};

TEST(CudaGrid, FunctorsSeeEveryContact) {
  HGRID_NEEDS_DEVICE();
  const hgrid::CudaExec exec;
  const System s = random_system(support::scaled(100000), 30, false);
  const OnDevice<double> there(s);
  thrust::host_vector<index_t> expected(s.size(), 0);
  for (const hgrid::Pair& p : host_pairs(s)) ++expected[p.i], ++expected[p.j];
  hgrid::Grid<hgrid::CudaExec, 3> grid(exec, s.box);
  grid.build(there.view());
  thrust::device_vector<index_t> once(s.size(), 0), all(s.size(), 0);
  grid.for_each_contact(support::CountContacts{thrust::raw_pointer_cast(once.data())});
  grid.for_each_partner(CountPartners{thrust::raw_pointer_cast(all.data())});
  EXPECT_EQ(thrust::host_vector<index_t>(once), expected);
  EXPECT_EQ(thrust::host_vector<index_t>(all), expected);
}

TEST(CudaGrid, BuildAndListInAGraph) {
  HGRID_NEEDS_DEVICE();
  cudaStream_t stream;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  {
    const hgrid::CudaExec exec(stream);
    const System s = random_system(support::scaled(50000), 10, true);
    const OnDevice<double> there(s);
    hgrid::Grid<hgrid::CudaExec, 3> grid(exec, s.box);
    auto list = grid.make_pairs();
    for (int warm = 0; warm < 3; ++warm) {
      grid.build(there.view());
      grid.find(list);
    }
    const auto expected = read(exec, list);
    cudaGraph_t graph;
    cudaGraphExec_t run;
    ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed), cudaSuccess);
    grid.build(there.view());
    grid.enqueue(list);
    ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
    ASSERT_EQ(cudaGraphInstantiate(&run, graph, 0), cudaSuccess);
    for (int replay = 0; replay < 3; ++replay) {
      ASSERT_EQ(cudaGraphLaunch(run, stream), cudaSuccess);
      grid.wait(list);
      EXPECT_EQ(read(exec, list), expected);
    }
    cudaGraphExecDestroy(run);
    cudaGraphDestroy(graph);
  }
  cudaStreamDestroy(stream);
}

TEST(CudaGrid, NoAllocationFromTheThirdStepOn) {
  HGRID_NEEDS_DEVICE();
  support::PoisonedMemory memory;
  const hgrid::CudaExec exec(nullptr, &memory);
  const System s = random_system(support::scaled(20000), 10, true);
  const OnDevice<double> there(s);
  hgrid::Grid<hgrid::CudaExec, 3> grid(exec, s.box);
  auto list = grid.make_pairs();
  auto rows = grid.make_list();
  int third = 0;
  for (int step = 0; step < 10; ++step) {
    if (step == 2) third = memory.allocations;
    grid.build(there.view(), {.skin = 0.1});
    grid.find(list);
    grid.find(rows);
  }
  EXPECT_EQ(memory.allocations, third);
}

// The k-th allocation fails: a typed error, and the next try succeeds.
TEST(CudaGrid, FailedAllocationsLeaveItUsable) {
  HGRID_NEEDS_DEVICE();
  const System s = random_system(support::scaled(5000), 10, true);
  const OnDevice<double> there(s);
  const auto expected = host_pairs(s);
  for (int k = 0, failed = 1; failed == 1; ++k) {
    support::PoisonedMemory memory;
    const hgrid::CudaExec exec(nullptr, &memory);
    hgrid::Grid<hgrid::CudaExec, 3> grid(exec, s.box);
    auto list = grid.make_pairs();
    memory.fail_at = memory.allocations + k;
    failed = 0;
    for (int attempt = 0; attempt < 2; ++attempt) {
      try {
        grid.build(there.view());
        grid.find(list, {.order = hgrid::Order::sorted});
      } catch (const hgrid::Error& e) {
        EXPECT_EQ(e.code(), ErrorCode::out_of_memory);
        failed = 1;
      }
    }
    EXPECT_EQ(read(exec, list), expected) << "allocation " << k;
  }
}

// Contract C7: after the first build, bad input is thrown by the next read-back, and the grid is then not built.
TEST(CudaGrid, BadInputIsReportedLate) {
  HGRID_NEEDS_DEVICE();
  const hgrid::CudaExec exec;
  System s = random_system(support::scaled(5000), 10, false);
  hgrid::Grid<hgrid::CudaExec, 3> grid(exec, s.box);
  const OnDevice<double> good(s);
  grid.build(good.view());
  const index_t wrong = s.size() / 4;
  s.x[static_cast<std::size_t>(3 * wrong + 1)] = NAN;
  const OnDevice<double> bad(s);
  const auto code_of = [&](auto&& f) {
    try {
      f();
    } catch (const hgrid::Error& e) {
      EXPECT_EQ(e.detail().index, e.code() == ErrorCode::nonfinite ? wrong : -1);
      return e.code();
    }
    return ErrorCode::io;
  };
  EXPECT_EQ(code_of([&] { grid.build(bad.view(), {.check_now = true}); }), ErrorCode::nonfinite);
  EXPECT_GT(grid.count(), 0) << "check_now leaves the grid as it was";
  grid.build(bad.view());
  EXPECT_EQ(code_of([&] { grid.count(); }), ErrorCode::nonfinite);
  EXPECT_EQ(code_of([&] { grid.count(); }), ErrorCode::not_built);
  grid.build(good.view());
  EXPECT_EQ(grid.count(), static_cast<hgrid::offset_t>(host_pairs(random_system(support::scaled(5000), 10, false)).size()));
}

// Thrust as an oracle of the sort: slots are in the order of (level, cell, id).
TEST(CudaGrid, SlotsAreSorted) {
  HGRID_NEEDS_DEVICE();
  const System s = random_system(support::scaled(100000), 10, false);
  const OnDevice<double> there(s);
  hgrid::Grid<hgrid::CudaExec, 3> grid{hgrid::CudaExec{}, s.box};
  grid.build(there.view());
  const auto g = grid.view();
  std::vector<hgrid::Level<3>> level(static_cast<std::size_t>(g.level_count));
  grid.exec().copy_out(level.data(), g.level, g.level_count);
  thrust::host_vector<hgrid::cell_key_t> keys;
  for (index_t i = 0; i < s.size(); ++i) {
    const int h = hgrid::detail::level_of_radius(level.data(), g.level_count, s.r[i]);
    hgrid::Vec<index_t, 3> cell;
    for (int k = 0; k < 3; ++k) cell[k] = hgrid::detail::cell_coordinate(level[h], k, s.x[3 * i + k]);
    keys.push_back(hgrid::detail::linear_cell(level[h], cell));
  }
  thrust::device_vector<hgrid::cell_key_t> sorted = keys;
  thrust::device_vector<index_t> expected(s.size());
  thrust::sequence(expected.begin(), expected.end());
  thrust::stable_sort_by_key(sorted.begin(), sorted.end(), expected.begin());
  const thrust::device_ptr<const index_t> ids(g.id);
  EXPECT_EQ(thrust::host_vector<index_t>(ids, ids + s.size()), thrust::host_vector<index_t>(expected));
}

}  // namespace
