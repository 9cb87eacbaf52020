#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The functions that the C library exports are the functions of its header and of its page, and there are no other symbols to link to. Tests call each
function of a grid, in C and in C++, from within a search of that grid: c_door_symbols.py LIBRARY SOURCE_FOLDER"""
import pathlib
import re
import subprocess
import sys


def exported(library):
    lines = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout
    return {line.split()[-1] for line in lines.splitlines()}


def main():
    library, root = sys.argv[1], pathlib.Path(sys.argv[2])
    symbols = exported(library)
    text = (root / "src/c/hgrid.h").read_text()
    header = set(re.findall(r"^HGRID_API .*?(\w+)\(", text, re.M))
    page = set(re.findall(r"^\| `(\w+)\(", (root / "docs/c.md").read_text(), re.M))
    faults = [f"{name} is {where}, but not exported" for names, where in ((header, "in hgrid.h"), (page, "in docs/c.md"))
              for name in sorted(names - symbols)]
    faults += [f"{name} is exported, but not {where}" for names, where in ((header, "in hgrid.h"), (page, "in docs/c.md"))
               for name in sorted(symbols - names)]
    of_grids = set(re.findall(r"^HGRID_API int (\w+)\((?:const )?hgrid_(?:grid|verlet|mesh)\*", text, re.M))
    public = (root / "src/hgrid/grid.hpp").read_text().partition(" private:")[0]
    members = set(re.findall(r"^  (?![/ ]|explicit|requires|.*\) const \{).*?\b([a-z]\w+)\(", public, re.M))
    for names, test in ((of_grids, "c_door_touching.cpp"), (members, "reentrancy.cpp")):
        called = set(re.findall(r"\w+", (root / "tests" / test).read_text()))
        faults += [f"{name} is not called from within a search, in tests/{test}" for name in sorted(names - called)]
    print("\n".join(faults) or f"{len(symbols)} functions")
    sys.exit(1 if faults or not symbols else 0)


main()
