#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The picture of boxes in docs/tool.md: needles along the axes, and their contacts.
boxes.py HGRID OUT.png     (HGRID: the tool; needs python3-matplotlib)"""
import random
import subprocess
import sys
import tempfile


def main(tool, out):
    draw = random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        with open(folder + "/boxes.csv", "w", encoding="utf-8") as file:
            file.write("# box 0 0 0 1 1 1\nx,y,z,hx,hy,hz\n")
            for _ in range(200):
                half = [0.01, 0.01, 0.01]
                half[draw.randrange(3)] = draw.choice([0.05, 0.1])
                file.write(",".join(str(v) for v in [draw.random() for _ in range(3)] + half) + "\n")
        subprocess.run([tool, "plot", folder + "/boxes.csv", "--periodic", "xyz", "--out", out, "--overwrite"], check=True, stdout=subprocess.DEVNULL)


main(*sys.argv[1:])
