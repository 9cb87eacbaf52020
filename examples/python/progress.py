# SPDX-License-Identifier: BSD-3-Clause
"""Work that lasts shows how far it is."""
import numpy as np

import hgrid

x = np.random.default_rng(1).random((300_000, 3))

with hgrid.progress():                          # in a notebook, too
    pairs = hgrid.Grid().build(x, 0.004).pairs()
assert pairs.size > 0
