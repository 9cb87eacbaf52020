// SPDX-License-Identifier: BSD-3-Clause
// Steps on a CUDA stream as replays of one graph: the device decides when the list is built, and the host waits for none of
// them but the last, or where the list has outgrown its memory.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>

#include "options.hpp"
#include "simulation.hpp"
#include "hgrid/loop.hpp"

namespace dem {

class Graph {
 public:
  Graph() = default;
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;
  ~Graph() { forget(); }

  template <class Enqueue>
  void capture(cudaStream_t stream, const Enqueue& enqueue) {
    using hgrid::detail::check_cuda;
    forget();
    cudaGraph_t graph;
    check_cuda(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
    enqueue();
    check_cuda(cudaStreamEndCapture(stream, &graph), "cudaStreamEndCapture");
    check_cuda(cudaGraphInstantiate(&run_, graph, 0), "cudaGraphInstantiate");
    cudaGraphDestroy(graph);
  }
  void replay(cudaStream_t stream) {
    hgrid::detail::check_cuda(cudaGraphLaunch(run_, stream), "cudaGraphLaunch");
    ++replays_;
  }
  offset_t replays() const { return replays_; }

 private:
  void forget() {
    if (run_ != nullptr) cudaGraphExecDestroy(std::exchange(run_, nullptr));
  }
  cudaGraphExec_t run_ = nullptr;
  offset_t replays_ = 0;
};

/// Makes steps ahead of the host, where nothing needs the host between two steps.
struct StepsAhead {
  const Options& options;
  std::shared_ptr<Graph> graph = std::make_shared<Graph>();  // belongs to one simulation
  static constexpr offset_t between_looks = 100;  // so that the list hears in time that it needs more memory

  template <int D>
  offset_t operator()(Simulation<hgrid::CudaExec, D>& simulation, offset_t steps) const {
    if (options.is("graph", "no") || options.is("choose", "yes") || options.number("sort") > 0 || simulation.world().shear != 0) {
      return 0;
    }
    const hgrid::VerletCounters& counters = simulation.list().counters();
    const auto& exec = simulation.grid().exec();
    simulation.begin_step();
    const offset_t end = counters.steps + steps - 1;  // the last one is the host's
    for (;;) {
      if (simulation.wait()) {
        exec.forget_graphs();
        graph->capture(exec.stream(), [&] { simulation.enqueue_step(); });
      }
      const offset_t left = end - counters.steps;
      if (left <= 0) break;
      for (offset_t k = std::min(left, between_looks); k > 0; --k) graph->replay(exec.stream());
    }
    simulation.find_neighbours();
    simulation.end_step();
    return steps;
  }
};

}  // namespace dem
