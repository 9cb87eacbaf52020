#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Instructions of ten steps, counted by valgrind, beside the table that is kept: counted.py PROGRAM COMPILER [--write]

Exits with 1 if a step takes over 2 % more or less than instructions.txt beside this file says, and --write writes that file.
Counts are of valgrind's processor, which has AVX2 and no more, so they are equal on all x86-64 machines that have it. Other
differences are pinned, or skip the test with a word: the compiler, the number of threads, the size from which the C library copies by `rep movsb`
(valgrind counts each round of it) and costs of a calibration. Another C library changes less than the 2 %."""
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile

TABLE = pathlib.Path(__file__).parent / "instructions.txt"
MOST = 0.02
HEAD = """# Instructions of the steps of steps.cpp, 10,000 particles each, written by
#   python3 tests/counted/counted.py build/release/tests/counted/counted_steps COMPILER --write
# CONTRIBUTING.md says when one may.
compiler {}
"""
PINNED = {"OMP_NUM_THREADS": "1", "HGRID_SIMD": "avx2", "GLIBC_TUNABLES": ":".join(
    f"glibc.cpu.{name}={value}" for name, value in (("x86_rep_movsb_threshold", 1000000000), ("x86_rep_stosb_threshold", 1000000000),
                                                    ("x86_non_temporal_threshold", 100000000)))}


def skip(why):
    print(f"skipped: {why}")
    sys.exit(0)


def count(program):
    """{step: instructions}, in their order."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("HGRID_", "OMP_", "LD_"))} | PINNED
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out", "--toggle-collect=counted_region",
                               "--dump-after=counted_region", program], env=environment, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{program} fails under valgrind:\n{done.stderr[-2000:]}")
        target, *names = done.stdout.split()
        if target != "AVX2":
            skip(f"the search has {target} here, not AVX2")
        totals = [int(re.search(r"^totals: (\d+)$", pathlib.Path(f"{folder}/out.{number}").read_text(), re.M).group(1))
                  for number in range(1, len(names) + 1)]
    return dict(zip(names, totals))


def main():
    program, compiler, write = sys.argv[1], sys.argv[2], "--write" in sys.argv
    if platform.machine() != "x86_64" or " avx2 " not in pathlib.Path("/proc/cpuinfo").read_text():
        skip("the processor has no AVX2")
    if not shutil.which("valgrind"):
        skip("there is no valgrind")
    kept = dict(line.split(" ", 1) for line in TABLE.read_text().splitlines() if line[:1] != "#") if TABLE.exists() else {}
    if not write and kept.pop("compiler") != compiler:
        skip(f"the compiler is {compiler}, not that of {TABLE.name}")
    counts = count(program)
    if write:
        TABLE.write_text(HEAD.format(compiler) + "".join(f"{name} {number}\n" for name, number in counts.items()))
    wrong = []
    for name in sorted(set(counts) | set(kept) - {"compiler"}, key=[*counts, *kept].index):
        before, now = int(kept.get(name, 0)), counts.get(name, 0)
        share = now / before - 1 if before else 1
        print(f"{name:14}{before:12,}{now:12,}{share:+9.2%}")
        if abs(share) > MOST:
            wrong.append(name)
    if wrong and not write:
        sys.exit(f"beyond {MOST:.0%}: {', '.join(wrong)}. CONTRIBUTING.md says when the table may be written anew")


main()
