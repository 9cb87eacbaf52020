// SPDX-License-Identifier: BSD-3-Clause
// Time loops of the C API that are captured in CUDA graphs: their lists equal the host's, and some calls cannot be captured.
#include <optional>
#include <utility>

#include "support/c_door_place.hpp"
#include "support/cuda_case.hpp"
#include "support/gas.hpp"

namespace {

using support::cuda;
using support::Gas;
using support::sized;

constexpr int n = 150;

class CudaCLoops : public ::testing::Test {
 protected:
  void SetUp() override {
    HGRID_NEEDS_DEVICE();
    prepare(false);
  }
  void prepare(bool wrapped) {
    wrapped_ = wrapped;
    ASSERT_EQ(cudaStreamCreate(&stream_), cudaSuccess);
    exec_.emplace(stream_);
    x_there_.emplace(*exec_, 3 * n), r_there_.emplace(*exec_, n);
    for (const bool on_device : {false, true}) {
      ASSERT_EQ(support::create(gas_.s, on_device ? cuda : 1, &grids_[on_device].grid, on_device ? stream_ : nullptr),
                HGRID_OK);
      auto options = sized<hgrid_verlet_options>();
      options.skin = 0.5, options.kind = HGRID_FULL, options.wrapped = wrapped;
      ASSERT_EQ(hgrid_verlet_create(grids_[on_device].grid, &options, &lists_[on_device].list), HGRID_OK);
    }
    for (hgrid_particles* p : {&here_, &there_}) {
      const bool on_device = p == &there_;
      p->positions = support::c_array(on_device ? x_there_->data() : x_.data(), {n, 3});
      p->radii = support::c_array(on_device ? r_there_->data() : r_.data(), {n});
    }
    there_ = support::on_device(there_);
    place();
  }
  void TearDown() override {
    if (step_ != nullptr) cudaGraphExecDestroy(step_);
    hgrid_verlet_destroy(std::exchange(lists_[1].list, nullptr)), hgrid_destroy(std::exchange(grids_[1].grid, nullptr));
    x_there_.reset(), r_there_.reset(), exec_.reset();
    if (stream_ != nullptr) cudaStreamDestroy(stream_);
  }

  // Copies the particles as they are now to where the graph reads them.
  void place() {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < 3; ++k)
        x_[3 * i + k] =
            wrapped_ ? hgrid::wrap(gas_.s.particles[i].x[k], gas_.s.lo[k], gas_.s.hi[k]).inside : gas_.s.particles[i].x[k];
      r_[i] = gas_.s.particles[i].radius;
    }
    exec_->copy_in(x_there_->data(), x_.data(), 3 * n), exec_->copy_in(r_there_->data(), r_.data(), n);
  }

  // Returns the status of an update within a capture, and makes a graph of it where that is OK.
  int capture() {
    EXPECT_EQ(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal), cudaSuccess);
    const int status = hgrid_verlet_enqueue_update(device(), &there_, nullptr);
    cudaGraph_t graph = nullptr;
    EXPECT_EQ(cudaStreamEndCapture(stream_, &graph), cudaSuccess);
    if (status == HGRID_OK) {
      if (step_ != nullptr) cudaGraphExecDestroy(step_);
      EXPECT_EQ(cudaGraphInstantiate(&step_, graph, 0), cudaSuccess);
    }
    cudaGraphDestroy(graph);
    return status;
  }

  hgrid_verlet* device() { return lists_[1].list; }
  void expect_lists_of_host();

  bool wrapped_ = false;  // positions are wrapped at each step
  Gas gas_{n};
  std::vector<double> x_ = std::vector<double>(3 * n), r_ = std::vector<double>(n);
  cudaStream_t stream_ = nullptr;
  std::optional<hgrid::CudaExec> exec_;
  std::optional<hgrid::detail::CudaBuffer<double>> x_there_, r_there_;
  support::DoorGrid grids_[2];
  support::DoorVerlet lists_[2];
  hgrid_particles here_ = sized<hgrid_particles>(), there_ = here_;
  cudaGraphExec_t step_ = nullptr;
};

