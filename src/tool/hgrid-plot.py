#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Draws what hgrid contacts wrote: a summary of frames (.csv) over time, or particles, their levels and contacts (.vtp)."""
import argparse
import csv
import itertools
import re
import sys

BLUE, RED, GREEN, GREY = "#4477aa", "#ee6677", "#228833", "#888888"
LEVELS = (BLUE, "#66ccee", GREEN, "#ccbb44", RED, "#aa3377", "#bbbbbb", "#222222")
MOST_SEEN = 200_000  # particles that a picture of them all from outside can show
PANELS = (  # label of the axis, scale, and the columns with their labels
    ("contacts of a particle", 1, (("coordination", "coordination number Z", BLUE), ("coordination_without_rattlers", "Z without rattlers", RED))),
    ("overlap\n(% of the smaller diameter)\n(boxes: of the least width)", 100, (("overlap_max", "largest", RED), ("overlap_mean", "mean of the contacts", BLUE))),
    ("number", 1, (("particles", "particles", GREY), ("contacts", "contacts", BLUE), ("rattlers", "rattlers", RED), ("wall_pairs", "contacts with walls", GREEN))),
)


class Refused(Exception):
    """A message for the user."""


def read(path):
    """{column: numbers, or None where a frame has none} of a summary."""
    try:
        with open(path, encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise Refused(f"{path}: cannot be read: {error}") from error
    if not rows or "frame" not in rows[0] or "coordination" not in rows[0]:
        raise Refused(f"{path}: is no summary with frames; hgrid contacts FILE --frames all --summary {path} writes one")
    columns = {}
    for name in rows[0]:
        columns[name] = []
        for line, row in enumerate(rows, 2):
            try:
                columns[name].append(float(row[name]) if row[name] else None)
            except (TypeError, ValueError) as error:
                raise Refused(f"{path}, line {line}: {name} is {row[name]!r}, which is no number") from error
    return columns


def abscissa(columns, unit):
    """The label and the numbers that the series is drawn over: time, else steps, else frames."""
    for name, label in (("time", f"time ({unit})" if unit else "time (in the unit of the file)"), ("step", "step of the simulation"), ("frame", "frame")):
        if name in columns and None not in columns[name]:
            return label, columns[name]
    raise Refused("some frames have no number")


def pyplot():
    try:
        import matplotlib
    except ImportError as error:
        raise Refused(f"matplotlib is missing: {sys.executable} -m pip install matplotlib, or your system's python3-matplotlib") from error
    matplotlib.use("Agg")
    import matplotlib.pyplot

    return matplotlib.pyplot


class Check(argparse.Action):
    def __call__(self, *_):
        pyplot()
        sys.exit()


def save(figure, out):
    try:
        figure.savefig(out, dpi=150)
    except (OSError, ValueError) as error:
        raise Refused(f"{out}: cannot be written: {error}") from error


def draw(columns, unit, out):
    plt = pyplot()
    label, x = abscissa(columns, unit)
    drawn = [(title, scale, [line for line in lines if any(v is not None for v in columns.get(line[0], []))])
             for title, scale, lines in PANELS]
    drawn = [panel for panel in drawn if panel[2]]
    figure, all_axes = plt.subplots(len(drawn), 1, figsize=(7, 2.4 * len(drawn) + 0.4), sharex=True, squeeze=False)
    for axes, (title, scale, lines) in zip(all_axes[:, 0], drawn):
        for name, text, colour in lines:
            y = [float("nan") if v is None else scale * v for v in columns[name]]
            axes.plot(x, y, color=colour, label=text, marker="." if len(x) < 60 else None, linewidth=1.4)
        axes.set_ylabel(title)
        axes.set_ylim(bottom=0)
        axes.grid(alpha=0.3)
        axes.legend(frameon=False, loc="center left", bbox_to_anchor=(1, 0.5))
    all_axes[-1, 0].set_xlabel(label)
    figure.align_ylabels()
    figure.tight_layout()
    save(figure, out)


def read_packing(path):
    """(centres [n, 3], radii [n] or half extents [n, 3], ends of contacts [m, 2, 3], their particles [m, 2], overlaps [m]) of a .vtp of
    hgrid's."""
    import numpy as np

    try:
        with open(path, "rb") as file:
            head, _, raw = file.read().partition(b'<AppendedData encoding="raw">\n_')
    except OSError as error:
        raise Refused(f"{path}: cannot be read: {error}") from error
    counts = re.search(rb'NumberOfPoints="(\d+)" NumberOfVerts="(\d+)" NumberOfLines="(\d+)"', head)
    kinds = {b"UInt8": "u1", b"Int32": "<i4", b"Int64": "<i8", b"Float32": "<f4", b"Float64": "<f8"}
    arrays = {}
    for kind, name, columns, offset in re.findall(
            rb'<DataArray type="(\w+)" Name="(\w+)" NumberOfComponents="(\d)" format="appended" offset="(\d+)"/>', head):
        size = int.from_bytes(raw[int(offset):int(offset) + 8], "little")
        values = raw[int(offset) + 8:int(offset) + 8 + size]
        if len(values) == size and size % np.dtype(kinds[kind]).itemsize == 0:
            arrays.setdefault(name.decode(), np.frombuffer(values, kinds[kind]).reshape(-1, int(columns)))  # of points come first
    sizes = arrays["radius"][:, 0] if "radius" in arrays else arrays.get("extent")
    if not counts or sizes is None or not {"overlap", "id", "Points"} <= arrays.keys():
        raise Refused(f"{path}: is no whole .vtp of hgrid contacts")
    n, m = int(counts[2]), int(counts[3])
    centres, ids = arrays["Points"], arrays["id"][:, 0]
    order = np.argsort(ids[:n], kind="stable")
    ends = slice(n, n + 2 * m)
    particles = order[np.searchsorted(ids[:n], ids[ends], sorter=order)].reshape(m, 2)
    return centres[:n], sizes[:n], centres[ends].reshape(m, 2, 3), particles, arrays["overlap"][ends, 0][::2]


def plane_of(text, centres):
    """(axis, place) of z=0.5, or of z, the middle."""
    axis, is_given, value = text.partition("=")
    if axis not in ("x", "y", "z"):
        raise Refused(f"--slice takes x, y or z, perhaps with =VALUE behind it, not '{text}'")
    along = centres[:, "xyz".index(axis)]
    middle = (along.min() + along.max()) / 2 if len(along) else 0
    try:
        return "xyz".index(axis), float(value) if is_given else middle
    except ValueError as error:
        raise Refused(f"--slice: '{value}' is no number") from error


def projected(packing, plane):
    """What is drawn: places [k, 2], the shapes around them, which are radii [k] or corners [k, m, 2], depths from 0 at the back to 1, the
    particles [k] and contacts [l] that are seen, ends of these [l, 2, 2], and the names of both axes."""
    import numpy as np

    centres, sizes, ends, particles, _ = packing
    boxes = sizes.ndim == 2
    rectangle = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    seen, lines, names = np.arange(len(sizes)), np.arange(len(ends)), ["x", "y"]
    if plane:
        axis, place = plane
        off = np.abs(centres[:, axis] - place)
        cut = off < (sizes[:, axis] if boxes else sizes)
        seen, lines = np.flatnonzero(cut), np.flatnonzero(cut[particles].all(axis=1))
        across = [k for k in range(3) if k != axis]
        names = ["xyz"[k] for k in across]
        shapes = rectangle * sizes[seen][:, None, across] if boxes else np.sqrt(sizes[seen] ** 2 - off[seen] ** 2)
        return centres[seen][:, across], shapes, np.ones(len(seen)), seen, lines, ends[lines][:, :, across], names
    if not np.any(centres[:, 2]):
        shapes = rectangle * sizes[:, None, :2] if boxes else sizes
        return centres[:, :2], shapes, np.ones(len(sizes)), seen, lines, ends[:, :, :2], names
    if len(sizes) > MOST_SEEN:
        raise Refused(f"{len(sizes)} particles are too many to be seen from outside ({MOST_SEEN}): --slice z cuts them")
    turn, rise = np.radians(30), np.radians(20)  # the camera's
    right = np.array([np.cos(turn), np.sin(turn), 0])
    back = np.array([-np.sin(turn) * np.cos(rise), np.cos(turn) * np.cos(rise), -np.sin(rise)])
    view = np.stack([right, np.cross(right, back)], axis=1)
    far = centres @ back
    seen = np.argsort(-far, kind="stable")
    depth = (far.max() - far[seen]) / max(np.ptp(far), 1e-300)
    corners = np.array([s for s in itertools.product((-1, 1), repeat=3) if len(set(np.sign(s * back))) > 1])  # neither first nor last
    x, y = (corners @ view).T
    outline = corners[np.argsort(np.arctan2(y, x))]
    shapes = (outline * sizes[seen][:, None]) @ view if boxes else sizes[seen]
    return (centres @ view)[seen], shapes, depth, seen, lines, ends @ view, None


def draw_packing(packing, levels, plane, out):
    """Left the particles by their levels, right their contacts, as thick as they overlap."""
    import numpy as np

    plt = pyplot()
    from matplotlib.collections import EllipseCollection, LineCollection, PolyCollection
    from matplotlib.colors import to_rgb
    from matplotlib.lines import Line2D

    if levels and packing[1].ndim == 2:
        raise Refused("--levels are of radii, and these are boxes")
    at, shapes, depth, seen, lines, ends, names = projected(packing, plane)
    level = np.searchsorted(np.asarray(levels[:-1]), packing[1]) if levels else np.zeros(len(packing[1]), int)
    palette = np.array([to_rgb(LEVELS[k % len(LEVELS)]) for k in range(max(len(levels), 1))])
    colours = 1 - (1 - palette[level[seen]]) * (0.45 + 0.55 * depth[:, None])  # what is far is pale
    overlap = np.maximum(packing[4][lines], 0)
    boxes = shapes.ndim == 3
    reach = np.abs(shapes).max(axis=1) if boxes else np.stack([shapes, shapes], axis=1)
    figure, both = plt.subplots(1, 2, figsize=(12, 6.4), sharex=True, sharey=True)
    for axes, strength in zip(both, (1, 0.25)):
        style = {"facecolors": 1 - strength * (1 - colours), "edgecolors": "white", "linewidths": 0.4}
        if boxes:
            axes.add_collection(PolyCollection(at[:, None] + shapes, **style))
        else:
            axes.add_collection(EllipseCollection(2 * shapes, 2 * shapes, np.zeros(len(shapes)), units="xy", offsets=at,
                                                  offset_transform=axes.transData, **style))
        axes.set_aspect("equal")
        if names:
            axes.set_xlabel(names[0])
        else:
            axes.set_axis_off()
    if names:
        both[0].set_ylabel(names[1])
    widths = 0.4 + 2.6 * overlap / max(overlap.max(initial=0), 1e-300)
    both[1].add_collection(LineCollection(ends, linewidths=widths, colors="#222222", capstyle="round"))
    if len(at):
        lo, hi = (at - reach).min(axis=0), (at + reach).max(axis=0)
        both[0].set_xlim(lo[0], hi[0])
        both[0].set_ylim(lo[1], hi[1])
    where = f" where {'xyz'[plane[0]]} = {plane[1]:.6g}" if plane else ""
    both[0].set_title(f"{len(seen):,} particles{where}")
    both[1].set_title(f"{len(lines):,} contacts, as thick as they overlap")
    found = np.bincount(level[seen], minlength=len(levels))
    labels = [Line2D([], [], marker="o", linestyle="", color=palette[k], label=f"radii to {bound:.4g}: {found[k]:,}") for k, bound in enumerate(levels)]
    if labels:
        figure.legend(handles=labels, frameon=False, loc="lower center", ncols=min(len(labels), 4))
    figure.tight_layout(rect=(0, 0.03 + 0.03 * -(-len(labels) // 4), 1, 0.96))
    save(figure, out)


def main():
    parser = argparse.ArgumentParser(prog="hgrid-plot", description=__doc__)
    parser.add_argument("file", metavar="FILE", help="a .csv that --summary wrote, or a .vtp that --out did")
    parser.add_argument("out", metavar="picture.png", help="where the picture goes; .svg and .pdf are taken too")
    parser.add_argument("--time-unit", metavar="UNIT", default="", help="of a .csv: the unit of the file's times, for the label")
    parser.add_argument("--slice", metavar="AXIS[=VALUE]", help="of a .vtp: cut by a plane, such as z=0.5, or z, its middle")
    parser.add_argument("--levels", metavar="R", type=float, nargs="+", default=[], help="of a .vtp of spheres: the largest radius of each level, ascending")
    parser.add_argument("--check", action=Check, nargs=0, help="say only whether pictures can be drawn here")
    try:
        given = parser.parse_args()
        if given.file.endswith(".vtp"):
            pyplot()  # says what is missing
            packing = read_packing(given.file)
            draw_packing(packing, given.levels, plane_of(given.slice, packing[0]) if given.slice else None, given.out)
        else:
            draw(read(given.file), given.time_unit, given.out)
    except Refused as why:
        sys.exit(f"hgrid-plot: {why}")


if __name__ == "__main__":
    main()
