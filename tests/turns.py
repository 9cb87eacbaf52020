#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Long tests take turns: turns.py due [BASE] prints the units of this landing, turns.py some COUNT NAME... the next COUNT of the names.

A landing is a step of main's first-parent history. The n-th takes row n modulo 8 of UNITS, so each unit runs at least at every eighth, and
also where a file that differs from BASE (the first parent, unless told) reaches it. Where history is shallow or missing, all units run."""
import pathlib
import re
import subprocess
import sys

import tokens

# (unit, files that reach it). "random", "races", "emulator" and "consumers" are labels of ctest, turn_random and so on; run.py has the commands of the others.
KERNELS = r"kernels/.*\.cu$|src/hgrid/device/search_kernels|tests/kernel_registers"
UNITS = (
    (("sanitizers", r"tests/sanitize"), ("cuda_wheel", r"packaging/wheel\.sh")),
    (("random", r"tests/support/random_"), ("clients", r"examples/clients/(newton|kratos|yade)|src/python/hgrid/warp|tests/clients\.sh")),
    (("fuzzing", r"tests/fuzz/|src/tool/io/"), ("newest_toolkit", KERNELS + r"|tests/newest_toolkit")),
    (("races", r"tests/emulator/races"),),
    (("faults", r"tests/mutants/.*\.py|tests/emulator/planted"), ("emulator", r"tests/cuda_(lists|nearest|callers)\.|tests/emulator/")),
    (("wheel", r"packaging/|pyproject\.toml|src/python/CMakeLists"), ("real_files", r"tests/real_files|src/tool/io/|src/python/hgrid/(files|_stores|_columns)")),
    (("coverage", r"tests/coverage"), ("headers", r"tests/header_alone")),
    (("architecture", KERNELS), ("consumers", r"(.*/)?CMakeLists\.txt$|cmake/|tests/consumers/|src/hgrid/core/macros|src/c/hgrid11")),
)
ROOT = pathlib.Path(__file__).resolve().parent.parent


def git(*arguments, root=ROOT):
    """What git prints, or None if it fails."""
    try:
        done = subprocess.run(["git", "-C", str(root), *arguments], capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def landing(commit="HEAD", root=ROOT):
    """The number of a landing; None if history does not tell."""
    if git("rev-parse", "--is-shallow-repository", root=root) != "false":
        return None
    count = git("rev-list", "--first-parent", "--count", commit, root=root)
    return int(count) if count else None


def without_includes(text):
    """Returns a text without its includes, which name the places of other files; whether they fit is seen in every run."""
    return re.sub(r"^#include .*\n", "", text, flags=re.M)


def differs_in_code(name, base, root, before=None):
    """Returns whether a file differs from the base, where it was `before`, in more than comments and includes; also true of a file
    that is new, gone or no source."""
    if not tokens.is_source(name) or not (root / name).is_file():
        return True
    old = git("show", f"{base}:{before or name}", root=root)
    try:
        return old is None or not tokens.have_equal_code(name, without_includes(old), without_includes((root / name).read_text()))
    except SyntaxError:
        return True


def changed(base=None, root=ROOT):
    """Returns paths that differ from the base, committed or not, in more than comments, includes and their place."""
    base = base or "HEAD^1"
    steps = [line.split("\t") for line in (git("diff", "--name-status", "-M", "-l0", base, root=root) or "").splitlines()]
    names = {paths[-1] for _, *paths in steps if differs_in_code(paths[-1], base, root, paths[0])}
    return sorted({*names, *(git("ls-files", "--others", "--exclude-standard", root=root) or "").splitlines()})


def due(number, files):
    """Units that run at the landing of that number, whose changes are these files."""
    return [name for row, units in enumerate(UNITS) for name, reached_by in units
            if number is None or number % len(UNITS) == row or any(re.match(reached_by, file) for file in files)]


def some(names, count, number):
    """`count` of the names, the next ones at each turn of a unit, so that all have their turn."""
    first = (number or 0) // len(UNITS) * count
    return [names[(first + k) % len(names)] for k in range(min(count, len(names)))]


def main():
    match sys.argv[1:]:
        case ["due", *base]:
            print(*due(landing(), changed(*base)))
        case ["some", count, *names] if names:
            print(*some(names, int(count), landing()))
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()
