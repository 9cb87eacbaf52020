#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Runs a command in a copy of this checkout, in a Debian of its own with these packages and nothing else; as root, on Debian:
#   in_chroot.sh FOLDER SUITE PACKAGE,... COMMAND      (the folder is kept, so that a second run is short)
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(realpath -m "$1") suite=$2 packages=$3 run=$4

. /etc/os-release
if [[ $EUID -ne 0 || $ID != debian ]]; then
  echo "in_chroot: needs root on a Debian system" >&2
  exit 1
fi

if [[ ! -e $folder/complete || $(<"$folder/complete") != "$suite $packages" ]]; then
  command -v debootstrap >/dev/null || apt-get -qq install -y debootstrap </dev/null >/dev/null
  mirror=$(apt-get indextargets --format '$(RELEASE) $(COMPONENT) $(REPO_URI)' 'Created-By: Packages' |
    awk -v release="$VERSION_CODENAME" '$1 == release && $2 == "main" { print $3; exit }')
  echo "== debootstrap $suite"
  rm -rf "$folder"
  mkdir -p "$folder"
  debootstrap --variant=minbase --include="$packages" "$suite" "$folder" "$mirror" </dev/null >"$folder.log" 2>&1 ||
    { tail -n 5 "$folder.log" >&2; exit 1; }
  echo "$suite $packages" >"$folder/complete"
fi

rm -rf "$folder/hgrid"
mkdir -p "$folder/hgrid"
tar -c --exclude=./build --exclude=./.deps --exclude=./.git . | tar -x -C "$folder/hgrid"

# A mount namespace of its own: /proc, which some tests read, is gone with it. Nothing of this shell's environment goes along.
exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root unshare --mount bash -c '
  mount -t proc proc "$1/proc"
  exec chroot "$1" bash -euc "cd /hgrid; $2"' - "$folder" "$run"
