// SPDX-License-Identifier: BSD-3-Clause
// CUDA's calls for waiting and events.
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
  count_wait();
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
