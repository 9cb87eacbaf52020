#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Builds Kokkos (OpenMP and Serial) into .deps/kokkos, from sources that apt has, unless the system's own works:
# get_kokkos.sh [PREFIX CMAKE_OPTION...] (with a prefix, the one of these options is built there in any case)
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
prefix=${1:-$root/.deps/kokkos}
options=(-DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_STANDARD=20 -DCMAKE_CXX_FLAGS=-w -DCMAKE_INSTALL_LIBDIR=lib
  -DBUILD_SHARED_LIBS=OFF -DCMAKE_POSITION_INDEPENDENT_CODE=ON
  -DKokkos_ENABLE_SERIAL=ON -DKokkos_ENABLE_OPENMP=ON "${@:2}")

command -v ninja >/dev/null && export CMAKE_GENERATOR=Ninja

stamp="$(g++ -dumpfullversion) ${options[*]}"
[[ -f $prefix/stamp && $(<"$prefix/stamp") == "$stamp" ]] && exit 0

mkdir -p "$root/.deps"
work=$(mktemp -d "$root/.deps/work.XXXXXX")
trap 'rm -rf "$work"' EXIT

if (($# == 0)) && cmake -S "$root/cmake/kokkos_check" -B "$work/check" >/dev/null 2>&1 &&
  cmake --build "$work/check" >/dev/null 2>&1; then
  echo "== Kokkos: the system's own works"
  exit 0
fi
if ! command -v apt-get >/dev/null; then
  echo "Kokkos: this system has no apt; please install Kokkos 3.4 or later, or set Kokkos_ROOT" >&2
  exit 1
fi

# The distribution's mirror, as this machine's apt knows it.
. /etc/os-release
codename=${VERSION_CODENAME:-sid}
mirror=$(apt-get indextargets --format '$(RELEASE) $(COMPONENT) $(REPO_URI)' 'Created-By: Packages' |
  awk -v release="$codename" '$1 == release && $2 == "main" { print $3; exit }')
[[ -n $mirror ]] || { echo "Kokkos: apt names no mirror for $codename" >&2; exit 1; }

# fetch_source PACKAGE SUITE [FILES]: unpacks into the work folder, where apt's lists lie too; the machine's own stay
# as they are.
fetch_source() {
  local dir=$work/$1-$2 components=main
  [[ $ID == ubuntu ]] && components="main universe"
  mkdir -p "$dir"/{parts,lists/partial,cache/archives/partial,source}
  echo "deb-src [signed-by=/usr/share/keyrings/$ID-archive-keyring.gpg] $mirror $2 $components" >"$dir/list"
  local apt=(apt-get -qq -o "Dir::Etc::sourcelist=$dir/list" -o "Dir::Etc::sourceparts=$dir/parts"
    -o "Dir::State::lists=$dir/lists" -o "Dir::Cache=$dir/cache" -o APT::Sandbox::User=root)
  (cd "$dir/source" && "${apt[@]}" update && "${apt[@]}" source --download-only "$1") \
    </dev/null >"$dir/log" 2>&1 || return 1
  mkdir -p "$work/source"
  tar -C "$work/source" --strip-components=1 -xf "$dir"/source/*.orig.tar.* --wildcards "${3:-*}"
}

echo "== Kokkos: looking for its source"
source=$work/source
if [[ $ID == debian ]] && fetch_source kokkos sid; then :
elif fetch_source kokkos "$codename"; then :
elif fetch_source trilinos "$codename" '*/packages/kokkos/*'; then source=$work/source/packages/kokkos
else
  tail -n 2 "$work"/*/log >&2
  exit 1
fi

echo "== Kokkos: building $(cd "$source" && sed -n 's/^set *(Kokkos_VERSION_[A-Z]* \([0-9]*\))/\1/Ip' CMakeLists.txt | paste -sd.)"
rm -rf "$prefix"
{
  cmake -S "$source" -B "$work/build" -DCMAKE_INSTALL_PREFIX="$prefix" "${options[@]}" &&
    cmake --build "$work/build" --parallel "$(nproc)" && cmake --install "$work/build"
} >"$work/build.log" 2>&1 || { tail -n 20 "$work/build.log" >&2; exit 1; }
echo "$stamp" >"$prefix/stamp"
