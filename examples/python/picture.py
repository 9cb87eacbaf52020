# SPDX-License-Identifier: BSD-3-Clause
"""Discs by level, and their contacts: contacts.png in the folder where it runs."""
import matplotlib
import numpy as np

matplotlib.use("Agg")
import hgrid

rng = np.random.default_rng(1)
x, r = rng.random((400, 2)), rng.pareto(1.5, 400).clip(max=20) * 0.003 + 0.003
grid = hgrid.Grid().build(x, r)
axes = hgrid.plot(x, r, pairs=grid.pairs(), grid=grid)
axes.figure.savefig("contacts.png")
