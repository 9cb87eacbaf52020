#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Plants faults in the kernels of an emulated test and sees whether they are noticed: planted.py PROGRAM FILE_OF_TESTS. Exits with 1 if one
is not, or is not there. It takes HGRID_FAULTS of them, 3 unless told, "all" for all; the next ones at each turn."""
import os
import pathlib
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).parents[1]))
import turns  # noqa: E402

# Faults by their names for EMU_FAULT: a barrier gone, a mask too short, a copy that does not wait for the work before it.
FAULTS = ["barrier:3:SearchInPlace<", "barrier:4:SearchInPlace<", "barrier:5:SearchInPlace<", "barrier:2:SearchSlots<",
          "barrier:3:QueueStrips<", "barrier:4:SortBuckets<", "barrier:5:SortBuckets<", "barrier:6:SortBuckets<",
          "mask:0:SearchInPlace<", "mask:0:SearchSlots<", "mask:0:QueueStrips<", "copy"]
# Faults in kernels that few systems launch: common grids do.
RARE = ["mask:0:CountInPlace<", "mask:0:FillInPlace<"]
SYSTEMS, SYSTEMS_IF_RARE = "24", "160"


def run(program, file, fault):
    systems, chosen = (SYSTEMS_IF_RARE, ["--gtest_filter=*CommonGrids*"]) if fault in RARE else (SYSTEMS, [])
    environment = {**os.environ, "EMU_FAULT": fault, "EMU_RACES": "1", "HGRID_SYSTEMS": systems, "HGRID_NO_SHRINKING": "1"}
    return subprocess.run([program, file, *chosen], env=environment, capture_output=True, text=True)


def main():
    program, file, wrong, wanted = sys.argv[1], sys.argv[2], [], os.environ.get("HGRID_FAULTS", "3")
    taken = FAULTS + RARE if wanted == "all" else turns.some(FAULTS + RARE, int(wanted), turns.landing())
    for fault in ["", *taken]:
        done = run(program, file, fault)
        absent = "to plant" in done.stderr
        said = next((line for line in done.stderr.splitlines() if line.startswith("emulator:")), "wrong contacts")
        print(f"{fault or 'no fault':28} {'is not there' if absent else said[:150] if done.returncode else 'nothing noticed'}", flush=True)
        if absent or (done.returncode != 0) != (fault != ""):
            wrong.append(fault or "no fault")
    if wrong:
        sys.exit("not as expected: " + ", ".join(wrong))


main()
