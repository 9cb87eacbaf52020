#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The DEM example on 1, 2, 4 and 8 ranks: dem.py DEM MPI_DEM MPIRUN... Its report has, for each step, the number of contacts, hashes of
their global ids and images, and of all positions to the last bit; all reports must be equal. The reports of the DEM without ranks, which
sums forces in another way, must be equal but for rounding."""
import os
import subprocess
import sys

CASES = (("case=settling", "dimension=3", "ratio=5", "fraction=0.5"), ("case=cooling", "dimension=2"),
         ("case=shearing", "dimension=2", "shear=2", "bonds=6", "fraction=0.7", "ratio=3"))
COMMON = ("particles=400", "skin=0.3", "report=1")
STEPS = int(os.environ.get("HGRID_STEPS", "200"))


def report(mpirun, program, ranks, case):
    # Two threads where there is one rank, because sums must not depend on threads either.
    environment = dict(os.environ, OMP_NUM_THREADS="2" if ranks == 1 else "1")
    run = subprocess.run([*mpirun, str(ranks), program, *case, *COMMON, "rebalance=70", f"steps={STEPS}"], env=environment, capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"{case} on {ranks} ranks: {run.stderr}")
    return run.stdout.splitlines(), run.stderr


def compare_without_ranks(dem, case, one):
    run = subprocess.run([dem, *case, *COMMON, "steps=100"], capture_output=True, text=True, check=True)
    for a, b in zip(run.stdout.splitlines()[1:], one[1:]):
        a, b = a.split(","), b.split(",")
        if a[0] != b[0] or a[6] != b[3] or abs(float(a[2]) - float(b[2])) > 1e-6 * float(b[2]):
            sys.exit(f"{case}: without ranks {a}, with them {b}")


def main():
    dem, program, *mpirun = sys.argv[1:]
    for case in CASES:
        one, _ = report(mpirun, program, 1, case)
        last = one[-1].split(",")
        if len(one) != STEPS + 2 or one[1].split(",")[5] == last[5] or int(last[3]) == 0:
            sys.exit(f"{case}: nothing happens, so nothing is compared")
        compare_without_ranks(dem, case, one)
        for ranks in (2, 4, 8):
            several, said = report(mpirun, program, ranks, case)
            if said.count("ghosts") != ranks or " 0 ghosts" in said:
                sys.exit(f"{case} on {ranks} ranks: without ghosts there is nothing to compare\n{said}")
            for step, (a, b) in enumerate(zip(one, several, strict=True), -1):
                if a != b:
                    sys.exit(f"{case}, step {step}: on 1 rank {a}, on {ranks} {b}")
        print(f"{' '.join(case)}: {STEPS} steps on 1, 2, 4 and 8 ranks, {last[3]} contacts in the last one; all the same")


main()
