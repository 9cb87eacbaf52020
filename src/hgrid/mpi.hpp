// SPDX-License-Identifier: BSD-3-Clause
// The MPI door: hgrid::DistributedGrid, a grid over the ranks of a communicator, on the executors of a host, its time loop and its queries.
#pragma once

#include "hgrid/hgrid.hpp"
#include "hgrid/ranks/distributed_grid.hpp"
#include "hgrid/ranks/distributed_pair_array.hpp"
#include "hgrid/ranks/distributed_queries.hpp"
#include "hgrid/ranks/distributed_verlet_list.hpp"
