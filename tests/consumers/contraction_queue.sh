#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The library's kernel counts strips, and one that a user's file compiles for a functor finds them again, so products that say how many
# there are may not be fused with sums: contraction_queue.sh NVCC CXX FOLDER -IINCLUDE...
# The kernel that counts is read, for the common kinds of grid: tilts have products by powers of two, which may be fused.
set -euo pipefail
nvcc=$1 cxx=$2 folder=$3
shift 3
mkdir -p "$folder"
cat >"$folder/visit.cu" <<'CODE'
#include "hgrid/device/cuda_exec.hpp"
#include "hgrid/grid.hpp"
#include "kernels/cuda_reduce.cuh"  // not hgrid/cuda.hpp, with which the library's kernel counts
struct Visit {
  int* count;
  __device__ void operator()(hgrid::index_t, hgrid::index_t, const hgrid::Image&) const { atomicAdd(count, 1); }
};
void visit(const hgrid::Grid<hgrid::CudaExec, 3>& grid, int* count) { grid.for_each_contact(Visit{count}); }
CODE
"$nvcc" -ccbin "$cxx" -arch=sm_80 -std=c++20 "$@" --ptx -o "$folder/visit.ptx" "$folder/visit.cu"
awk '
  /\.entry/ { kernel = /QueueStrips.*(OpenGrid|PeriodicGrid)/; kernels += kernel }
  kernel && /fma\.rn\.f64/ { fused++ }
  END { if (kernels != 2 || fused > 0) { print kernels + 0 " kernels with " fused + 0 " fused operations"; exit 1 } }
' "$folder/visit.ptx"
