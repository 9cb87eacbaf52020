// SPDX-License-Identifier: BSD-3-Clause
// CUDA's calls that describe the device: one of compute capability 8.0.
#include <cuda_profiler_api.h>
#include <cuda_runtime_api.h>

#include <cstring>
#include <map>

#include "memory.hpp"
#include "settings.hpp"
#include "stream.hpp"
#include "warp_counts.hpp"

using namespace emulator;

cudaError_t cudaGetDeviceCount(int* count) {
  *count = settings().devices;
  return *count > 0 ? cudaSuccess : failed(cudaErrorNoDevice);
}

cudaError_t cudaDriverGetVersion(int* version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int* version) { return cudaDriverGetVersion(version); }

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  static const std::map<cudaDeviceAttr, int> known{{cudaDevAttrMultiProcessorCount, multiprocessors},
                                                   {cudaDevAttrMemoryPoolsSupported, settings().pools},
                                                   {cudaDevAttrComputeCapabilityMajor, 8},
                                                   {cudaDevAttrComputeCapabilityMinor, 0},
                                                   {cudaDevAttrMaxSharedMemoryPerBlock, 48 << 10},
                                                   {cudaDevAttrMaxSharedMemoryPerBlockOptin, 163 << 10},
                                                   {cudaDevAttrMaxSharedMemoryPerMultiprocessor, 164 << 10},
                                                   {cudaDevAttrReservedSharedMemoryPerBlock, 1 << 10},
                                                   {cudaDevAttrMaxThreadsPerBlock, 1024},
                                                   {cudaDevAttrMaxThreadsPerMultiProcessor, 2048},
                                                   {cudaDevAttrPageableMemoryAccess, 0},
                                                   {cudaDevAttrWarpSize, 32},
                                                   {cudaDevAttrMaxGridDimX, 0x7fffffff}};
  if (device >= settings().devices) return failed(cudaErrorInvalidDevice);
  const auto found = known.find(attribute);
  if (found == known.end()) stop(fmt::format("device attribute {} is not known", static_cast<int>(attribute)));
  *value = found->second;
  return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* p, int device) {
  if (device >= settings().devices) return failed(cudaErrorInvalidDevice);
  *p = {};
  std::strcpy(p->name, "emulated");
  p->major = 8, p->totalGlobalMem = device_memory, p->multiProcessorCount = multiprocessors;
  p->warpSize = 32, p->maxThreadsPerBlock = 1024, p->sharedMemPerBlock = 48 << 10;
  return cudaSuccess;
}

// Enqueued work runs first: it does not belong to the profile that follows.
cudaError_t cudaProfilerStart() {
  const cudaError_t error = wait_for_all();
  profile(true);
  return error;
}
cudaError_t cudaProfilerStop() {
  const cudaError_t error = wait_for_all();
  profile(false);
  return error;
}

const char* cudaGetErrorName(cudaError_t error) {
  static const std::map<cudaError_t, const char*> names{
      {cudaSuccess, "cudaSuccess"},
      {cudaErrorInvalidValue, "cudaErrorInvalidValue"},
      {cudaErrorMemoryAllocation, "cudaErrorMemoryAllocation"},
      {cudaErrorNoDevice, "cudaErrorNoDevice"},
      {cudaErrorInvalidResourceHandle, "cudaErrorInvalidResourceHandle"},
      {cudaErrorStreamCaptureUnsupported, "cudaErrorStreamCaptureUnsupported"},
      {cudaErrorStreamCaptureInvalidated, "cudaErrorStreamCaptureInvalidated"}};
  const auto found = names.find(error);
  return found == names.end() ? "another CUDA error" : found->second;
}
const char* cudaGetErrorString(cudaError_t error) { return cudaGetErrorName(error); }
