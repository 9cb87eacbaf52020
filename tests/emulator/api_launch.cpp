// SPDX-License-Identifier: BSD-3-Clause
// CUDA's calls for kernels, and calls by which compiled programs register before they begin.
#include <algorithm>
#include <cstring>

#include "execute.hpp"
#include "settings.hpp"
#include "stream.hpp"

using namespace emulator;

namespace {

std::map<const void*, Kernel*>& kernels() {
  static auto* const all = new std::map<const void*, Kernel*>;
  return *all;
}

struct Configuration {
  dim3 grid, block;
  std::size_t shared;
  cudaStream_t stream;
};
std::vector<Configuration> configurations;

constexpr std::size_t shared_of_multiprocessor = 167936, reserved_of_block = 1024;

Kernel* kernel_of(const void* function) {
  const auto found = kernels().find(function);
  return found == kernels().end() ? nullptr : found->second;
}

bool is_possible(const dim3& grid, std::uint64_t threads) {
  return grid.x > 0 && grid.y > 0 && grid.z > 0 && threads > 0 && threads <= 1024 && grid.x <= 0x7fffffff && grid.y <= 65535 &&
         grid.z <= 65535;
}

cudaError_t launch(Kernel* kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared, cudaStream_t stream) {
  if (kernel == nullptr) return failed(cudaErrorInvalidDeviceFunction);
  if (stream_of(stream).device != current_device()) return failed(cudaErrorInvalidResourceHandle);
  load(*kernel);
  const std::uint64_t threads = std::uint64_t{block.x} * block.y * block.z;
  if (!is_possible(grid, threads)) return failed(cudaErrorInvalidConfiguration);
  if (threads > kernel->most_threads) return failed(cudaErrorLaunchOutOfResources);
  if (shared > static_cast<std::size_t>(kernel->most_dynamic)) return failed(cudaErrorInvalidValue);
  Launch what{kernel, grid, block, shared, std::vector<char>(kernel->parameter_bytes)};
  for (std::uint32_t k = 0; k < kernel->parameters; ++k) {
    std::memcpy(what.parameters.data() + kernel->offset[k], arguments[k], kernel->bytes[k]);
  }
  return enqueue(stream, [what = std::move(what)] { execute(what); });
}

}  // namespace

extern "C" {

void** __cudaRegisterFatBinary(void* handle) {
  struct Wrapper {
    int magic, version;
    const void* data;
    void* names;
  };
  return reinterpret_cast<void**>(read_fat_binary(static_cast<const Wrapper*>(handle)->data));
}
void __cudaRegisterFatBinaryEnd(void**) {}
char __cudaInitModule(void**) { return 1; }  // called by code that is compiled without optimisation
void __cudaUnregisterFatBinary(void**) {}
void __cudaRegisterVar(void**, char*, char*, const char*, int, std::size_t, int, int) {}
void __cudaRegisterFunction(void** module, const char* function, char*, const char* name, int, uint3*, uint3*, dim3*, dim3*,
                            int*) {
  auto* const kernel = new Kernel;
  kernel->module = reinterpret_cast<Module*>(module), kernel->name = name;
  kernels()[function] = kernel;
}

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared, CUstream_st* stream) {
  configurations.push_back({grid, block, shared, stream});
  return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared, void* stream) {
  const Configuration c = configurations.back();
  configurations.pop_back();
  *grid = c.grid, *block = c.block, *shared = c.shared, *static_cast<cudaStream_t*>(stream) = c.stream;
  return cudaSuccess;
}

cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* function) {
  *kernel = reinterpret_cast<cudaKernel_t>(kernel_of(function));
  return *kernel != nullptr ? cudaSuccess : failed(cudaErrorInvalidDeviceFunction);
}
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                               cudaStream_t stream) {
  return launch(reinterpret_cast<Kernel*>(kernel), grid, block, arguments, shared, stream);
}

}  // extern "C"

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                             cudaStream_t stream) {
  return launch(kernel_of(function), grid, block, arguments, shared, stream);
}
// Its attributes are not looked at: they let a kernel begin before the one before it has ended, which this cannot show.
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* c, const void* function, void** arguments) {
  return launch(kernel_of(function), c->gridDim, c->blockDim, arguments, c->dynamicSmemBytes, c->stream);
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
  Kernel* const kernel = kernel_of(function);
  if (kernel == nullptr) return failed(cudaErrorInvalidDeviceFunction);
  load(*kernel);
  *attributes = {};
  attributes->sharedSizeBytes = kernel->shared_bytes;
  attributes->maxThreadsPerBlock = static_cast<int>(kernel->most_threads);
  attributes->ptxVersion = attributes->binaryVersion = 80;
  attributes->maxDynamicSharedSizeBytes = kernel->most_dynamic;
  return cudaSuccess;
}

cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
  Kernel* const kernel = kernel_of(function);
  if (kernel == nullptr) return failed(cudaErrorInvalidDeviceFunction);
  if (attribute == cudaFuncAttributeMaxDynamicSharedMemorySize) kernel->most_dynamic = value;
  return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* function, int threads,
                                                                   std::size_t shared, unsigned) {
  Kernel* const kernel = kernel_of(function);
  if (kernel == nullptr) return failed(cudaErrorInvalidDeviceFunction);
  load(*kernel);
  const std::size_t by_shared = shared_of_multiprocessor / (kernel->shared_bytes + shared + reserved_of_block);
  const bool fits =
      shared <= static_cast<std::size_t>(kernel->most_dynamic) && threads <= static_cast<int>(kernel->most_threads);
  *blocks = fits ? std::min({blocks_of_multiprocessor, 2048 / threads, static_cast<int>(by_shared)}) : 0;
  return cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function, int threads, std::size_t shared) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads, shared, 0);
}
