#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Parts of what is too long for each run of the tests: drawn.py COUNT NAME... prints COUNT of the names.

Which ones depends on the code alone: one commit always draws the same, the next one others."""
import hashlib
import pathlib
import sys

ROOMS = ("src", "host", "kernels", "tests")


def digest(source):
    """Of the code as it is, committed or not."""
    files = (path for room in ROOMS for path in (source / room).rglob("*") if path.is_file() and path.suffix != ".pyc")
    total = hashlib.sha256()
    for path in sorted(files):
        total.update(f"{path.relative_to(source)}\0".encode() + path.read_bytes())
    return total.hexdigest()


def draw(names, count, source):
    seed = digest(source)
    return sorted(sorted(names, key=lambda name: hashlib.sha256((seed + name).encode()).digest())[:count])


if __name__ == "__main__":
    print(*draw(sys.argv[2:], int(sys.argv[1]), pathlib.Path(__file__).parent.parent))
