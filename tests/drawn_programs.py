#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Every test that no draw leaves out has its programs in all_but_drawn: drawn_programs.py CTEST NINJA BUILD.

A program of two tests, one drawn and one that always runs, was left out with the first, and the second did not find it."""
import json
import pathlib
import subprocess
import sys

ctest, ninja, build = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]).resolve()


def told(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


linked = {build / line.split(": ")[0] for line in told(ninja, "-C", build, "-t", "targets", "all").splitlines() if "_EXECUTABLE_LINKER__" in line}
built = {build / line.strip() for line in told(ninja, "-C", build, "-t", "query", "all_but_drawn").splitlines()}
drawn = {test for line in (build / "drawn_tests").read_text().splitlines() for name in line.split()[1:] for test in name.split("+")}
always = {test["name"]: {pathlib.Path(word) for word in test.get("command", ())} & linked
          for test in json.loads(told(ctest, "--test-dir", build, "--show-only=json-v1"))["tests"] if test["name"] not in drawn}
missing = [f"{program.relative_to(build)}, which {test} runs" for test, programs in always.items() for program in programs - built]
print(f"{len(always)} tests always run, {sum(map(bool, always.values()))} of them programs that are linked here; {len(drawn)} are drawn")
if missing or not any(always.values()):
    print("all_but_drawn does not build", *missing, sep="\n  ")
    sys.exit(1)
