# SPDX-License-Identifier: BSD-3-Clause
"""Planted faults: NAME.fault says in its first line what breaks, then, for each place,

== FILE
 text that stays, only where the old text would not be found once without it
-old text
+new text

Neither lines' numbers nor more of their neighbours than that, so that a fault outlives changes beside it."""
import os
import pathlib
import sys

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent))
from drawn import draw  # noqa: E402


class Stale(Exception):
    pass


def places(fault):
    """[file, old text, new text] of each place."""
    found = []
    for line in fault.read_text().splitlines(keepends=True)[1:]:
        if line.startswith("== "):
            found.append([line[3:].strip(), "", ""])
        else:
            found[-1][1] += line[1:] if line[0] in " -" else ""
            found[-1][2] += line[1:] if line[0] in " +" else ""
    return found


def edited(fault, source):
    """{file: its text with the fault}."""
    changed = {}
    for path, old, new in places(fault):
        file = source / path
        text = "\n" + (changed.get(path) or (file.read_text() if file.is_file() else ""))
        times = text.count("\n" + old)
        if times != 1:
            raise Stale(f"its old text is in {path} {times} times")
        changed[path] = text.replace("\n" + old, "\n" + new)[1:]
    return changed


def drawn(faults, source):
    """As many as HGRID_MUTANTS says, or all: which ones changes with the code."""
    wanted = os.environ.get("HGRID_MUTANTS", "8")
    if wanted == "all":
        return faults
    taken = draw([fault.stem for fault in faults], int(wanted), source)
    return [fault for fault in faults if fault.stem in taken]
