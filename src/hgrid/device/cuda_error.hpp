// SPDX-License-Identifier: BSD-3-Clause
// Turns CUDA's error codes into the library's error.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "hgrid/core/error.hpp"

namespace hgrid::inline v0_2::detail {

/// Throws `device`, or `out_of_memory` with the requested bytes, unless `status` is cudaSuccess. Clears CUDA's own record of a
/// recoverable error, so that the caller's next call does not report it again.
inline void check_cuda(cudaError_t status, const char* call, std::size_t bytes = 0) {
  if (status == cudaSuccess) return;
  cudaGetLastError();
  const std::string why = std::string(call) + ": " + cudaGetErrorString(status);
  if (status == cudaErrorMemoryAllocation) {
    throw Error(ErrorCode::out_of_memory, why + " (" + std::to_string(bytes) + " bytes)",
                {.needed = static_cast<std::int64_t>(bytes)});
  }
  throw Error(ErrorCode::device, why, {.value = static_cast<double>(status)});
}

/// Makes a device current, and restores the previous one at the end.
class CurrentDevice {
 public:
  explicit CurrentDevice(int device) {
    int now = device;
    cudaGetDevice(&now);
    if (now == device) return;
    check_cuda(cudaSetDevice(device), "cudaSetDevice");
    before_ = now;
  }
  CurrentDevice(const CurrentDevice&) = delete;
  CurrentDevice& operator=(const CurrentDevice&) = delete;
  ~CurrentDevice() {
    if (before_ >= 0) cudaSetDevice(before_);
  }

 private:
  int before_ = -1;
};

}  // namespace hgrid::inline v0_2::detail
