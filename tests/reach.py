#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Which tests changed files reach, by ninja's records of the last build: reach.py BUILD [FILE...]

Prints a pattern for `ctest -R`. Without files, it takes the files that differ from the landing before (turns.py). A file of tests reaches its own
tests; a header reaches all programs that include it, and a file of the library reaches all of them."""
import json
import pathlib
import re
import subprocess
import sys

import turns


def objects(build):
    """{object: the files of the project that enter it}."""
    said = subprocess.run(["ninja", "-C", build, "-t", "deps"], capture_output=True, text=True, check=False).stdout
    found, folder = {}, pathlib.Path(build).resolve()
    for block in said.split("\n\n"):
        name, *lines = block.splitlines() or [""]
        paths = {(folder / line.strip()).resolve() for line in lines}
        found[name.partition(":")[0]] = {str(path.relative_to(turns.ROOT)) for path in paths if turns.ROOT in path.parents}
    return found


def tests(build, files):
    """Names of the tests that the files reach; none if they reach all, so that no order is better than another."""
    wanted, targets = set(files), set()
    for name, entered in objects(build).items():
        if found := wanted & entered:
            target = re.search(r"CMakeFiles/([^/]+)\.dir", name)[1]
            if not name.startswith(("tests/", "examples/", "bench/")):
                return []
            stems = {pathlib.Path(file).stem for file in found}
            targets |= {(target, stem if all(re.fullmatch(r"tests/\w+\.(cpp|cu)", file) for file in found) else None) for stem in stems}
    shown = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], capture_output=True, text=True, check=False).stdout
    known = json.loads(shown)["tests"]
    reached = [test["name"] for test in known
               for target, stem in targets
               if any(pathlib.Path(word).name.removesuffix("_emulated") == target for word in test.get("command", []))
               and (stem is None or stem in test["command"] or len(test["command"]) == 1)]
    return sorted(set(reached)) if len(set(reached)) < len(known) else []


def main():
    build, *files = sys.argv[1:] or sys.exit(__doc__)
    print("^(" + "|".join(map(re.escape, tests(build, files or turns.changed()))) + ")$")


if __name__ == "__main__":
    main()
