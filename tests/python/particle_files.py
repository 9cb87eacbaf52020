# SPDX-License-Identifier: BSD-3-Clause
"""Files as H5MD's and AMBER's conventions have them, of two frames each: the positions, and the positions plus 1."""
import h5py
import netCDF4
import numpy as np

TILTED = np.array([[4.0, 0, 0], [1, 4, 0], [-1, 0.5, 5]])


def shuffled(rng, *arrays):
    order = rng.permutation(len(arrays[0]))
    return [array[order] for array in arrays]


def element(group, name, values, steps=None, times=None, **options):
    made = group.create_group(name)
    made.create_dataset("value", data=values, **options)
    for key, given in (("step", steps), ("time", times)):
        if given is not None:
            made[key] = given
    return made


def write_h5md(path, x, r, ids, boundary=("periodic",) * 3, edges=None, **options):
    with h5py.File(path, "w") as file:
        file.create_group("h5md").attrs["version"] = [1, 1]
        group = file.create_group("particles/all")
        box = group.create_group("box")
        box.attrs["dimension"], box.attrs["boundary"] = x.shape[1], np.array(boundary, "S8")
        if edges is not None:
            box["edges"] = edges
        element(group, "position", np.stack([x, x + 1]), [10, 20], [0.5, 1.5])
        element(group, "velocity", np.zeros((2, *x.shape)), [10, 20])
        element(group, "id", np.stack([ids, ids]), [10, 20], **options)
        group["radius"] = r


def write_netcdf(path, x, r, ids, lengths=None, angles=None, kind="NETCDF3_64BIT_OFFSET", program="LAMMPS"):
    """As LAMMPS' dump netcdf: frames of AMBER's convention with further columns."""
    with netCDF4.Dataset(path, "w", format=kind) as file:
        file.program = program
        for name, size in (("frame", None), ("atom", len(x)), ("spatial", 3), ("cell_spatial", 3), ("cell_angular", 3)):
            file.createDimension(name, size)
        file.createVariable("time", "f4", ("frame",))[:] = [0.5, 1.5]
        file.createVariable("coordinates", "f8", ("frame", "atom", "spatial"))[:] = np.stack([x, x + 1])
        file.createVariable("Radius", "f8", ("frame", "atom"))[:] = np.stack([r, r])
        file.createVariable("id", "i4", ("frame", "atom"))[:] = np.stack([ids, ids])
        if lengths is not None:
            file.createVariable("cell_lengths", "f8", ("frame", "cell_spatial"))[:] = np.stack([lengths, lengths])
            file.createVariable("cell_angles", "f8", ("frame", "cell_angular"))[:] = np.stack([angles, angles])