void CudaCLoops::expect_lists_of_host() {
  int captures = 0;
  for (int step = 0; step < 60; ++step, gas_.step(0.02)) {
    place();
    ASSERT_EQ(hgrid_verlet_update(lists_[0].list, &here_, nullptr, nullptr), HGRID_OK);
    if (step_ != nullptr) {
      ASSERT_EQ(cudaGraphLaunch(step_, stream_), cudaSuccess);
    }
    int again = 77;
    ASSERT_EQ(hgrid_verlet_wait(device(), &there_, nullptr, &again), HGRID_OK) << support::verdict_of_door(8).message;
    if (again != 0) {
      ASSERT_EQ(capture(), HGRID_OK) << support::verdict_of_door(8).message;
      ++captures;
    }
    auto expected = sized<hgrid_neighbour_list>(), found = expected;
    ASSERT_EQ(hgrid_verlet_neighbours(lists_[0].list, &expected), HGRID_OK);
    ASSERT_EQ(hgrid_verlet_neighbours(device(), &found), HGRID_OK);
    ASSERT_EQ(found.size, expected.size) << step;
    const std::vector<std::int32_t> ids = support::copied(*exec_, found.neighbours, found.size);
    ASSERT_EQ(ids, std::vector<std::int32_t>(expected.neighbours, expected.neighbours + expected.size)) << step;
    const std::vector<std::int32_t> images = support::copied(*exec_, found.images, 3 * found.size);
    ASSERT_EQ(images, std::vector<std::int32_t>(expected.images, expected.images + 3 * expected.size)) << step;
    auto guard = sized<hgrid_list_guard>();
    ASSERT_EQ(hgrid_verlet_guard(device(), &guard), HGRID_OK);
    const std::vector<std::int64_t> status = support::copied(*exec_, guard.status, 2);
    EXPECT_TRUE(status[0] == guard.graph && status[1] != 0 && guard.room >= found.size);
  }
  auto counts = sized<hgrid_verlet_counters>(), of_host = counts;
  ASSERT_EQ(hgrid_verlet_counts(device(), &counts), HGRID_OK);
  ASSERT_EQ(hgrid_verlet_counts(lists_[0].list, &of_host), HGRID_OK);
  EXPECT_EQ(counts.builds, of_host.builds);
  EXPECT_GT(of_host.builds, 5);
  EXPECT_LT(captures, 4);
}
TEST_F(CudaCLoops, ListsAreBuiltAtTheStepsOfTheHost) { expect_lists_of_host(); }

class CudaCWrappedLoops : public CudaCLoops {
 protected:
  void SetUp() override {
    HGRID_NEEDS_DEVICE();
    prepare(true);
  }
};
TEST_F(CudaCWrappedLoops, ImagesAreOfThePositionsOfNow) {
  expect_lists_of_host();
  if (HasFatalFailure()) return;
  // A replay writes them, before anybody waits.
  auto found = sized<hgrid_neighbour_list>();
  ASSERT_EQ(hgrid_verlet_neighbours(device(), &found), HGRID_OK);
  const std::vector<std::int32_t> ids = support::copied(*exec_, found.neighbours, found.size);
  const std::vector<std::int64_t> offsets = support::copied(*exec_, found.offsets, found.lists + 1);
  ASSERT_GT(offsets[1], 0);
  const std::int32_t before = support::copied(*exec_, found.images, 3 * found.size)[0];
  const double moved = x_[0] + (gas_.s.hi[0] - gas_.s.lo[0]);
  exec_->copy_in(x_there_->data(), &moved, 1);
  ASSERT_EQ(cudaGraphLaunch(step_, stream_), cudaSuccess);
  ASSERT_NE(ids[0], 0);
  EXPECT_EQ(support::copied(*exec_, found.images, 3 * found.size)[0], before + 1);
}

// A graph of particles that were not waited for, and one of a payload.
TEST_F(CudaCLoops, WhatCannotBeCaptured) {
  EXPECT_EQ(capture(), HGRID_ERROR_REENTRANCY);
  int again = 0;
  ASSERT_EQ(hgrid_verlet_wait(device(), &there_, nullptr, &again), HGRID_OK);
  EXPECT_EQ(again, 1);
  hgrid_particles fewer = there_;
  fewer.positions.shape[0] = fewer.radii.shape[0] = n - 1;
  std::swap(fewer, there_);
  EXPECT_NE(capture(), HGRID_OK);
  std::swap(fewer, there_);
  EXPECT_EQ(capture(), HGRID_OK);
  support::DoorVerlet list;
  auto options = sized<hgrid_verlet_options>();
  options.skin = 0.5, options.payload = 8;
  ASSERT_EQ(hgrid_verlet_create(grids_[1].grid, &options, &list.list), HGRID_OK);
  EXPECT_EQ(hgrid_verlet_wait(list.list, &there_, nullptr, &again), HGRID_ERROR_UNSUPPORTED);
  EXPECT_EQ(support::verdict_of_door(HGRID_ERROR_UNSUPPORTED).argument, "payload");
}

// On the host the calls are updates.
TEST_F(CudaCLoops, TheHostUpdates) {
  int again = 77;
  for (int step = 0; step < 20; ++step, gas_.step(0.02)) {
    place();
    ASSERT_EQ(hgrid_verlet_wait(lists_[0].list, &here_, nullptr, &again), HGRID_OK);
    EXPECT_EQ(again, 0);
    ASSERT_EQ(hgrid_verlet_enqueue_update(lists_[0].list, &here_, nullptr), HGRID_OK);
    auto report = sized<hgrid_validity_report>();
    ASSERT_EQ(hgrid_validity(grids_[0].grid, &here_, &report), HGRID_OK);
    EXPECT_EQ(report.holds, 1);
  }
  auto counts = sized<hgrid_verlet_counters>();
  ASSERT_EQ(hgrid_verlet_counts(lists_[0].list, &counts), HGRID_OK);
  EXPECT_GT(counts.builds, 1);
  EXPECT_EQ(counts.steps, 20);
}

}  // namespace
