// SPDX-License-Identifier: BSD-3-Clause
// The tool on several ranks: the first one is the tool, the others search with it (grid_on_ranks.cpp).
#pragma once

#include <functional>
#include <optional>

#include "backends.hpp"

namespace hgrid::tool {

/// How many processes a launcher such as mpirun has started together with this one. Looks at the environment only.
int launched_ranks();

/// Does the work: where there are several ranks, and the back end asked for is none or mpi, once, on the first of them, while
/// the others serve the grids that it makes, and help where it asks for that.
void work_on_ranks(std::optional<Backend> asked, const std::function<void()>& work, const std::function<void()>& help);

}  // namespace hgrid::tool
