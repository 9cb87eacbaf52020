// SPDX-License-Identifier: BSD-3-Clause
// The nearest particles on a CUDA device, against all pairs and hosts: plain C++.
#include "support/cuda_case.hpp"  // before the headers that use it to place particles

#include "hgrid/queries.hpp"
#include "support/nearest_on_devices.hpp"
#include "support/random_suite.hpp"

namespace {

using hgrid::CudaExec;

TEST(CudaNearest, OfRandomSystems) {
  HGRID_NEEDS_DEVICE();
  support::PoisonedMemory memory;
  const std::uint64_t first = support::from_environment("HGRID_SEED", 1);
  const std::uint64_t systems = support::from_environment("HGRID_SYSTEMS", 2000);
  for (std::uint64_t seed = first; seed < first + systems; ++seed) {
    const support::Case c = support::of_spheres(support::make_case(seed));
    ASSERT_EQ(support::check_nearest(CudaExec(nullptr, &memory), c), "") << "seed " << seed << "\n" << support::to_text(c);
  }
}

TEST(CudaNearest, EqualsTheHost) {
  HGRID_NEEDS_DEVICE();
  for (const bool periodic : {false, true}) {
    const oracle::System s = support::polydisperse(support::scaled(100000), 20, periodic, 3);
    support::expect_nearest_as_on_hosts(CudaExec(), s, support::turned_over(s));
  }
}

TEST(CudaNearest, InVoidsAndFarOutside) {
  HGRID_NEEDS_DEVICE();
  support::expect_nearest_in_voids(CudaExec(), support::scaled(20000));
}

TEST(CudaNearest, Errors) {
  HGRID_NEEDS_DEVICE();
  support::expect_errors_of_nearest(CudaExec());
}

// Fails each allocation once: earlier results stay, and the next call gives new ones.
TEST(CudaNearest, MemoryRunsOut) {
  HGRID_NEEDS_DEVICE();
  support::PoisonedMemory memory;
  const CudaExec exec(nullptr, &memory);
  const oracle::System s = support::polydisperse(300, 5, true, 4);
  support::GridThere device(exec, s);
  const auto few = support::there(exec, support::PointsToAsk{s.particles.size(), {1, 2, 3}});
  support::PointsToAsk points;
  while (points.size() < 5000) points.push_back({0.01 * static_cast<double>(points.size()), 0, 0});
  const auto many = support::there(exec, points);
  hgrid::Nearest nearest(device.grid);
  const auto before = nearest.of_points(support::span_of(few), {.k = 2});
  const support::FoundNearest expected(exec, before);
  int failures = 0;
  for (;; ++failures) {
    memory.fail_at = memory.allocations + failures;
    try {
      nearest.of_points(support::span_of(many), {.k = 3, .images = true});
      break;
    } catch (const hgrid::Error& e) {
      ASSERT_EQ(e.code(), hgrid::ErrorCode::out_of_memory) << e.what();
      ASSERT_EQ(support::FoundNearest(exec, before), expected);
    }
  }
  memory.fail_at = -1;
  EXPECT_GT(failures, 5);
  hgrid::Nearest fresh(device.grid);
  const hgrid::NearestOptions options{.k = 3, .images = true};
  EXPECT_EQ(support::FoundNearest(exec, nearest.of_points(support::span_of(many), options)),
            support::FoundNearest(exec, fresh.of_points(support::span_of(many), options)));
}

// A replay builds under an unchanged build number, so kept particle data would be old.
TEST(CudaNearest, OfTheBuildOfAGraph) {
  HGRID_NEEDS_DEVICE();
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  {
    const CudaExec exec(stream);
    const oracle::System s = support::polydisperse(support::scaled(20000), 5, true, 4);
    oracle::System moved = s;
    for (std::size_t i = 0; i < s.particles.size(); ++i) {
      for (int k = 0; k < 3; ++k) moved.particles[i].x[k] = s.particles[i].x[(k + 1) % 3];
    }
    const support::UserArrays<double, 3> before(s), after(moved);
    auto particles = support::placed(exec, before.view());
    hgrid::Grid<CudaExec, 3> grid(exec, support::box_of<3>(s));
    grid.build(particles.view()), grid.build(particles.view());
    hgrid::Nearest nearest(grid);
    nearest.of_particles({.k = 4});
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t replay = nullptr;
    ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), cudaSuccess);
    grid.build(particles.view());
    ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
    ASSERT_EQ(cudaGraphInstantiate(&replay, graph, 0), cudaSuccess);
    for (int k = 0; k < 3; ++k) {  // each coordinate has a copy from its first value to its last
      exec.copy_in(const_cast<double*>(particles.view().position[k]), after.view().position[k],
                   3 * (particles.view().count - 1) + 1);
    }
    ASSERT_EQ(cudaGraphLaunch(replay, stream), cudaSuccess);
    auto host = support::built(hgrid::SerialExec{}, moved);
    hgrid::Nearest expected(host);
    EXPECT_EQ(support::FoundNearest(exec, nearest.of_particles({.k = 4})),
              support::FoundNearest(hgrid::SerialExec{}, expected.of_particles({.k = 4})));
    cudaGraphExecDestroy(replay), cudaGraphDestroy(graph);
  }
  cudaStreamDestroy(stream);
}

}  // namespace
