// SPDX-License-Identifier: BSD-3-Clause
// Conditional nodes: work of a captured graph that the device runs or skips at each replay.
#pragma once

#include <utility>

#include "hgrid/device/cuda_memory.hpp"

namespace hgrid::inline v0_2::detail {

/// A stream that is created at first use.
class CudaStream {
 public:
  CudaStream() = default;
  CudaStream(const CudaStream&) = delete;
  CudaStream& operator=(const CudaStream&) = delete;
  ~CudaStream();
  cudaStream_t get();

 private:
  cudaStream_t stream_ = nullptr;
};

/// A graph that becomes the body of a conditional node.
class CudaRecording {
 public:
  explicit CudaRecording(cudaGraph_t graph) : graph_(graph) {}
  CudaRecording(CudaRecording&& o) noexcept : graph_(std::exchange(o.graph_, nullptr)) {}
  ~CudaRecording();
  cudaGraph_t graph() const { return graph_; }

 private:
  cudaGraph_t graph_;
};

/// Records the work that is enqueued during its lifetime. It captures a stream of its own, because the executor's stream is
/// being captured, and separately, so that an error leaves nothing in the graph.
class CudaRecorder {
 public:
  /// `on` becomes the recorder's stream until the end.
  template <class Exec>
  CudaRecorder(const Exec& exec, cudaStream_t& on, CudaStream& stream) : on_(on), device_(exec.device()) {
    begin(stream);
  }
  CudaRecorder(const CudaRecorder&) = delete;
  CudaRecorder& operator=(const CudaRecorder&) = delete;
  ~CudaRecorder();
  CudaRecording end();

 private:
  void begin(CudaStream& stream);

  cudaStream_t& on_;
  int device_;
};

/// Returns a condition of the graph that is being captured from the stream. It is false until a kernel sets it. Throws
/// `unsupported` if the toolkit has no conditions.
unsigned long long new_condition(cudaStream_t stream);

/// Adds a node that runs the recording if the condition is true.
void add_conditional_node(cudaStream_t stream, unsigned long long condition, const CudaRecording& recording);

}  // namespace hgrid::inline v0_2::detail
