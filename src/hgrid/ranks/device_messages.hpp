// SPDX-License-Identifier: BSD-3-Clause
// How the messages of ranks leave a device, and which device a rank uses.
#pragma once

#ifndef OMPI_SKIP_MPICXX
#define OMPI_SKIP_MPICXX  // MPI's own C++ interface, which was removed in MPI 3
#endif
#ifndef MPICH_SKIP_MPICXX
#define MPICH_SKIP_MPICXX
#endif

#include <mpi.h>

#include <optional>

namespace hgrid::inline v0_2 {

/// Whether MPI gets pointers to a device's memory, so that messages skip the host. It matters only on devices.
enum class DeviceMessages {
  ask,  ///< use them if MPI says that it supports them
  on,   ///< for an MPI that cannot tell; `unsupported` if it says that it does not support them
  off,
};

/// Returns whether MPI takes pointers to the memory of CUDA devices, and no value if MPI cannot tell. Open MPI can, and MPICH
/// from 4.0 on.
std::optional<bool> mpi_takes_device_memory();

/// Returns the number of this rank among the ranks of its node (ranks that share memory). A rank may use the device of that
/// number. Collective. Throws `environment` before MPI_Init.
int rank_on_node(MPI_Comm comm);

namespace detail {

/// Returns whether messages use device memory directly. Throws `unsupported` as `DeviceMessages::on` says.
bool are_direct(DeviceMessages messages);

}  // namespace detail

}  // namespace hgrid::inline v0_2
