// SPDX-License-Identifier: BSD-3-Clause
// The host door: hgrid::Grid on one thread (SerialExec) or several (OpenMPExec), in host memory.
#pragma once

#include "hgrid/grid.hpp"
#include "hgrid/loop/time_loop.hpp"
#include "hgrid/threads/openmp_exec.hpp"
#include "hgrid/threads/serial_exec.hpp"
