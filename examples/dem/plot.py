#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Draws a run of the DEM: plot.py energy RUN.csv OUT.png | plot.py strip FRAME.vtp... OUT.png
RUN.csv is what `dem` prints, the frames are what `dem frames=FOLDER` writes. Needs python3-matplotlib, python3-numpy."""
import csv
import re
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import EllipseCollection, LineCollection


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
    figure.tight_layout()
    figure.savefig(out, dpi=110)


def read_vtp(path):
    """The arrays of a file by name: each is appended raw, behind its length."""
    with open(path, "rb") as file:
        header, body = file.read().split(b'encoding="raw">\n_', 1)
    arrays = {}
    for tag in re.findall(r"<DataArray [^>]*>", header.decode()):
        field = dict(re.findall(r'(\w+)="([^"]*)"', tag))
        at = int(field["offset"])
        size = int(np.frombuffer(body, "<u8", 1, at)[0])
        kind = {"Float64": "<f8", "Int64": "<i8", "UInt8": "u1"}[field["type"]]
        data = np.frombuffer(body, kind, size // np.dtype(kind).itemsize, at + 8)
        arrays[field["Name"]] = data.reshape(-1, 3) if field.get("NumberOfComponents") == "3" else data
    return arrays


def strip(paths, out):
    frames = [read_vtp(path) for path in paths]
    real = [frame["image"] == 0 for frame in frames]
    points = {id(frame): next(a for a in frame.values() if a.ndim == 2) for frame in frames}
    lo = np.min([points[id(f)][r].min(axis=0) for f, r in zip(frames, real)], axis=0)
    hi = np.max([points[id(f)][r].max(axis=0) for f, r in zip(frames, real)], axis=0)
    figure, axes = plt.subplots(1, len(frames), figsize=(4 * len(frames), 4.2))
    for axis, frame, inside in zip(np.atleast_1d(axes), frames, real):
        x, r = points[id(frame)], frame["radius"]
        shown = np.flatnonzero(inside)
        axis.add_collection(EllipseCollection(2 * r[shown], 2 * r[shown], np.zeros(len(shown)), units="xy", offsets=x[shown, :2],
                                              transOffset=axis.transData, array=np.log(r[shown]), cmap="viridis", linewidths=0))
        ends = frame["connectivity"].reshape(-1, 2)
        ends = ends[np.all(frame["image"][ends] == 0, axis=1)]
        axis.add_collection(LineCollection(x[ends][:, :, :2], colors="#cc3311", linewidths=0.6))
        axis.set(xlim=(lo[0] - 1, hi[0] + 1), ylim=(lo[1] - 1, hi[1] + 1), aspect="equal", xticks=[], yticks=[])
    figure.tight_layout()
    figure.savefig(out, dpi=110)


if sys.argv[1] == "energy":
    energy(sys.argv[2], sys.argv[3])
else:
    strip(sys.argv[2:-1], sys.argv[-1])
