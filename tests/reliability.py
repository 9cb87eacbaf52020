#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The matrix of tests/reliability/README.md against the tests: reliability.py SOURCE_FOLDER

Each of the 108 rows is there, and names tests that exist or says why it has none."""
import pathlib
import re
import sys

ROWS = 108
GTEST = re.compile(r"^\s*(?:TYPED_)?TEST(?:_F)?\((\w+),\s*(\w+)\)", re.M)
ADDED = re.compile(r"add_test\(NAME (\w+)")


def names(tests):
    """The names of all tests: Suite.Name, script.method, and the tests that CMake adds."""
    found = set()
    for path in [*tests.glob("*.cpp"), *tests.glob("*.cu")]:
        found.update(f"{suite}.{name}" for suite, name in GTEST.findall(path.read_text()))
    for path in tests.glob("tool_*.py"):
        found.update(f"{path.stem}.{name}" for name in re.findall(r"def (test_\w+)", path.read_text()))
    for path in tests.rglob("CMakeLists.txt"):
        found.update(ADDED.findall(path.read_text()))
    return found


def faults(root):
    exist = names(root / "tests")
    rows = re.findall(r"^\| (\d+) \|.*\| (.*) \|$", (root / "tests/reliability/README.md").read_text(), re.M)
    if [int(number) for number, _ in rows] != list(range(1, ROWS + 1)):
        yield f"the rows are not 1 to {ROWS}"
    for number, shown_by in rows:
        quoted = re.findall(r"`([^`]+)`", shown_by)
        for name in quoted:
            if name not in exist and not (root / name).is_file():
                yield f"row {number}: there is no test {name}"
        if not quoted and not re.match(r"no test( yet)?: \w", shown_by):
            yield f"row {number} names no test, and no reason"


def main():
    found = list(faults(pathlib.Path(sys.argv[1])))
    print("\n".join(found) or "every row has its tests")
    sys.exit(1 if found else 0)


main()
