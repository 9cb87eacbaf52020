// SPDX-License-Identifier: BSD-3-Clause
// Which CUDA devices this process can use. A plain C++ header: callers need no CUDA compiler.
#pragma once

#include <string>
#include <vector>

namespace hgrid::inline v0_2 {

struct CudaDevice {
  std::string name;
  int compute_capability;  ///< e.g. 90
  std::size_t memory;      ///< bytes
};

struct CudaDevices {
  std::vector<CudaDevice> devices;
  std::string reason;  ///< why there are none, with the versions of driver and runtime; else empty
};

/// Asks the CUDA runtime; never throws for a machine without driver or device.
CudaDevices cuda_devices();

/// Makes one of the devices the current one of this thread, `number` modulo how many there are, and returns which: ranks of
/// one node thus take turns. Throws `device` if there is none.
int use_cuda_device(int number);

}  // namespace hgrid::inline v0_2
