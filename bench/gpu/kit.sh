#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The parts of bench/gpu.sh that prepare and build:
#   kit.sh prepare KIT [NAME=PROGRAM...]              fills the folder that travels
#   kit.sh size FOLDER                                how large it is; ends with 1 if it may not travel
#   kit.sh programs                                   which programs it has, and of which architectures their kernels are
#   kit.sh build FOLDER ARCHITECTURES GOOGLETEST      compiles all programs to FOLDER/bin
#   kit.sh sources                                    the checksum of what they are compiled from
#   kit.sh peer PROGRAM PARTICLES RATIO N OUT.jsonl   runs a peer and appends its row
set -euo pipefail
cd "$(dirname "$0")/../.."
readonly most_bytes=$((50 << 20))
# Each has the kernels once, so that a program more, or an architecture more, is a few MiB.
readonly programs=(gpu_grid gpu_step gpu_ceilings gpu_tests libhgrid_c.so gpu_host gpu_ranks)
readonly architectures=${HGRID_ARCHITECTURE:-90-real}

# Whole files, so that a kit is never taken for programs of other sources than the ones beside it.
sources() {
  find CMakeLists.txt pyproject.toml cmake src host kernels tests/support tests/cuda_* bench/gpu -type f \
    ! -name '*.sh' ! -name '*.pyc' ! -path 'tests/*.py' ! -path 'bench/*.py' -print0 | LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum | cut -d ' ' -f 1
}

# Removes earlier builds, or programs of other sources would stand for programs that do not compile.
configure() {  # FOLDER ARCHITECTURES GOOGLETEST
  local options=(-DCMAKE_BUILD_TYPE=Release -DBUILD_GMOCK=OFF -DINSTALL_GTEST=OFF)
  options+=(-DCMAKE_CUDA_ARCHITECTURES="$2")
  [[ ! -d $3 ]] || options+=(-DHGRID_GOOGLETEST="$3")
  rm -rf "${1:?}/bin"
  cmake -G Ninja -S bench/gpu -B "$1" "${options[@]}"
}

# One file that fails costs the programs that need it, and no other.
build() {
  configure "$@"
  cmake --build "$1" --target all hgrid_c --parallel ${HGRID_PARALLEL:-} -- -k 0
}

googletest_into() {  # FOLDER: the files of Debian's package that a build needs
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

# The ratios that are measured first come first.
relax_cubes() {  # BUILD CUBES
  local ratio file
  for ratio in 1 100; do
    file=cube-$ratio.bin
    [[ -e $2/$file ]] || { "$1/bin/gpu_cubes" "$1" "$ratio" && mv "$1/$file" "$2/"; }
  done
}

programs() { printf '%s\n' "$architectures" "${programs[@]}"; }

size() {  # FOLDER
  local bytes
  bytes=$(du -sb "$1" | cut -f 1)
  du -ah --max-depth=2 "$1" | sort -k 2
  echo "$1: $((bytes >> 20)) MiB"
  ((bytes <= most_bytes)) || { echo "more than $((most_bytes >> 20)) MiB; name fewer peers, or fewer HGRID_ARCHITECTURE" >&2; return 1; }
}

# The Python package as pip builds it, and its requirements beside numpy, for the Python of the other machine (HGRID_PYTHON).
python_into() {  # FOLDER
  local wheels
  wheels=$(mktemp -d)
  pip() { python3 -m pip --quiet --disable-pip-version-check "$@"; }
  if pip wheel --no-deps --wheel-dir "$wheels" . && pip download --no-deps --only-binary=:all: --dest "$wheels" \
    --python-version "${HGRID_PYTHON:-3.12}" --platform manylinux_2_28_x86_64 --platform manylinux_2_27_x86_64 \
    --platform manylinux_2_17_x86_64 "nanobind-backend>=1,<2"; then
    for wheel in "$wheels"/*.whl; do python3 -m zipfile -e "$wheel" "$1"; done
  else
    echo "the kit has no Python door: pip could not make it"
  fi
  rm -r "$wheels"
}

prepare() {
  local kit=$1 folder=$1-build failed=0 peer program relaxing
  shift
  for peer in "$@"; do
    [[ $peer == [A-Za-z0-9]*=* && -x ${peer#*=} ]] || { echo "--peer NAME=PROGRAM: $peer names no program" >&2; exit 2; }
  done
  rm -rf "${kit:?}"/{bin,peers,googletest,python,sources,commit}
  mkdir -p "$kit"/{bin,cubes,peers,python}
  for peer in "$@"; do cp "${peer#*=}" "$kit/peers/${peer%%=*}"; done
  googletest_into "$kit/googletest"
  configure "$folder" "$architectures" "$kit/googletest"
  cmake --build "$folder" --target gpu_cubes
  relax_cubes "$folder" "$kit/cubes" &
  relaxing=$!
  cmake --build "$folder" --target all hgrid_c --parallel ${HGRID_PARALLEL:-} -- -k 0 || failed=1
  for program in "${programs[@]}"; do
    [[ ! -e $folder/bin/$program ]] || strip -o "$kit/bin/$program" "$folder/bin/$program"
  done
  cp -L "$("${CXX:-g++}" -print-file-name=libgomp.so.1)" "$kit/bin/" || failed=1
  if [[ -e $kit/bin/gpu_ranks ]]; then  # Zoltan and its requirements; MPI is the other machine's
    ldd "$kit/bin/gpu_ranks" | awk '/zoltan|scotch/ {print $3}' | xargs -r cp -L -t "$kit/bin" || failed=1
  fi
  python_into "$kit/python"
  wait $relaxing
  sources >"$kit/sources"
  echo "${HGRID_COMMIT:-$(git rev-parse --short HEAD 2>/dev/null || echo unknown)}" >"$kit/commit"
  size "$kit" || exit
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
