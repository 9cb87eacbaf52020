// SPDX-License-Identifier: BSD-3-Clause
// The CUDA devices that this process can use. A plain C++ header: callers need no CUDA compiler.
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
  std::string reason;  ///< why there are none, with the versions of driver and runtime; otherwise empty
};

/// Returns the devices that the CUDA runtime reports. Never throws for a machine without driver or device.
CudaDevices cuda_devices();

/// Makes a device current for this thread, `number` modulo the number of devices, and returns it. So ranks of one node take
/// turns. Throws `device` if there is none.
int use_cuda_device(int number);

}  // namespace hgrid::inline v0_2
