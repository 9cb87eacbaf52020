# SPDX-License-Identifier: BSD-3-Clause
"""python -m hgrid: the tool hgrid, where the package has it."""
from __future__ import annotations

import importlib.metadata
import os
import sys
import sysconfig

NONE = ("hgrid: this package was built without the tool. The wheel that packaging/wheel.sh makes has it, and so has what "
        "pip install . --config-settings=cmake.define.HGRID_BUILD_TOOL=ON builds")


def tool() -> str | None:
    """The file of the program hgrid that the package installed, or the one beside Python, or None."""
    try:
        files = importlib.metadata.files("hgrid") or []
    except importlib.metadata.PackageNotFoundError:
        files = []
    installed = [str(file.locate()) for file in files if file.name == "hgrid" and file.parent.name == "bin"]
    for path in [*installed, os.path.join(sysconfig.get_path("scripts"), "hgrid")]:
        if os.access(path, os.X_OK):
            return path
    return None


def main() -> None:
    path = tool()
    if path is None:
        sys.exit(NONE)
    os.execv(path, [path, *sys.argv[1:]])


if __name__ == "__main__":
    main()
