#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Builds the site into build/site/html, with an hgrid of this checkout. A link that leads nowhere, a notebook that fails, a comment
# that cannot be read and a table that a phone cannot show are errors. It needs doxygen, Python's venv, and packages through pip.
set -euo pipefail
cd "$(dirname "$0")/.."
at=$PWD/build/site
command -v doxygen >/dev/null || { echo "site: there is no doxygen (Debian, Ubuntu: apt install doxygen)" >&2; exit 1; }
mkdir -p "$at"
[[ -x $at/env/bin/python ]] || python3 -m venv "$at/env"
export PATH=$at/env/bin:$PATH
pip() { python -m pip --quiet --disable-pip-version-check "$@"; }
pip install -r docs/site/requirements.txt
pip install --no-build-isolation --no-deps --force-reinstall --config-settings "build-dir=$at/module" .

rm -rf "$at/xml" "$at/html"
{ cat docs/site/Doxyfile && echo "OUTPUT_DIRECTORY = $at"; } | doxygen -
sphinx-build --quiet --fresh-env --fail-on-warning -c docs/site -d "$at/doctrees" -b html . "$at/html"
python docs/site/links.py "$at/html"
python docs/site/widths.py "$at/html"
echo "the site: $at/html/index.html"
