// SPDX-License-Identifier: BSD-3-Clause
// Times on a stream.
#pragma once

#include <cstdlib>
#include <functional>

#include "hgrid/device/cuda_error.hpp"
#include "results.hpp"

namespace gpu_bench {

/// Milliseconds between two points of a stream.
class Interval {
 public:
  Interval() {
    hgrid::detail::check_cuda(cudaEventCreate(&begin_), "cudaEventCreate");
    hgrid::detail::check_cuda(cudaEventCreate(&end_), "cudaEventCreate");
  }
  Interval(const Interval&) = delete;
  ~Interval() {
    cudaEventDestroy(begin_);
    cudaEventDestroy(end_);
  }
  void begin(cudaStream_t stream) { hgrid::detail::check_cuda(cudaEventRecord(begin_, stream), "cudaEventRecord"); }
  void end(cudaStream_t stream) { hgrid::detail::check_cuda(cudaEventRecord(end_, stream), "cudaEventRecord"); }
  float wait() const {
    float ms = 0;
    hgrid::detail::check_cuda(cudaEventSynchronize(end_), "cudaEventSynchronize");
    hgrid::detail::check_cuda(cudaEventElapsedTime(&ms, begin_, end_), "cudaEventElapsedTime");
    return ms;
  }

 private:
  cudaEvent_t begin_ = nullptr, end_ = nullptr;
};

/// Intervals that are timed; fewer where a run only has to pass.
inline int timed_intervals() {
  const char* const wanted = std::getenv("HGRID_INTERVALS");
  return wanted == nullptr ? 10 : std::max(1, std::atoi(wanted));
}

constexpr int runs_of_interval = 8;  ///< for enqueued work, or the launch on an idle stream would count

/// Returns milliseconds of one run: two intervals to warm up, then the timed ones.
inline Times time_of(cudaStream_t stream, const std::function<void()>& run, int runs = runs_of_interval) {
  constexpr int warm = 2;
  std::vector<float> ms;
  Interval interval;
  for (int k = 0; k < warm + timed_intervals(); ++k) {
    interval.begin(stream);
    for (int repeat = 0; repeat < runs; ++repeat) run();
    interval.end(stream);
    const float took = interval.wait() / static_cast<float>(runs);
    if (k >= warm) ms.push_back(took);
  }
  return summary(ms);
}

/// Captures once the work that `enqueue` puts on the stream.
class Graph {
 public:
  Graph(cudaStream_t stream, const std::function<void()>& enqueue) : stream_(stream) {
    hgrid::detail::check_cuda(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed), "cudaStreamBeginCapture");
    try {
      enqueue();
    } catch (...) {  // the stream serves the next case
      cudaStreamEndCapture(stream, &graph_);
      destroy();
      throw;
    }
    hgrid::detail::check_cuda(cudaStreamEndCapture(stream, &graph_), "cudaStreamEndCapture");
    hgrid::detail::check_cuda(cudaGraphInstantiate(&run_, graph_, 0), "cudaGraphInstantiate");
  }
  Graph(const Graph&) = delete;
  ~Graph() { destroy(); }

  void replay() const { hgrid::detail::check_cuda(cudaGraphLaunch(run_, stream_), "cudaGraphLaunch"); }
  Times time() const {
    return time_of(stream_, [&] { replay(); });
  }

 private:
  void destroy() {
    if (run_ != nullptr) cudaGraphExecDestroy(run_);
    if (graph_ != nullptr) cudaGraphDestroy(graph_);
  }

  cudaStream_t stream_;
  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t run_ = nullptr;
};

}  // namespace gpu_bench
