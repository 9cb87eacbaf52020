#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# HIP's compiler fuses products with sums of its own accord, but not hgrid's: contraction_hip.sh CLANG SRC
# The code for a device is read, so that neither ROCm nor a device is needed.
set -euo pipefail
clang=$1 src=$2
if ! "$clang" --print-targets | grep -q amdgcn; then
  echo "skipped: this clang knows no AMD device"
  exit 0
fi

# products FLAGS...: how many of a kernel's two products are rounded by themselves.
products() {
  "$clang" -x hip --offload-arch=gfx90a --cuda-device-only -nogpulib -nogpuinc '-D__host__=__attribute__((host))' \
    '-D__device__=__attribute__((device))' -std=c++20 -O3 "$@" "-I$src" -S -o - - <<'CODE' | grep -c v_mul_f64 || true
#include "hgrid/core/macros.hpp"
using namespace hgrid::detail;
extern "C" __attribute__((global)) void squares(const double* x, double* sum) {
  *sum = add_rn(*sum, add_rn(mul_rn(x[0], x[0]), mul_rn(x[1], x[1])));
}
CODE
}

if [[ $(products -DHGRID_NO_CONTRACTION) == 2 ]]; then
  echo "this compiler fuses nothing: this test would not notice it"
  exit 1
fi
for flags in "" -ffp-contract=fast; do
  if [[ $(products $flags) != 2 ]]; then
    echo "with the flags '$flags' a product is not rounded by itself, or nothing was compiled"
    exit 1
  fi
done
