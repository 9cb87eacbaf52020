#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The parts of bench/gpu.sh that prepare and build:
#   kit.sh prepare KIT [NAME=PROGRAM...]              fills the folder that travels
#   kit.sh build FOLDER ARCHITECTURES GOOGLETEST      compiles all programs to FOLDER/bin
#   kit.sh sources                                    the checksum of what they are compiled from
#   kit.sh peer PROGRAM PARTICLES RATIO N OUT.jsonl   runs a peer and appends its row
set -euo pipefail
cd "$(dirname "$0")/../.."
readonly most_bytes=$((60 << 20))

# Whole files, so that a kit is never taken for programs of other sources than those beside it.
sources() {
  find CMakeLists.txt cmake src host kernels tests/support tests/cuda_* bench/gpu -type f \
    ! -name '*.sh' ! -name '*.py*' -print0 | LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum | cut -d ' ' -f 1
}

# Removes what was built before, or programs of other sources would stand for those that do not compile.
configure() {  # FOLDER ARCHITECTURES GOOGLETEST
  local gomp options=(-DCMAKE_BUILD_TYPE=Release -DBUILD_GMOCK=OFF -DINSTALL_GTEST=OFF)
  options+=(-DCMAKE_CUDA_ARCHITECTURES="$2")
  [[ ! -d $3 ]] || options+=(-DHGRID_GOOGLETEST="$3")
  gomp=$("${CXX:-g++}" -print-file-name=libgomp.a)  # a plain name if there is none
  [[ $gomp != /* ]] || options+=(-DOpenMP_gomp_LIBRARY="$gomp")
  rm -rf "${1:?}/bin"
  cmake -G Ninja -S bench/gpu -B "$1" "${options[@]}"
}

# One file that fails costs the programs that need it, and no other.
build() {
  configure "$@"
  cmake --build "$1" --parallel -- -k 0
}

googletest_into() {  # FOLDER: what a build needs of Debian's package
  local from=/usr/src/googletest package
  if [[ ! -d $from ]]; then
    package=$(mktemp -d)
    (cd "$package" && apt-get download googletest && dpkg -x googletest*.deb .)
    from=$package/$from
  fi
  mkdir -p "$1/googletest"
  cp -r "$from/CMakeLists.txt" "$1/"
  cp -r "$from"/googletest/{CMakeLists.txt,cmake,include,src} "$1/googletest/"
  [[ -z ${package:-} ]] || rm -r "$package"
}

# The order is that of the ratios that are measured first.
relax_cubes() {  # BUILD CUBES
  local ratio file
  for ratio in 1 100 10 50; do
    file=cube-$ratio.bin
    [[ -e $2/$file ]] || { "$1/bin/gpu_cubes" "$1" "$ratio" && mv "$1/$file" "$2/"; }
  done
}

prepare() {
  local kit=$1 folder=$1-build failed=0 peer program bytes relaxing
  shift
  for peer in "$@"; do
    [[ $peer == [A-Za-z0-9]*=* && -x ${peer#*=} ]] || { echo "--peer NAME=PROGRAM: $peer names no program" >&2; exit 2; }
  done
  rm -rf "${kit:?}"/{bin,peers,googletest,sources,commit}
  mkdir -p "$kit"/{bin,cubes,peers}
  for peer in "$@"; do cp "${peer#*=}" "$kit/peers/${peer%%=*}"; done
  googletest_into "$kit/googletest"
  configure "$folder" "${HGRID_ARCHITECTURE:-80-real;90}" "$kit/googletest"
  cmake --build "$folder" --target gpu_cubes
  relax_cubes "$folder" "$kit/cubes" &
  relaxing=$!
  cmake --build "$folder" --parallel -- -k 0 || failed=1
  for program in gpu_grid gpu_step gpu_ceilings test_cuda_graphs test_cuda_grid test_cuda_lists test_cuda_random_systems; do
    [[ ! -e $folder/bin/$program ]] || strip -o "$kit/bin/$program" "$folder/bin/$program"
  done
  wait $relaxing
  sources >"$kit/sources"
  echo "${HGRID_COMMIT:-$(git rev-parse --short HEAD 2>/dev/null || echo unknown)}" >"$kit/commit"
  bytes=$(du -sb "$kit" | cut -f 1)
  du -ah --max-depth=2 "$kit" | sort -k 2
  echo "$kit: $((bytes >> 20)) MiB"
  ((bytes <= most_bytes)) || { echo "more than 60 MiB; name fewer peers, or fewer HGRID_ARCHITECTURE" >&2; exit 1; }
  ((failed == 0)) || { echo "some programs do not compile; the kit has the others" >&2; exit 1; }
}

peer() {  # a peer prints a line of JSON with median_ms, of building and listing, and pairs
  local text line
  text=$("$1" "$2")
  echo "$text"
  line=$(grep '^{' <<<"$text" | tail -n 1)
  printf '{"peer": "%s", "ratio": %s, "n": %s, "result": %s}\n' "${1##*/}" "$3" "$4" "$line" >>"$5"
}

"$@"
