// SPDX-License-Identifier: BSD-3-Clause
// An MPI that takes device memory, or none: what it is given is checked, and counted.
#pragma once

namespace support {

struct DeviceMpi {
  bool takes_device_memory = false;  ///< what it says when it is asked
  int device = 0;                    ///< of this rank: no message is in the memory of another
  int device_messages = 0, host_messages = 0;
  int misplaced = 0;  ///< in the memory of a host where a device's was due, or in that of a device that MPI does not take
};

DeviceMpi& device_mpi();

}  // namespace support
