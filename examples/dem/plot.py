#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Draws a run of the DEM: plot.py energy RUN.csv OUT.png | plot.py strip FRAME.vtp... OUT.png | plot.py bands FRAME.vtp... OUT.png
| plot.py bodies FRAME.csv... OUT.png | plot.py ranks FRAME.RANK.csv... OUT.png
RUN.csv is the output of `dem`, the frames are the files of `dem frames=FOLDER`; bonds are drawn from the files beside the frames, where
there are any. Bands have the colour of the column in which a particle was at first. Bodies are frames of `dem_bodies frames=FOLDER`, seen
obliquely: capsules with colours from lying to standing, superellipsoids from flat to round. Frames of `mpi_dem frames=FOLDER` have a file for
each rank, and a colour. Needs python3-matplotlib."""
import csv
import os
import re
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import EllipseCollection, LineCollection, PolyCollection
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
    """Places and radii of the particles, and both ends of each pair, [pairs, 2, 2]; each array is appended raw, after its length."""
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


def capsules(f, view):
    """Outlines as they are seen, outlines of what shines, colours from lying to standing (0 to 1)."""
    x, h, r = f[:, :3], f[:, 3:6], f[:, 6]

    def outlines(ends, r):
        along = ends[:, 1] - ends[:, 0]
        turn = np.arctan2(along[:, 1], along[:, 0])[:, None] + np.linspace(-np.pi / 2, np.pi / 2, 12)
        cap = r[:, None, None] * np.stack([np.cos(turn), np.sin(turn)], axis=-1)
        return np.concatenate([ends[:, 1:] + cap, ends[:, :1] - cap], axis=1)

    ends = np.stack([x - h, x + h], axis=1) @ view.T
    shine = outlines(ends + r[:, None, None] * [-0.25, 0.3], 0.4 * r)
    return outlines(ends, r), shine, np.abs(h[:, 2]) / np.linalg.norm(h, axis=1)


def superellipsoids(f, view):
    """Outlines of superellipsoids, with colours from flat or long to as wide as high. The outline has the farthest point in each direction."""
    x, axis, half, e, n = f[:, :3], f[:, 3:12].reshape(-1, 3, 3), f[:, 12:15], f[:, 15], f[:, 16]

    def norm(a, b, m):
        return (np.abs(a)**m + np.abs(b)**m)**(1 / m)

    outline = []
    for turn in np.linspace(0, 2 * np.pi, 64, endpoint=False):
        a, b, c = (half * (axis @ ([np.cos(turn), np.sin(turn)] @ view))).T
        disc = norm(a, b, e / (e - 1))
        every = norm(disc, c, n / (n - 1))
        flat = (disc / every)**(1 / (n - 1))
        part = np.stack([flat * np.sign(a) * (np.abs(a) / disc)**(1 / (e - 1)), flat * np.sign(b) * (np.abs(b) / disc)**(1 / (e - 1)),
                         np.sign(c) * (np.abs(c) / every)**(1 / (n - 1))], axis=1)
        outline.append(np.einsum("ik,ikj->ij", half * part, axis) @ view.T)
    outline = np.stack(outline, axis=1)
    least = half.min(axis=1)
    shine = 0.4 * outline + (x @ view.T + least[:, None] * [-0.25, 0.3])[:, None]
    return outline + (x @ view.T)[:, None], shine, 2 * least / half.max(axis=1) - 1


def bodies(paths, out):
    frames = [np.loadtxt(path, delimiter=",", ndmin=2) for path in paths]
    draw = capsules if frames[0].shape[1] == 7 else superellipsoids
    (ca, sa), (ce, se) = ((np.cos(t), np.sin(t)) for t in (0.5, 0.25))  # the view, in radians: from the side, and from above
    view, depth = np.array([[ca, sa, 0], [-sa * se, ca * se, ce]]), np.array([-sa * ce, ca * ce, -se])
    with open(paths[0], encoding="utf-8") as file:
        width = float(file.readline().split()[-1])
    corners = np.array([[x, y, 0] for x, y in ((0, 0), (width, 0), (width, width), (0, width), (0, 0))])
    figure, axes = plt.subplots(1, len(frames), figsize=(3.6 * len(frames), 6), sharex=True, sharey=True)
    for axis, f in zip(np.atleast_1d(axes), frames):
        outline, shine, colour = draw(f[np.argsort(-f[:, :3] @ depth)], view)  # the nearest is drawn last
        colour = plt.get_cmap("viridis")(0.15 + 0.85 * colour)
        axis.plot(*(corners @ view.T).T, color="grey", linewidth=0.8)
        axis.add_collection(PolyCollection([side for both in zip(outline, shine) for side in both],
                                           facecolors=np.stack([colour, 0.65 * colour + 0.35], axis=1).reshape(-1, 4),
                                           edgecolors=["black", "none"] * len(f), linewidths=0.5))
        axis.set(aspect="equal")
        axis.axis("off")
    save(figure, out)


def ranks(paths, out):
    frames = {}
    for path in paths:
        number, rank = re.findall(r"(\d+)\.(\d+)\.csv$", path)[0]
        frames.setdefault(int(number), {})[int(rank)] = path
    figure, axes = plt.subplots(1, len(frames), figsize=(4 * len(frames), 4.2), sharex=True, sharey=True)
    for axis, number in zip(np.atleast_1d(axes), sorted(frames)):
        for rank, path in sorted(frames[number].items()):
            with open(path, encoding="utf-8") as file:
                rows = [np.array(line.split(","), float) for line in file]
            discs = np.array([row for row in rows if len(row) == 3])
            axis.add_collection(EllipseCollection(*[2 * discs[:, 2]] * 2, np.zeros(len(discs)), units="xy", offsets=discs[:, :2],
                                                  transOffset=axis.transData, color=plt.get_cmap("Pastel1")(rank), linewidths=0))
            for bond, colour in ((1, "black"), (0, "#cc3311")):
                lines = [row[:4].reshape(2, 2) for row in rows if len(row) == 5 and row[4] == bond]
                axis.add_collection(LineCollection(lines, colors=colour, linewidths=0.9, zorder=3))
        axis.autoscale_view()
        axis.set(aspect="equal", xticks=[], yticks=[])
    save(figure, out)


if sys.argv[1] == "energy":
    energy(sys.argv[2], sys.argv[3])
elif sys.argv[1] == "ranks":
    ranks(sys.argv[2:-1], sys.argv[-1])
elif sys.argv[1] == "bodies":
    bodies(sys.argv[2:-1], sys.argv[-1])
else:
    strip(sys.argv[2:-1], sys.argv[-1], sys.argv[1] == "bands")
