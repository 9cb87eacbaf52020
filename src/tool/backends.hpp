// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace hgrid::tool {

struct Backends {
  std::vector<std::string> names;    ///< that can search on this machine
  std::vector<std::string> devices;  ///< CUDA devices, a line each
  std::string why_no_cuda;           ///< why --backend cuda does not work, and what would; else empty
};

Backends find_backends();

/// The backend that a name of the command line stands for. Throws Error(device) for one that cannot be used
/// here.
std::string choose_backend(const std::string& asked);

}  // namespace hgrid::tool
