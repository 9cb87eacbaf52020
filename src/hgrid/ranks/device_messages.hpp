// SPDX-License-Identifier: BSD-3-Clause
// How the messages of ranks leave a device, and which device a rank takes.
#pragma once

#ifndef OMPI_SKIP_MPICXX
#define OMPI_SKIP_MPICXX  // MPI's own C++ interface, which MPI 3 has dropped
#endif
#ifndef MPICH_SKIP_MPICXX
#define MPICH_SKIP_MPICXX
#endif

#include <mpi.h>

#include <optional>

namespace hgrid::inline v0_2 {

/// Whether MPI gets pointers to a device's memory, so that messages do not go by way of the host. It counts on devices only.
enum class DeviceMessages {
  ask,  ///< if MPI says that it takes them
  on,   ///< for an MPI that cannot be asked; `unsupported` where it says that it takes none
  off,
};

/// Whether MPI takes pointers to the memory of CUDA devices; empty where it cannot be asked. Open MPI
/// can be, and MPICH from 4.0 on.
std::optional<bool> mpi_takes_device_memory();

/// The number of this rank among the ranks of its node, those that share memory; a rank may take the device of that number.
/// Collective. Throws `environment` before MPI_Init.
int rank_on_node(MPI_Comm comm);

namespace detail {

/// Throws `unsupported`.
bool are_direct(DeviceMessages messages);

}  // namespace detail

}  // namespace hgrid::inline v0_2
