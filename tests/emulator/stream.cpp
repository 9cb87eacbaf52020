// SPDX-License-Identifier: BSD-3-Clause
#include "stream.hpp"

#include <map>
#include <set>
#include <utility>

#include "settings.hpp"

namespace emulator {

namespace {

struct Streams {
  std::map<int, CUstream_st> defaults;  // by device
  std::set<CUstream_st*> made;
};

Streams& streams() {
  static auto* const all = new Streams;  // never destroyed: programs end with streams
  return *all;
}

thread_local cudaError_t last_error = cudaSuccess;
long waits = 0;
int device_now = 0;

bool is_pending(const WorkPointer& work) { return work != nullptr && !work->done; }

CUstream_st& default_stream() {
  CUstream_st& s = streams().defaults[device_now];
  s.device = device_now;
  return s;
}

bool is_default(const CUstream_st& s) { return &s == &default_stream(); }

// The default stream waits for the others, and they for it. Only streams made as non-blocking are independent.
void order_with_default(const CUstream_st& s, Work& work) {
  if (!is_default(s)) {
    if (s.waits_for_default && is_pending(default_stream().last)) work.after.push_back(default_stream().last);
    return;
  }
  for (const CUstream_st* other : streams().made) {
    if (other->waits_for_default && is_pending(other->last)) work.after.push_back(other->last);
  }
}

cudaError_t spoil(CUstream_st& s, cudaError_t error) {
  s.spoilt = true;
  return failed(error);
}

}  // namespace

void finish(const WorkPointer& work) {
  std::vector<std::pair<WorkPointer, std::size_t>> path{{work, 0}};
  while (!path.empty()) {
    auto& [now, next] = path.back();
    if (now->done) {
      path.pop_back();
    } else if (next < now->after.size()) {
      WorkPointer before = now->after[next++];
      if (!before->done) path.emplace_back(std::move(before), 0);
    } else {
      const WorkPointer ready = now;
      path.pop_back();
      ready->run();
      ready->done = true, ready->after.clear(), ready->run = nullptr;
    }
  }
}

cudaError_t failed(cudaError_t error) {
  if (error != cudaSuccess) last_error = error;
  return error;
}

CUstream_st& stream_of(cudaStream_t handle) {
  if (handle == nullptr || handle == cudaStreamLegacy || handle == cudaStreamPerThread) return default_stream();
  if (streams().made.count(handle) == 0) stop("a stream that is not there");
  return *handle;
}

CUstream_st* captured_behind(const CUstream_st& s) {
  if (!is_default(s)) return nullptr;
  for (CUstream_st* other : streams().made) {
    if (other->capturing && other->waits_for_default) return other;
  }
  return nullptr;
}

cudaError_t enqueue(cudaStream_t handle, std::function<void()> run, WorkPointer also_after) {
  CUstream_st& s = stream_of(handle);
  if (s.capturing) {
    if (s.captured != s.graph->nodes.size()) stop("a captured graph that branches");
    s.graph->nodes.push_back(std::move(run));
    ++s.captured;
    return cudaSuccess;
  }
  if (CUstream_st* const other = captured_behind(s)) return spoil(*other, cudaErrorStreamCaptureImplicit);
  const auto work = std::make_shared<Work>();
  work->run = std::move(run);
  if (is_pending(s.last)) work->after.push_back(s.last);
  if (is_pending(also_after)) work->after.push_back(also_after);
  order_with_default(s, *work);
  s.last = work;
  if (!settings().lazy) finish(work);
  return cudaSuccess;
}

cudaError_t refuse_capture(cudaStream_t handle) {
  CUstream_st& s = stream_of(handle);
  return s.capturing ? spoil(s, cudaErrorStreamCaptureUnsupported) : cudaSuccess;
}

cudaError_t refuse_any_capture() {
  for (CUstream_st* s : streams().made) {
    if (s->capturing && s->mode != cudaStreamCaptureModeRelaxed) return spoil(*s, cudaErrorStreamCaptureUnsupported);
  }
  return cudaSuccess;
}

void count_wait() { ++waits; }

cudaError_t wait_for(cudaStream_t handle) {
  count_wait();
  if (const cudaError_t error = refuse_capture(handle)) return error;
  const CUstream_st& s = stream_of(handle);
  if (is_default(s)) {
    if (const cudaError_t error = refuse_any_capture()) return error;
  }
  if (const WorkPointer last = s.last) finish(last);
  return cudaSuccess;
}

cudaError_t wait_for_all() {
  count_wait();
  if (const cudaError_t error = refuse_any_capture()) return error;
  for (auto& [device, s] : streams().defaults) {
    if (const WorkPointer last = s.last) finish(last);
  }
  for (const CUstream_st* s : streams().made) {
    if (const WorkPointer last = s->last) finish(last);
  }
  return cudaSuccess;
}

int current_device() { return device_now; }

}  // namespace emulator

using namespace emulator;

// For tests: how often the host has waited for a device so far.
extern "C" long cuda_emulator_waits() { return waits; }

cudaError_t cudaGetLastError() { return std::exchange(last_error, cudaSuccess); }
cudaError_t cudaPeekAtLastError() { return last_error; }

cudaError_t cudaGetDevice(int* device) {
  *device = device_now;
  return settings().devices > 0 ? cudaSuccess : failed(cudaErrorNoDevice);
}
cudaError_t cudaSetDevice(int device) {
  if (device < 0 || device >= settings().devices) return failed(cudaErrorInvalidDevice);
  device_now = device;
  return cudaSuccess;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* handle, unsigned flags) {
  *handle = new CUstream_st;
  (*handle)->waits_for_default = (flags & cudaStreamNonBlocking) == 0;
  (*handle)->device = device_now;
  streams().made.insert(*handle);
  return cudaSuccess;
}
cudaError_t cudaStreamCreate(cudaStream_t* handle) { return cudaStreamCreateWithFlags(handle, cudaStreamDefault); }

cudaError_t cudaStreamDestroy(cudaStream_t handle) {  // its work runs to the end
  if (const WorkPointer last = stream_of(handle).last) finish(last);
  streams().made.erase(handle);
  delete handle;
  return cudaSuccess;
}
