#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Draws a run of the DEM: plot.py energy RUN.csv OUT.png | plot.py strip FRAME.vtp... OUT.png | plot.py bands FRAME.vtp... OUT.png
RUN.csv is what `dem` prints, the frames are what `dem frames=FOLDER` writes; bonds are drawn from the files beside the frames, where
there are any. Bands have the colour of the column in which a particle was at first. Needs python3-matplotlib."""
import csv
import os
import re
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import EllipseCollection, LineCollection
from matplotlib.colors import ListedColormap
from PIL import Image


def save(figure, out):
    figure.tight_layout()
    figure.savefig(out, dpi=90, bbox_inches="tight")
    with Image.open(out) as picture:
        few = picture.convert("RGB").quantize(48, Image.Quantize.FASTOCTREE)  # colours, a quarter of the bytes
    few.save(out, optimize=True)


def energy(path, out):
    with open(path, encoding="utf-8") as file:
        rows = [{k: float(v) for k, v in row.items()} for row in csv.DictReader(file)]
    column = {name: np.array([row[name] for row in rows]) for name in rows[0]}
    column["height"] -= column["height"].min()
    total = sum(column[k] for k in ("kinetic", "rotation", "elastic", "height"))
    figure, axes = plt.subplots(1, 2, figsize=(10, 4))
    for name, colour in (("kinetic", "#4477aa"), ("rotation", "#228833"), ("elastic", "#ee6677"), ("height", "#ccbb44")):
        if column[name].max() > 1e-9 * total.max():
            axes[0].plot(column["time"], column[name] / total[0], color=colour, label=name)
    axes[0].plot(column["time"], total / total[0], color="black", label="total")
    axes[0].set(xlabel="time", ylabel="energy / energy at the start", ylim=(0, None))
    axes[0].legend()
    axes[1].plot(column["time"], column["contacts"], color="#4477aa", label="contacts")
    axes[1].plot(column["time"], column["builds"], color="#ee6677", label="builds of the list so far")
    axes[1].set(xlabel="time", ylim=(0, None))
    axes[1].legend()
    save(figure, out)


def read_vtp(path):
    """Places and radii of the particles, and both ends of each pair, [pairs, 2, 2]; each array is appended raw, behind its length."""
    with open(path, "rb") as file:
        header, body = file.read().split(b'encoding="raw">\n_', 1)
    arrays = {}
    for tag in re.findall(r"<DataArray [^>]*>", header.decode()):
        field = dict(re.findall(r'(\w+)="([^"]*)"', tag))
        if field["Name"] in ("radius", "Points"):
            at = int(field["offset"])
            size = int(np.frombuffer(body, "<u8", 1, at)[0])
            arrays[field["Name"]] = np.frombuffer(body, "<f8", size // 8, at + 8)
    x, r = arrays["Points"].reshape(-1, 3)[:, :2], arrays["radius"]
    return x[r > 0], r[r > 0], x[r == 0].reshape(-1, 2, 2)  # no pair shares its points with others


def strip(paths, out, bands):
    frames = [read_vtp(path) for path in paths]
    first = frames[0][0][:, 0]
    lo = np.min([x.min(axis=0) for x, _, _ in frames], axis=0)
    hi = np.max([x.max(axis=0) for x, _, _ in frames], axis=0)
    figure, axes = plt.subplots(1, len(frames), figsize=(4 * len(frames), 4.2))
    for axis, path, (x, r, pairs) in zip(np.atleast_1d(axes), paths, frames):
        colours = np.floor(6 * (first - first.min()) / np.ptp(first) - 1e-9) % 2 if bands else np.log(r)
        axis.add_collection(EllipseCollection(2 * r, 2 * r, np.zeros(len(r)), units="xy", offsets=x, transOffset=axis.transData,
                                              array=colours, cmap=ListedColormap(["#88ccee", "#ddcc77"]) if bands else "viridis", linewidths=0))
        folder, name = os.path.split(path)
        bonds = os.path.join(folder, name.replace("frame", "bonds"))
        if bonds != path and os.path.exists(bonds):
            axis.add_collection(LineCollection(read_vtp(bonds)[2], colors="black", linewidths=1.4))
        axis.add_collection(LineCollection(pairs, colors="#cc3311", linewidths=0.9))
        axis.set(xlim=(lo[0] - 1, hi[0] + 1), ylim=(lo[1] - 1, hi[1] + 1), aspect="equal", xticks=[], yticks=[])
    save(figure, out)


if sys.argv[1] == "energy":
    energy(sys.argv[2], sys.argv[3])
else:
    strip(sys.argv[2:-1], sys.argv[-1], sys.argv[1] == "bands")
