// SPDX-License-Identifier: BSD-3-Clause
// The tool on several ranks: the first one is the tool, the others search with it (any_grid_ranks.cpp).
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "any_grid.hpp"

namespace hgrid::tool {

/// How many processes a launcher such as mpirun has started together with this one. Looks at the environment only.
int launched_ranks();

/// Does the work: where there are several ranks, and the back end asked for is none or mpi, once, on the first of them, while
/// the others serve the grids that it makes, and help where it asks for that.
void work_on_ranks(std::optional<Backend> asked, const std::function<void()>& work, const std::function<void()>& help);

/// A grid of all ranks, inside of such work. Throws Error(unsupported) for that which `DistributedGrid` does not do.
std::unique_ptr<AnyGrid> make_ranks_grid(const GridSpec& spec);

}  // namespace hgrid::tool
