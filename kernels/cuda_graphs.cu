// SPDX-License-Identifier: BSD-3-Clause
#include "hgrid/device/cuda_graphs.hpp"

#include <cuda_runtime.h>

#include "hgrid/device/cuda_exec.hpp"

namespace hgrid::inline v0_2 {

bool CudaExec::is_captured() const {
  const detail::CurrentDevice current(device_);
  bool captured = false;
  detail::check_cuda(detail::ask_for_capture(stream_, captured), "cudaStreamIsCapturing");
  scratch_->was_captured |= captured;
  return captured;
}

std::uint64_t CudaExec::capture() const {
  unsigned long long number = 0;
  if (!is_captured()) return number;
  cudaStreamCaptureStatus status;
  if (cudaStreamGetCaptureInfo(stream_, &status, &number) != cudaSuccess) cudaGetLastError();  // another capture
  return number;
}

void CudaExec::forget_graphs() const {
  require_may_wait();
  scratch_->was_captured = false;
  scratch_->outgrown.clear();
}

namespace detail {

namespace {

// Allows calls that a capture elsewhere might forbid, such as making a stream.
class Relaxed {
 public:
  Relaxed() { cudaThreadExchangeStreamCaptureMode(&mode_); }
  Relaxed(const Relaxed&) = delete;
  Relaxed& operator=(const Relaxed&) = delete;
  ~Relaxed() { cudaThreadExchangeStreamCaptureMode(&mode_); }

 private:
  cudaStreamCaptureMode mode_ = cudaStreamCaptureModeRelaxed;
};

// The graph that is being captured from a stream, and where its next node goes.
struct Captured {
  cudaGraph_t graph = nullptr;
  const cudaGraphNode_t* after = nullptr;
  const cudaGraphEdgeData* edges = nullptr;
  std::size_t count = 0;
};

#if CUDART_VERSION >= 12040
// Before CUDA 13 the functions with edges had numbers in their names.
#if CUDART_VERSION >= 13000
#define HGRID_WITH_EDGES(call, number) call
#else
#define HGRID_WITH_EDGES(call, number) call##_v##number
#endif

Captured captured_from(cudaStream_t stream) {
  Captured c;
  cudaStreamCaptureStatus status;
  check_cuda(HGRID_WITH_EDGES(cudaStreamGetCaptureInfo, 3)(stream, &status, nullptr, &c.graph, &c.after, &c.edges, &c.count),
             "cudaStreamGetCaptureInfo");
  return c;
}
#endif

}  // namespace

CudaStream::~CudaStream() {
  if (stream_ != nullptr) cudaStreamDestroy(stream_);
}

cudaStream_t CudaStream::get() {
  const Relaxed relaxed;
  if (stream_ == nullptr) check_cuda(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreate");
  return stream_;
}

CudaRecording::~CudaRecording() {
  if (graph_ != nullptr) cudaGraphDestroy(graph_);
}

void CudaRecorder::begin(CudaStream& stream) {
  const CurrentDevice current(device_);
  const cudaStream_t recorder = stream.get();
  check_cuda(cudaStreamBeginCapture(recorder, cudaStreamCaptureModeRelaxed), "cudaStreamBeginCapture");
  on_ = recorder;
}

CudaRecording CudaRecorder::end() {
  const CurrentDevice current(device_);
  cudaGraph_t graph = nullptr;
  check_cuda(cudaStreamEndCapture(std::exchange(on_, nullptr), &graph), "cudaStreamEndCapture");
  return CudaRecording(graph);
}

CudaRecorder::~CudaRecorder() {
  if (on_ == nullptr) return;
  const CurrentDevice current(device_);
  cudaGraph_t graph = nullptr;
  if (cudaStreamEndCapture(std::exchange(on_, nullptr), &graph) == cudaSuccess) cudaGraphDestroy(graph);
}

#if CUDART_VERSION >= 12040
unsigned long long new_condition(cudaStream_t stream) {
  cudaGraphConditionalHandle handle = 0;
  check_cuda(cudaGraphConditionalHandleCreate(&handle, captured_from(stream).graph, 0, cudaGraphCondAssignDefault),
             "cudaGraphConditionalHandleCreate");
  return handle;
}

void add_conditional_node(cudaStream_t stream, unsigned long long condition, const CudaRecording& recording) {
  cudaGraphNodeParams parameters = {};
  parameters.type = cudaGraphNodeTypeConditional;
  parameters.conditional.handle = condition;
  parameters.conditional.type = cudaGraphCondTypeIf;
  parameters.conditional.size = 1;
  cudaGraphNode_t node = nullptr, body = nullptr;
  const Captured to = captured_from(stream);
  check_cuda(HGRID_WITH_EDGES(cudaGraphAddNode, 2)(&node, to.graph, to.after, to.edges, to.count, &parameters),
             "cudaGraphAddNode");
  check_cuda(cudaGraphAddChildGraphNode(&body, parameters.conditional.phGraph_out[0], nullptr, 0, recording.graph()),
             "cudaGraphAddChildGraphNode");
  check_cuda(
      HGRID_WITH_EDGES(cudaStreamUpdateCaptureDependencies, 2)(stream, &node, nullptr, 1, cudaStreamSetCaptureDependencies),
      "cudaStreamUpdateCaptureDependencies");
}
#else
unsigned long long new_condition(cudaStream_t) {
  throw Error(ErrorCode::unsupported, "conditional nodes of graphs need CUDA 12.4");
}
void add_conditional_node(cudaStream_t, unsigned long long, const CudaRecording&) {}
#endif

}  // namespace detail

}  // namespace hgrid::inline v0_2
