// SPDX-License-Identifier: BSD-3-Clause
// The host header: hgrid::Grid on one thread (SerialExec) or several (OpenMPExec), in host memory. hgrid/loop.hpp has lists for
// many steps; hgrid/queries.hpp regions, meshes, nearest particles and insertions.
#pragma once

#include "hgrid/grid.hpp"
#include "hgrid/threads/openmp_exec.hpp"
#include "hgrid/threads/serial_exec.hpp"
