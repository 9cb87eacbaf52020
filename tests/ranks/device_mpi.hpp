// SPDX-License-Identifier: BSD-3-Clause
// An MPI that takes device memory, or none: its arguments are checked, and counted.
#pragma once

namespace support {

struct DeviceMpi {
  bool takes_device_memory = false;  ///< MPI's answer to the query
  int device = 0;                    ///< of this rank: no message is in the memory of another
  int device_messages = 0, host_messages = 0;
  int misplaced = 0;  ///< in host memory where a device's was due, or in device memory that MPI does not take
};

DeviceMpi& device_mpi();

}  // namespace support
