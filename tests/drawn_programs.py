#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Every test that no draw leaves out has its programs in all_but_drawn: drawn_programs.py NINJA BUILD.

A program of two tests, one drawn and one that always runs, was left out with the first, and the second did not find it. Commands are read from
what CMake wrote, for ctest tells none whose program is missing."""
import pathlib
import re
import subprocess
import sys

ninja, build = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()


def told(*command):
    return subprocess.run([ninja, "-C", build, "-t", *command], check=True, capture_output=True, text=True).stdout.splitlines()


linked = {build / line.split(": ")[0] for line in told("targets", "all") if "_EXECUTABLE_LINKER__" in line}
built = {build / line.strip() for line in told("query", "all_but_drawn")}
drawn = {test for line in (build / "drawn_tests").read_text().splitlines() for name in line.split()[1:] for test in name.split("+")}
always = {}  # the programs of each test that always runs
for file in build.rglob("CTestTestfile.cmake"):
    for name, command in re.findall(r"^add_test\((?:\[=\[)?(.*?)(?:\]=\])? (.*)\)$", file.read_text(), re.MULTILINE):
        if name not in drawn:
            always[name] = {pathlib.Path(word) for word in re.findall(r'"([^"]*)"', command)} & linked
missing = [f"{program.relative_to(build)}, which {test} runs" for test, programs in always.items() for program in programs - built]
print(f"{len(always)} tests always run, {sum(map(bool, always.values()))} of them programs that are linked here; {len(drawn)} are drawn")
if missing or "random_systems" not in always or not always["random_systems"]:
    print("all_but_drawn does not build", *missing, sep="\n  ")
    sys.exit(1)
