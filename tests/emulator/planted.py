#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Plants faults in the kernels of an emulated test and sees whether they are noticed: planted.py PROGRAM. Exits with 1 if one
is not, or is not there."""
import os
import subprocess
import sys

# As EMU_FAULT names them: a barrier gone, a mask too short, a copy that does not wait for the work before it.
FAULTS = ["barrier:0:SearchSlots<", "barrier:1:SearchSlots<", "barrier:2:SearchSlots<", "barrier:3:SearchSlots<",
          "barrier:1:QueueStrips<", "mask:0:SearchSlots<", "mask:0:QueueStrips<", "copy"]
SYSTEMS = "40"


def run(program, fault):
    environment = {**os.environ, "EMU_FAULT": fault, "EMU_RACES": "1", "HGRID_SYSTEMS": SYSTEMS, "HGRID_NO_SHRINKING": "1"}
    return subprocess.run([program], env=environment, capture_output=True, text=True)


def main():
    program, wrong = sys.argv[1], []
    for fault in ["", *FAULTS]:
        done = run(program, fault)
        absent = "to plant" in done.stderr
        said = next((line for line in done.stderr.splitlines() if line.startswith("emulator:")), "wrong contacts")
        print(f"{fault or 'no fault':28} {'is not there' if absent else said[:150] if done.returncode else 'nothing noticed'}", flush=True)
        if absent or (done.returncode != 0) != (fault != ""):
            wrong.append(fault or "no fault")
    if wrong:
        sys.exit("not as expected: " + ", ".join(wrong))


main()
