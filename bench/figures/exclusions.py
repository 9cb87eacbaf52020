#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The picture of exclusions in docs/guide.md: discs in chains, whose bonds are left out, and the contacts that are found.
exclusions.py HGRID OUT.png     (HGRID: the tool; needs python3-matplotlib)"""
import csv
import subprocess
import sys
import tempfile

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.collections import EllipseCollection, LineCollection

FOUND, BOND = "#ee6677", "#4477aa"


def run(*arguments):
    return subprocess.run(arguments, check=True, capture_output=True, text=True).stdout


def pairs_of(text):
    return [tuple(map(int, row[:2])) for row in list(csv.reader(text.splitlines()))[1:]]


def bonds_of(contacts):
    """Chains: each disc and the first later one that it touches, unless that is bonded to an earlier one."""
    bonds = {}
    for i, j in contacts:
        if i not in bonds and j not in bonds.values():
            bonds[i] = j
    return list(bonds.items())


def main(tool, out):
    with tempfile.TemporaryDirectory() as folder:
        packing, excluded = folder + "/packing.csv", folder + "/bonds.csv"
        run(tool, "generate", "--n", "90", "--size-ratio", "2.5", "--exponent", "-2", "--packing", "0.72", "--dim", "2", "--seed", "4",
            "--relaxed", "--out", packing)
        with open(packing, encoding="utf-8") as file:
            discs = [tuple(map(float, row)) for row in csv.reader(line for line in file if line[0] not in "#x")]
        contacts = pairs_of(run(tool, "contacts", packing, "--out", "-"))
        bonds = bonds_of(contacts)
        with open(excluded, "w", encoding="utf-8") as file:
            file.write("i,j\n" + "".join(f"{i},{j}\n" for i, j in bonds))
        found = pairs_of(run(tool, "contacts", packing, "--exclude", excluded, "--out", "-"))
    assert bonds and sorted(found + bonds) == sorted(contacts)
    figure, axis = plt.subplots(figsize=(6.4, 6.4))
    widths = [2 * r for *_, r in discs]
    axis.add_collection(EllipseCollection(widths, widths, [0] * len(widths), units="xy", offsets=[disc[:2] for disc in discs],
                                          transOffset=axis.transData, facecolors="#00000010", edgecolors="#00000060"))
    for pairs, colour, label in ((bonds, BOND, f"{len(bonds)} bonds, excluded"), (found, FOUND, f"{len(found)} contacts found")):
        axis.add_collection(LineCollection([(discs[i][:2], discs[j][:2]) for i, j in pairs], colors=colour, label=label,
                                           linewidths=3 if colour == BOND else 1.4))
    axis.set(xlabel="x / r_min", ylabel="y / r_min")
    axis.set_aspect("equal")
    axis.autoscale_view()
    axis.legend(loc="upper center", bbox_to_anchor=(0.5, 1.1), ncol=2, frameon=False)
    figure.savefig(out, dpi=90, bbox_inches="tight")


main(*sys.argv[1:])
