// SPDX-License-Identifier: BSD-3-Clause
// The MPI door: hgrid::DistributedGrid, a grid over the ranks of a communicator, on the executors of a host.
#pragma once

#include "hgrid/hgrid.hpp"
#include "hgrid/ranks/distributed_grid.hpp"
