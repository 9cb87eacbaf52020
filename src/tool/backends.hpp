// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hgrid/core/names.hpp"

namespace hgrid::tool {

enum class Backend { serial, openmp, cuda, mpi };

}  // namespace hgrid::tool

template <>
inline constexpr auto hgrid::enum_names<hgrid::tool::Backend> = std::array{"serial", "openmp", "cuda", "mpi"};

namespace hgrid::tool {

struct Backends {
  std::vector<const char*> names;    ///< back ends that can search on this machine
  std::vector<std::string> devices;  ///< CUDA devices, one line each
  std::string why_no_cuda;           ///< why --backend cuda does not work, and the remedy; otherwise empty
};

Backends find_backends();

/// Throws Error(environment) unless grids can be made on several ranks.
void require_ranks();

/// Returns the requested back end, or the tool's choice. Throws Error(device) if it cannot be used here.
Backend choose_backend(std::optional<Backend> asked);

}  // namespace hgrid::tool
