// SPDX-License-Identifier: BSD-3-Clause
// Streams, events and graphs: enqueued work, and when it runs.
#pragma once

#include <cuda_runtime_api.h>

#include <deque>
#include <functional>
#include <memory>
#include <vector>

namespace emulator {

/// A piece of work, and the work that must have run before it.
struct Work {
  std::function<void()> run;
  std::vector<std::shared_ptr<Work>> after;
  bool done = false;
};
using WorkPointer = std::shared_ptr<Work>;

/// Runs the work, after the work that must run before it.
void finish(const WorkPointer& work);

/// Records the error for cudaGetLastError, and returns it.
cudaError_t failed(cudaError_t error);

/// Returns the stream of a handle: null and the named default streams belong to the current device. Stops the program for a
/// stream that was destroyed or never made.
CUstream_st& stream_of(cudaStream_t handle);

/// Returns a captured stream that would wait for work in `s`, or null. If there is one, the default stream `s` cannot be used.
CUstream_st* captured_behind(const CUstream_st& s);

/// Enqueues work in the order of a stream, or records it if the stream is being captured.
cudaError_t enqueue(cudaStream_t stream, std::function<void()> work, WorkPointer also_after = nullptr);

/// Waits. While a stream is captured, that fails and spoils the capture.
cudaError_t wait_for(cudaStream_t stream);
void count_wait();  ///< for a call that waits otherwise
cudaError_t wait_for_all();

/// Returns the error of a call that a captured stream cannot record, and spoils the capture; or success. Without a stream, the
/// call is one that is forbidden beside any capture.
cudaError_t refuse_capture(cudaStream_t stream);
cudaError_t refuse_any_capture();

int current_device();

/// Decides whether a conditional node runs: a kernel sets it, or it keeps the node's first value.
struct Condition {
  unsigned value, at_launch;
};

/// The nodes in turn, with their conditions as they are at a launch.
void run(const std::vector<std::function<void()>>& nodes, const std::vector<std::shared_ptr<Condition>>& conditions);

}  // namespace emulator

/// A node as the host sees it: a place in the order of its graph.
struct CUgraphNode_st {
  CUgraph_st* graph;
  std::size_t number;
};

/// Its nodes run one after another. A graph that branches is not known here.
struct CUgraph_st {
  std::vector<std::function<void()>> nodes;
  std::vector<std::shared_ptr<emulator::Condition>> conditions;  ///< conditions of its conditional nodes
  std::deque<CUgraphNode_st> named;                              ///< nodes that the host has asked for

  cudaGraphNode_t last_node();  ///< null for a graph without nodes
};
struct CUgraphExec_st {
  std::vector<std::function<void()>> nodes;
  std::vector<std::shared_ptr<emulator::Condition>> conditions;
};

struct CUstream_st {
  bool waits_for_default = true;  ///< for work in the default stream, and that for its
  int device = 0;
  emulator::WorkPointer last;
  bool capturing = false, spoilt = false;
  cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  std::unique_ptr<CUgraph_st> graph;
  unsigned long long capture = 0;            ///< never used by another capture
  std::size_t captured = 0;                  ///< nodes of the graph that the next one comes after
  cudaGraphNode_t captured_after = nullptr;  ///< the last of them, for the host
};
