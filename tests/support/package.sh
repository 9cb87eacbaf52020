# SPDX-License-Identifier: BSD-3-Clause
# Puts hgrid's package, as tests/python.sh has made or makes it, into FOLDER/package: take_package FOLDER. Fails if it cannot be made.
copy_package() {
  local python=build/python/env/bin/python from
  [[ -x $python ]] || return 1
  from=$(PYTHONPATH=build/python/quick "$python" -c 'import hgrid; print(hgrid.__path__[0])') || return 1
  rm -rf "$1/package" && mkdir "$1/package" && cp -r "$from" "$1/package/hgrid" || return 1
  [[ ! -d $from.libs ]] || cp -r "$from.libs" "$1/package/hgrid.libs"  # of a wheel
}

take_package() { copy_package "$1" 2>/dev/null || { bash tests/python.sh quick >"$1/python.log" 2>&1 && copy_package "$1"; }; }
