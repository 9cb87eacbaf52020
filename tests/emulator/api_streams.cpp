// SPDX-License-Identifier: BSD-3-Clause
// CUDA's calls for waiting, capture, graphs and events.
#include <chrono>

#include "settings.hpp"
#include "stream.hpp"

using namespace emulator;

struct CUevent_st {
  WorkPointer work;
  std::shared_ptr<double> milliseconds = std::make_shared<double>(0);
};

cudaError_t cudaStreamSynchronize(cudaStream_t stream) { return wait_for(stream); }
cudaError_t cudaDeviceSynchronize() { return wait_for_all(); }

cudaError_t cudaStreamIsCapturing(cudaStream_t handle, cudaStreamCaptureStatus* status) {
  const CUstream_st& s = stream_of(handle);
  if (captured_behind(s) != nullptr) return failed(cudaErrorStreamCaptureImplicit);  // which spoils nothing
  *status = !s.capturing ? cudaStreamCaptureStatusNone
            : s.spoilt   ? cudaStreamCaptureStatusInvalidated
                         : cudaStreamCaptureStatusActive;
  return cudaSuccess;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t handle, cudaStreamCaptureMode mode) {
  CUstream_st& s = stream_of(handle);
  if (&s != handle || s.capturing) return failed(cudaErrorStreamCaptureUnsupported);
  s.capturing = true, s.spoilt = false, s.mode = mode;
  s.graph = std::make_unique<CUgraph_st>();
  return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t handle, cudaGraph_t* graph) {
  CUstream_st& s = stream_of(handle);
  *graph = nullptr;
  if (!s.capturing) return failed(cudaErrorIllegalState);
  s.capturing = false;
  if (s.spoilt) return failed(cudaErrorStreamCaptureInvalidated);
  *graph = s.graph.release();
  return cudaSuccess;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long) {
  *executable = new CUgraphExec_st{{graph->nodes}};
  return cudaSuccess;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
  if (executable == nullptr) return failed(cudaErrorInvalidValue);
  return enqueue(stream, [nodes = executable->nodes] {
    for (const auto& node : nodes) node();
  });
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
  delete executable;
  return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  delete graph;
  return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
  *event = new CUevent_st;
  return cudaSuccess;
}
cudaError_t cudaEventCreate(cudaEvent_t* event) { return cudaEventCreateWithFlags(event, 0); }

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  if (const cudaError_t error = refuse_capture(stream)) return error;
  const auto time = event->milliseconds = std::make_shared<double>(0);
  const cudaError_t error = enqueue(stream, [time] {
    *time = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
  });
  event->work = stream_of(stream).last;
  return error;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  if (event->work != nullptr) finish(event->work);
  return cudaSuccess;
}

// An answer that CUDA records as if it were an error.
cudaError_t cudaEventQuery(cudaEvent_t event) {
  if (const cudaError_t error = refuse_any_capture()) return error;
  return event->work == nullptr || event->work->done ? cudaSuccess : failed(cudaErrorNotReady);
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t begin, cudaEvent_t end) {
  cudaEventSynchronize(begin), cudaEventSynchronize(end);
  *milliseconds = static_cast<float>(*end->milliseconds - *begin->milliseconds);
  return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  delete event;
  return cudaSuccess;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  return event->work == nullptr ? cudaSuccess
                                : enqueue(
                                      stream, [] {}, event->work);
}
