#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Draws what `hgrid contacts --frames all --summary series.csv` wrote: coordination number, overlaps and contacts over time."""
import argparse
import csv
import sys

BLUE, RED, GREEN, GREY = "#4477aa", "#ee6677", "#228833", "#888888"
PANELS = (  # label of the axis, scale, and the columns with their labels
    ("contacts of a particle", 1, (("coordination", "coordination number Z", BLUE), ("coordination_without_rattlers", "Z without rattlers", RED))),
    ("overlap\n(% of the smaller diameter)", 100, (("overlap_max", "largest", RED), ("overlap_mean", "mean of the contacts", BLUE))),
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
        raise Refused("matplotlib is missing: python3 -m pip install matplotlib, or your system's python3-matplotlib") from error
    matplotlib.use("Agg")
    import matplotlib.pyplot

    return matplotlib.pyplot


class Check(argparse.Action):
    def __call__(self, *_):
        pyplot()
        sys.exit()


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
    try:
        figure.savefig(out, dpi=150)
    except (OSError, ValueError) as error:
        raise Refused(f"{out}: cannot be written: {error}") from error


def main():
    parser = argparse.ArgumentParser(prog="hgrid-plot", description=__doc__)
    parser.add_argument("series", metavar="series.csv", help="what --summary wrote")
    parser.add_argument("out", metavar="picture.png", help="where the picture goes; .svg and .pdf are taken too")
    parser.add_argument("--time-unit", metavar="UNIT", default="", help="the unit of the file's times, for the label")
    parser.add_argument("--check", action=Check, nargs=0, help="say only whether pictures can be drawn here")
    try:
        given = parser.parse_args()
        draw(read(given.series), given.time_unit, given.out)
    except Refused as why:
        sys.exit(f"hgrid-plot: {why}")


if __name__ == "__main__":
    main()
