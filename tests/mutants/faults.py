# SPDX-License-Identifier: BSD-3-Clause
"""Planted faults: a file ROOM.faults has those of a room, each with its name, what breaks, and its places:

# NAME: WHAT BREAKS
== FILE
 text that stays, only where the old text would not be found once without it
-old text
+new text

Neither lines' numbers nor more of their neighbours than that, so that a fault outlives changes beside it."""
import dataclasses
import os
import pathlib
import sys

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent))
import turns  # noqa: E402


class Stale(Exception):
    pass


@dataclasses.dataclass(frozen=True)
class Fault:
    room: str
    name: str
    lines: tuple  # behind the first

    def places(self):
        """[file, old text, new text] of each place."""
        found = []
        for line in self.lines:
            if line.startswith("== "):
                found.append([line[3:].strip(), "", ""])
            else:
                found[-1][1] += line[1:] if line[0] in " -" else ""
                found[-1][2] += line[1:] if line[0] in " +" else ""
        return found

    def edited(self, source):
        """{file: its text with the fault}."""
        changed = {}
        for path, old, new in self.places():
            file = source / path
            text = "\n" + (changed.get(path) or (file.read_text() if file.is_file() else ""))
            times = text.count("\n" + old)
            if times != 1:
                raise Stale(f"its old text is in {path} {times} times")
            changed[path] = text.replace("\n" + old, "\n" + new)[1:]
        return changed


def all_faults():
    found = {}
    for file in sorted(HERE.glob("*.faults")):
        for text in file.read_text().split("\n# "):
            title, *lines = text.removeprefix("# ").rstrip("\n").splitlines(keepends=True)
            name = title.partition(":")[0]
            if name in found:
                sys.exit(f"two planted faults are called {name}")
            found[name] = Fault(file.stem, name, tuple(line.rstrip("\n") + "\n" for line in lines))
    return [found[name] for name in sorted(found)]


def taken(faults):
    """As many as HGRID_MUTANTS says, or all: the next ones at each turn (turns.py)."""
    wanted = os.environ.get("HGRID_MUTANTS", "1")
    return faults if wanted == "all" else turns.some(faults, int(wanted), turns.landing())
