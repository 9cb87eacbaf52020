// SPDX-License-Identifier: BSD-3-Clause
// CUDA's calls for capture and graphs, conditional nodes among them.
#include <algorithm>
#include <map>

#include "kernel.h"
#include "settings.hpp"
#include "stream.hpp"

using namespace emulator;

namespace {

// Conditions by their handles, which are never given twice.
std::map<cudaGraphConditionalHandle, std::weak_ptr<Condition>>& conditions() {
  static auto* const all = new std::map<cudaGraphConditionalHandle, std::weak_ptr<Condition>>;
  return *all;
}

std::shared_ptr<Condition> condition_of(cudaGraphConditionalHandle handle) {
  const auto found = conditions().find(handle);
  return found == conditions().end() ? nullptr : found->second.lock();
}

// Adds a node after the nodes that it depends on, which must be all that there are.
cudaError_t add(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after, std::size_t count,
                std::function<void()> run) {
  const std::size_t nodes = graph->nodes.size();
  const bool follows = nodes == 0 ? count == 0 : count == 1 && after[0]->graph == graph && after[0]->number == nodes - 1;
  if (!follows) stop("a graph that branches");
  graph->nodes.push_back(std::move(run));
  *node = graph->last_node();
  return cudaSuccess;
}

}  // namespace

cudaGraphNode_t CUgraph_st::last_node() {
  if (nodes.empty()) return nullptr;
  if (named.empty() || named.back().number != nodes.size() - 1) named.push_back({this, nodes.size() - 1});
  return &named.back();
}

void emulator::run(const std::vector<std::function<void()>>& nodes, const std::vector<std::shared_ptr<Condition>>& conditions) {
  for (const auto& condition : conditions) condition->value = condition->at_launch;
  for (const auto& node : nodes) node();
}

// Sets a condition from a kernel.
void emu_set_condition(Thread* t, u64 handle, u32 value, int statement) {
  const std::shared_ptr<Condition> condition = condition_of(handle);
  if (condition == nullptr) emu_fault(t, "a condition that is not there", handle, 0, statement);
  condition->value = value;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t handle, cudaStreamCaptureStatus* status) {
  const CUstream_st& s = stream_of(handle);
  if (captured_behind(s) != nullptr) return failed(cudaErrorStreamCaptureImplicit);  // which spoils no capture
  *status = !s.capturing ? cudaStreamCaptureStatusNone
            : s.spoilt   ? cudaStreamCaptureStatusInvalidated
                         : cudaStreamCaptureStatusActive;
  return cudaSuccess;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t handle, cudaStreamCaptureMode mode) {
  CUstream_st& s = stream_of(handle);
  if (&s != handle || s.capturing) return failed(cudaErrorStreamCaptureUnsupported);
  static unsigned long long captures = 0;
  s.capturing = true, s.spoilt = false, s.mode = mode, s.capture = ++captures;
  s.graph = std::make_unique<CUgraph_st>();
  s.captured = 0;
  return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t handle, cudaGraph_t* graph) {
  CUstream_st& s = stream_of(handle);
  *graph = nullptr;
  if (!s.capturing) return failed(cudaErrorIllegalState);
  s.capturing = false;
  if (s.spoilt) return failed(cudaErrorStreamCaptureInvalidated);
  if (s.captured != s.graph->nodes.size()) return failed(cudaErrorStreamCaptureUnjoined);
  *graph = s.graph.release();
  return cudaSuccess;
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t handle, cudaStreamCaptureStatus* status, unsigned long long* id,
                                     cudaGraph_t* graph, const cudaGraphNode_t** after, const cudaGraphEdgeData** edges,
                                     std::size_t* count) {
  if (const cudaError_t error = cudaStreamIsCapturing(handle, status)) return error;
  CUstream_st& s = stream_of(handle);
  if (*status != cudaStreamCaptureStatusActive) return cudaSuccess;
  s.captured_after = s.graph->last_node();
  if (id != nullptr) *id = s.capture;
  if (graph != nullptr) *graph = s.graph.get();
  if (after != nullptr) *after = &s.captured_after;
  if (edges != nullptr) *edges = nullptr;
  if (count != nullptr) *count = s.captured_after != nullptr;
  return cudaSuccess;
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t handle, cudaGraphNode_t* after, const cudaGraphEdgeData*,
                                                std::size_t count, unsigned flags) {
  CUstream_st& s = stream_of(handle);
  if (!s.capturing || flags != cudaStreamSetCaptureDependencies || count != 1 || after[0]->graph != s.graph.get()) {
    return failed(cudaErrorInvalidValue);
  }
  s.captured = after[0]->number + 1;
  return cudaSuccess;
}

// One thread calls CUDA here, and each stream has the mode that it is captured in.
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  static cudaStreamCaptureMode now = cudaStreamCaptureModeGlobal;
  std::swap(now, *mode);
  return cudaSuccess;
}

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* handle, cudaGraph_t graph, unsigned at_launch,
                                             unsigned flags) {
  if (flags != cudaGraphCondAssignDefault) return failed(cudaErrorNotSupported);
  const auto condition = std::make_shared<Condition>(Condition{at_launch, at_launch});
  graph->conditions.push_back(condition);
  *handle = conditions().empty() ? 1 : conditions().rbegin()->first + 1;
  conditions()[*handle] = condition;
  return cudaSuccess;
}

cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after, const cudaGraphEdgeData*,
                             std::size_t count, cudaGraphNodeParams* parameters) {
  auto& p = parameters->conditional;
  if (parameters->type != cudaGraphNodeTypeConditional || p.type != cudaGraphCondTypeIf || p.size != 1) {
    return failed(cudaErrorNotSupported);
  }
  const std::shared_ptr<Condition> condition = condition_of(p.handle);
  if (std::find(graph->conditions.begin(), graph->conditions.end(), condition) == graph->conditions.end()) {
    return failed(cudaErrorInvalidValue);
  }
  const auto body = std::make_shared<CUgraph_st>();
  static cudaGraph_t last;  // the caller gets a pointer to it
  last = body.get();
  p.phGraph_out = &last;
  return add(node, graph, after, count, [condition, body] {
    if (condition->value != 0) run(body->nodes, body->conditions);
  });
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                       std::size_t count, cudaGraph_t child) {
  if (!child->conditions.empty()) return failed(cudaErrorNotSupported);
  return add(node, graph, after, count, [nodes = child->nodes] { run(nodes, {}); });
}

// Returns the number of nodes, which is all that a caller without room for them needs.
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* count) {
  if (nodes != nullptr) return failed(cudaErrorNotSupported);
  *count = graph->nodes.size();
  return cudaSuccess;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long) {
  *executable = new CUgraphExec_st{graph->nodes, graph->conditions};
  return cudaSuccess;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
  if (executable == nullptr) return failed(cudaErrorInvalidValue);
  return enqueue(stream, [what = *executable] { run(what.nodes, what.conditions); });
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
  delete executable;
  return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  delete graph;
  return cudaSuccess;
}
