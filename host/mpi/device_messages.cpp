// SPDX-License-Identifier: BSD-3-Clause
// Facts about devices and nodes, from MPI.
#include "hgrid/ranks/device_messages.hpp"

#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

#include "hgrid/core/error.hpp"

namespace hgrid::inline v0_2 {

namespace {

void require_mpi(const char* before) {
  int initialised = 0;
  MPI_Initialized(&initialised);
  if (initialised == 0) throw Error(ErrorCode::environment, std::string("call MPI_Init before ") + before);
}

}  // namespace

std::optional<bool> mpi_takes_device_memory() {
#if defined(MPIX_CUDA_AWARE_SUPPORT)  // Open MPI; if it is 0, another build of the library may still accept it
  return MPIX_Query_cuda_support() == 1;
#elif defined(MPIX_GPU_SUPPORT_CUDA)  // MPICH from 4.0 on
  int is_taken = 0;
  MPIX_GPU_query_support(MPIX_GPU_SUPPORT_CUDA, &is_taken);
  return is_taken != 0;
#else
  return {};
#endif
}

int rank_on_node(MPI_Comm comm) {
  require_mpi("rank_on_node");
  MPI_Comm node = MPI_COMM_NULL;
  int rank = 0;
  MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Comm_rank(node, &rank);
  MPI_Comm_free(&node);
  return rank;
}

namespace detail {

bool are_direct(DeviceMessages messages) {
  if (messages == DeviceMessages::off) return false;
  const std::optional<bool> taken = mpi_takes_device_memory();
  if (messages == DeviceMessages::on && taken == false) {
    throw Error(ErrorCode::unsupported, "this MPI says that it takes no pointers to device memory",
                {.argument = "device_messages"});
  }
  return messages == DeviceMessages::on || taken == true;
}

}  // namespace detail

}  // namespace hgrid::inline v0_2
