// SPDX-License-Identifier: BSD-3-Clause
// MPI's profiling interface: messages in a device's memory are copied on a stream that waits for no other, as an MPI does that
// takes them. So the host must have waited for all that writes or reads them.
#include "ranks/device_mpi.hpp"

#include <cuda_runtime_api.h>

#include <map>
#include <vector>

#include "ranks/shared_system.hpp"

namespace support {

DeviceMpi& device_mpi() {
  static DeviceMpi mpi;
  return mpi;
}

namespace {

struct Pending {
  std::vector<char> here;
  void* there = nullptr;  // where a message arrives
};
std::map<MPI_Request, Pending> pending;

void copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  static const cudaStream_t own = [] {
    cudaStream_t stream = nullptr;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    return stream;
  }();
  cudaMemcpyAsync(to, from, bytes, kind, own);
  cudaStreamSynchronize(own);
}

/// Returns whether a message is in a device's memory.
bool is_of_device(const void* p, int bytes, MPI_Datatype type) {
  if (type != MPI_BYTE || bytes == 0) return false;
  cudaPointerAttributes attributes{};
  cudaPointerGetAttributes(&attributes, p);
  DeviceMpi& mpi = device_mpi();
  const bool there = attributes.type == cudaMemoryTypeDevice;
  ++(there ? mpi.device_messages : mpi.host_messages);
  const bool is_misplaced =
      there ? !mpi.takes_device_memory || attributes.device != mpi.device : mpi.takes_device_memory && messages_of_device;
  mpi.misplaced += is_misplaced;
  return there;
}

}  // namespace

}  // namespace support

using support::pending;

extern "C" {
int MPIX_Query_cuda_support() { return support::device_mpi().takes_device_memory ? 1 : 0; }
#if defined(MPIX_GPU_SUPPORT_CUDA)
int MPIX_GPU_query_support(int, int* is_taken) {
  *is_taken = MPIX_Query_cuda_support();
  return MPI_SUCCESS;
}
#endif

int MPI_Isend(const void* from, int n, MPI_Datatype type, int rank, int tag, MPI_Comm comm, MPI_Request* request) {
  if (!support::is_of_device(from, n, type)) return PMPI_Isend(from, n, type, rank, tag, comm, request);
  support::Pending message{std::vector<char>(static_cast<std::size_t>(n))};
  support::copy(message.here.data(), from, message.here.size(), cudaMemcpyDeviceToHost);
  const int error = PMPI_Isend(message.here.data(), n, type, rank, tag, comm, request);
  pending[*request] = std::move(message);
  return error;
}

int MPI_Irecv(void* to, int n, MPI_Datatype type, int rank, int tag, MPI_Comm comm, MPI_Request* request) {
  if (!support::is_of_device(to, n, type)) return PMPI_Irecv(to, n, type, rank, tag, comm, request);
  support::Pending message{std::vector<char>(static_cast<std::size_t>(n)), to};
  const int error = PMPI_Irecv(message.here.data(), n, type, rank, tag, comm, request);
  pending[*request] = std::move(message);
  return error;
}

int MPI_Mrecv(void* to, int n, MPI_Datatype type, MPI_Message* message, MPI_Status* status) {
  if (!support::is_of_device(to, n, type)) return PMPI_Mrecv(to, n, type, message, status);
  std::vector<char> here(static_cast<std::size_t>(n));
  const int error = PMPI_Mrecv(here.data(), n, type, message, status);
  support::copy(to, here.data(), here.size(), cudaMemcpyHostToDevice);
  return error;
}

int MPI_Waitall(int n, MPI_Request* requests, MPI_Status* statuses) {
  const std::vector<MPI_Request> awaited(requests, requests + n);
  const int error = PMPI_Waitall(n, requests, statuses);
  for (const MPI_Request request : awaited) {
    const auto found = pending.find(request);
    if (found == pending.end()) continue;
    const support::Pending& message = found->second;
    if (message.there != nullptr)
      support::copy(message.there, message.here.data(), message.here.size(), cudaMemcpyHostToDevice);
    pending.erase(found);
  }
  return error;
}
}
