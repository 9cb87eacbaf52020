// SPDX-License-Identifier: BSD-3-Clause
#include <cuda_runtime_api.h>

#include "hgrid/core/error.hpp"
#include "hgrid/device/cuda_error.hpp"
#include "hgrid/device/devices.hpp"

namespace hgrid::inline v0_2 {

namespace {

std::string version(int v) { return std::to_string(v / 1000) + "." + std::to_string(v % 1000 / 10); }

}  // namespace

CudaDevices cuda_devices() {
  int count = 0, driver = 0, runtime = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  cudaDriverGetVersion(&driver);
  cudaRuntimeGetVersion(&runtime);
  CudaDevices found;
  if (status != cudaSuccess || count == 0) {
    if (status != cudaSuccess) cudaGetLastError();  // leave no error behind for the caller's own CUDA code
    found.reason = std::string(status == cudaSuccess ? "no device" : cudaGetErrorString(status)) + " (driver " +
                   (driver == 0 ? "none" : version(driver)) + ", runtime " + version(runtime) + ")";
    return found;
  }
  for (int d = 0; d < count; ++d) {
    cudaDeviceProp p;
    if (cudaGetDeviceProperties(&p, d) == cudaSuccess) {
      found.devices.push_back({p.name, 10 * p.major + p.minor, p.totalGlobalMem});
    } else {
      cudaGetLastError();
    }
  }
  return found;
}

int use_cuda_device(int number) {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) {
    throw Error(ErrorCode::device, "no CUDA device: " + cuda_devices().reason);
  }
  const int device = (number % count + count) % count;
  detail::check_cuda(cudaSetDevice(device), "cudaSetDevice");
  return device;
}

}  // namespace hgrid::inline v0_2
