// SPDX-License-Identifier: BSD-3-Clause
// A grid on a device whose builds and lists are captured in graphs.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <utility>
#include <vector>

#include "hgrid/core/names.hpp"
#include "support/cuda_case.hpp"
#include "support/gas.hpp"
#include "support/host_reference.hpp"
#include "support/results.hpp"

namespace support {

/// Captures the work that f enqueues on the stream, to be replayed on it.
class CapturedGraph {
 public:
  template <class F>
  CapturedGraph(cudaStream_t stream, const F& f) : stream_(stream) {
    cudaGraph_t graph = nullptr;
    EXPECT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed), cudaSuccess);
    f();
    EXPECT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess) << "the capture is spoilt";
    EXPECT_EQ(cudaGraphInstantiate(&step_, graph, 0), cudaSuccess);
    if (graph != nullptr) cudaGraphDestroy(graph);
  }
  CapturedGraph(const CapturedGraph&) = delete;
  CapturedGraph& operator=(const CapturedGraph&) = delete;
  ~CapturedGraph() {
    if (step_ != nullptr) cudaGraphExecDestroy(step_);
  }
  void replay() const { ASSERT_EQ(cudaGraphLaunch(step_, stream_), cudaSuccess); }

 private:
  cudaStream_t stream_;
  cudaGraphExec_t step_ = nullptr;
};

class CapturedBuilds : public ::testing::Test {
 protected:
  void SetUp() override {
    HGRID_NEEDS_DEVICE();
    ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
    exec.emplace(stream, &memory);
    there.emplace(placed(*exec, view_of(small)));
    grid.emplace(*exec, small.box);
    list.emplace(grid->make_pairs());
    for (int warm = 0; warm < 2; ++warm) grid->build(there->view()), grid->find(*list);
    expected = as_read(*list);
  }
  void TearDown() override {
    list.reset(), grid.reset(), there.reset(), exec.reset();
    step.reset();
    if (stream != nullptr) cudaStreamDestroy(stream);
  }

  std::vector<hgrid::Pair> as_read(const hgrid::PairList<hgrid::CudaExec>& pairs) const {
    return copied(*exec, pairs.pairs(), pairs.size());
  }

  template <class F>
  void capture(const F& f) {
    step.emplace(stream, f);
  }
  void enqueue_step() {
    grid->build(there->view());
    grid->enqueue(*list);
  }
  void capture_step() {
    capture([&] { enqueue_step(); });
  }
  void replay() { step->replay(); }

  /// Moves the particles that are there.
  void put(const System& s) {
    const auto other = placed(*exec, view_of(s));
    const auto& to = there->view();
    for (int k = 0; k < 3; ++k) {
      ASSERT_EQ(cudaMemcpyAsync(const_cast<double*>(to.position[k]), other.view().position[k],
                                sizeof(double) * static_cast<std::size_t>(3 * s.size() - 2), cudaMemcpyDeviceToDevice, stream),
                cudaSuccess);
    }
  }

  PoisonedMemory memory;
  cudaStream_t stream = nullptr;
  std::optional<CapturedGraph> step;
  const System small = random_system(scaled(5000), 10, true);
  std::optional<hgrid::CudaExec> exec;
  std::optional<PlacedParticles<double, 3>> there;
  std::optional<hgrid::Grid<hgrid::CudaExec, 3>> grid;
  std::optional<hgrid::PairList<hgrid::CudaExec>> list;
  std::vector<hgrid::Pair> expected;
};

}  // namespace support
