# SPDX-License-Identifier: BSD-3-Clause
"""Contacts of particles in a file of H5MD."""
import tempfile

import h5py
import numpy as np

import hgrid
import hgrid.files

folder = tempfile.TemporaryDirectory()
name = folder.name + "/run.h5"
rng = np.random.default_rng(4)
with h5py.File(name, "w") as file:
    group = file.create_group("particles/all")
    group["position"], group["radius"] = rng.random((1000, 3)), rng.uniform(0.01, 0.05, 1000)
    box = group.create_group("box")
    box.attrs["dimension"], box.attrs["boundary"] = 3, np.array(["periodic"] * 3, "S8")
    box["edges"] = np.ones(3)

particles = hgrid.files.read(name)              # the last frame; frame=0 is the first of particles.frames
grid = hgrid.Grid(particles.box).build(particles.x, particles.r)
print(grid.count(), "contacts")
