#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The kernels compile without a warning by the newest CUDA toolkit, and keep their registers: newest_toolkit.sh [ARCHITECTURE...]
# (80, and one of the others by turns). The toolkit is pinned, is taken from PyPI and stays in build/newest_toolkit.
set -euo pipefail
cd "$(dirname "$0")/.."
version=13.5.37
pins=(nvidia-{cuda-nvcc,nvvm,cuda-crt,cuda-runtime}==$version nvidia-cuda-cccl==13.3.5.0.6)  # nvcc takes the newest version of packages without a pin
folder=$PWD/build/newest_toolkit
(($#)) || set -- 80 "$(python3 tests/turns.py some 1 90 100 120)"

if [[ ! -e $folder/$version ]]; then
  rm -rf "$folder" && mkdir -p "$folder"
  if ! { python3 -m venv "$folder/pip" && "$folder/pip/bin/pip" -q install --no-cache-dir --target "$folder/packages" "${pins[@]}"; } >"$folder/log" 2>&1; then
    echo "newest toolkit: skipped, because $version cannot be had: $(tail -n 1 "$folder/log")"
    exit 0
  fi
  ln -s lib "$folder/packages/nvidia/cu13/lib64"  # where CMake seeks it
  touch "$folder/$version"
fi

export CMAKE_GENERATOR=Ninja CUDACXX=$folder/packages/nvidia/cu13/bin/nvcc
architectures=$(IFS=';' && echo "$*")
cmake --preset cuda -B "$folder/tree" -DCMAKE_CUDA_ARCHITECTURES="$architectures" -DHGRID_BUILD_{TESTS,TOOL,BENCH,EXAMPLES}=OFF -DHGRID_MPI=OFF >"$folder/log" 2>&1 ||
  { tail -n 20 "$folder/log"; exit 1; } >&2
objects=(kernels/*.cu)
objects=("${objects[@]/%/.o}")
objects=("${objects[@]/#kernels/kernels/CMakeFiles/hgrid_cuda.dir}")
cmake --build "$folder/tree" --parallel "$(nproc)" --target "${objects[@]}" >"$folder/log" 2>&1 ||
  { grep -E -A 5 'error|warning|FAILED' "$folder/log" | head -n 40; exit 1; } >&2
(cd "$folder/tree" && cat "${objects[@]}") >"$folder/kernels.o"
python3 tests/kernel_registers.py "$folder/kernels.o" "$architectures" >"$folder/registers"
echo "newest toolkit: ${#objects[@]} files of kernels compile by nvcc $version for $architectures, within their registers"
