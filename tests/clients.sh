#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Codes from packages run with the adapters of examples/clients, and their contacts are compared: clients.sh [times]
# Newton and KratosDEM come from PyPI, Yade from Debian, pinned, into build/clients. tests/python.sh makes hgrid's package. What cannot be
# had is left out, with a word. times: the tables of docs/clients.md, too.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD at=$PWD/build/clients
pins=(warp-lang==1.19.0 newton==1.8.0 KratosMultiphysics==10.4.4 KratosDEMApplication==10.4.4)
yade=2023.02a-1
leave_out() { echo "clients: $1 left out, because $2"; }
export OMP_NUM_THREADS=1 PYTHONPATH=$at/package
mkdir -p "$at"

pip_into() {  # LOG COMMAND...: once, unless the pins have changed
  local done=$at/$1.done log=$at/$1.log
  shift
  [[ -e $done && $(<"$done") == "$*" ]] || { "$@" >"$log" 2>&1 && echo "$*" >"$done"; }
}

run() {  # PROGRAM PATTERN ARGUMENTS...: prints the lines with figures
  local program=$root/examples/clients/$1 pattern=$2
  shift 2
  "$at/env/bin/python" "$program" "$@" >"$at/log" 2>&1 || { tail -n 20 "$at/log" >&2; return 1; }
  grep -E "$pattern" "$at/log"
}

# Debian's packages, unpacked and not installed, so that no root is needed.
take_yade() {
  [[ ! -e $at/yade/$yade ]] || return 0
  rm -rf "$at/yade" && mkdir -p "$at/yade/packages" "$at/yade/root" "$at/yade/python" && cd "$at/yade/packages" || return 1
  local names
  names=$(apt-get --simulate --no-install-recommends install "yade=$yade" | sed -n 's/^Inst \([^ ]*\) .*/\1/p') || return 1
  [[ -n $names ]] && apt-get download $names || return 1
  for package in *.deb; do dpkg -x "$package" ../root || return 1; done
  "$at/env/bin/pip" -q install --python-version 3.11 --only-binary :all: --target ../python numpy==1.26.4 "nanobind-backend>=1,<2" && touch "../$yade"
}

run_yade() {
  local usr=$at/yade/root/usr libraries
  libraries=$usr/lib/x86_64-linux-gnu
  YADE_PREFIX=$usr LD_LIBRARY_PATH=$libraries:$libraries/openblas-pthread:$libraries/yade-double:$libraries/yade-double/py/yade:$libraries/yade-double/py/yade/qt \
    PYTHONPATH=$at/package:$at/yade/python:$libraries/yade-double/py:$usr/lib/python3/dist-packages QT_QPA_PLATFORM=offscreen \
    /usr/bin/python3.11 "$usr/bin/yade-double" -n -x "$root/examples/clients/yade_pairs.py" "$@" >"$at/log" 2>&1 || { tail -n 20 "$at/log" >&2; return 1; }
  grep "the same in" "$at/log"
}

. tests/support/package.sh
take_package "$at" || { leave_out "all are" "the package cannot be made ($at/python.log)"; exit 0; }
[[ -x $at/env/bin/python ]] || python3 -m venv "$at/env"
if pip_into env "$at/env/bin/pip" -q install "${pins[@]}" numpy "nanobind-backend>=1,<2"; then
  run newton_contacts.py "differ by"
  run kratos_pairs.py "the same in|Detection"
  [[ ${1:-} != times ]] || { for n in 10000 100000; do run newton_contacts.py "^ratio|^ +[0-9]" times $n; done && run kratos_pairs.py "the same in|Detection" 5000 20 30; }
else
  leave_out "Newton and KratosDEM are" "packages cannot be had ($at/env.log)"
fi
if [[ -x /usr/bin/python3.11 ]] && (take_yade) >"$at/yade.log" 2>&1; then
  run_yade
  [[ ${1:-} != times ]] || run_yade 10000 300
else
  leave_out "Yade is" "Debian's yade $yade cannot be had ($at/yade.log)"
fi
