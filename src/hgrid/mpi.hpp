// SPDX-License-Identifier: BSD-3-Clause
// The MPI header: hgrid::DistributedGrid, a grid over the ranks of a communicator, its time loop and its queries. With
// hgrid/cuda.hpp a grid's particles may be on a device.
#pragma once

#include "hgrid/hgrid.hpp"
#include "hgrid/ranks/device_messages.hpp"
#include "hgrid/ranks/device_vector.hpp"
#include "hgrid/ranks/distributed_grid.hpp"
#include "hgrid/ranks/distributed_pair_array.hpp"
#include "hgrid/ranks/distributed_queries.hpp"
#include "hgrid/ranks/distributed_verlet_list.hpp"
#include "hgrid/ranks/rank_checkpoint.hpp"
#if defined(__CUDACC__) && defined(HGRID_HAS_CUDA)
#include "kernels/instances_ranks.cuh"
#endif
