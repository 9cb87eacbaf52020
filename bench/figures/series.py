#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The series of docs/tool.md: a packing whose box shrinks from frame to frame, by the tool and hgrid-plot.
series.py BIN OUT.png     (BIN: the folder of hgrid and hgrid-plot; needs the module matplotlib)"""
import csv
import os
import subprocess
import sys
import tempfile

FRAMES, SHRINKS = 31, 0.002  # mean of each length, by a frame


def main():
    tools, out = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    with tempfile.TemporaryDirectory() as folder:
        def run(*command):
            subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)

        run(tools + "/hgrid", "generate", "--n", "3000", "--size-ratio", "3", "--exponent", "-2", "--packing", "0.6", "--relaxed", "--periodic",
            "xyz", "--seed", "3", "--out", "packing.csv")
        with open(folder + "/packing.csv", encoding="utf-8") as file:
            side = float(file.readline().split()[-1])
            rows = [[float(row[name]) for name in ("x", "y", "z", "r")] for row in csv.DictReader(file)]
        with open(folder + "/run.dump", "w", encoding="utf-8") as file:
            for frame in range(FRAMES):
                scale = 1 - SHRINKS * frame
                file.write(f"ITEM: TIMESTEP\n{1000 * frame}\nITEM: TIME\n{0.1 * frame:.1f}\nITEM: NUMBER OF ATOMS\n{len(rows)}\n")
                file.write("ITEM: BOX BOUNDS pp pp pp\n" + f"0 {scale * side}\n" * 3 + "ITEM: ATOMS id x y z radius\n")
                file.writelines(f"{i} {scale * x} {scale * y} {scale * z} {r}\n" for i, (x, y, z, r) in enumerate(rows, 1))
        run(tools + "/hgrid", "contacts", "run.dump", "--frames", "all", "--periodic", "xyz", "--summary", "series.csv")
        run(sys.executable, tools + "/hgrid-plot", "series.csv", out, "--time-unit", "s")


main()
