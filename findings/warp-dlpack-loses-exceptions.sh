#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# warp-lang 1.19.0 with numpy 2.4.6 (PyPI, Python 3.11, CPU), seen 2026-11-29: an exception is lost where it lets go of an array that
# numpy has from Warp by DLPack. In a comprehension the caller gets "SystemError: error return without exception set" instead, which
# `except ValueError` does not catch; the reason is printed as "Exception ignored on calling ctypes callback function". The deleter that Warp
# gives with its memory is a function of Python, and it runs while the exception is on its way. The same lines with an array of numpy's own,
# or with `x.numpy()`, raise the ValueError.
# Seen: numpy ValueError, x.numpy() ValueError, from_dlpack SystemError
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" -q install warp-lang==1.19.0 numpy==2.4.6
cat >"$folder/run.py" <<'PYTHON'
import numpy as np
import warp as wp

wp.config.quiet = True
positions = wp.zeros(4, dtype=wp.vec3, device="cpu")


def seen(view, array):
    def checked(name):
        if name == "radii":
            raise ValueError("radii are missing")
        return view(array)

    try:
        {name: checked(name) for name in ("positions", "radii")}
    except (ValueError, SystemError) as error:
        return type(error).__name__


print(f"numpy {seen(np.from_dlpack, np.zeros((4, 3)))}, x.numpy() {seen(lambda x: x.numpy(), positions)}, "
      f"from_dlpack {seen(np.from_dlpack, positions)}")
PYTHON
found=$("$folder/env/bin/python" "$folder/run.py" 2>/dev/null | tail -n 1)
echo "$found"
[[ $found == "numpy ValueError, x.numpy() ValueError, from_dlpack SystemError" ]]
