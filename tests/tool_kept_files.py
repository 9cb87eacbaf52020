#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Files that LAMMPS, LIGGGHTS, OVITO, gsd, ASE, VTK, meshio, MDAnalysis and pandas wrote (real_files/writers.py) have the contacts that
were in memory, also after a conversion. HDF5, NetCDF and Parquet are tested with the Python package."""
import json
import os
import shutil
import sys
import unittest

ROOT = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(ROOT, "support"), os.path.join(ROOT, "real_files")]
from contacts import require_contacts  # noqa: E402
from tool import ToolCase  # noqa: E402

KEPT = os.path.join(ROOT, "real_files/kept")


class KeptFiles(ToolCase):
    def test_contacts(self):
        with open(os.path.join(KEPT, "contacts.json"), encoding="ascii") as file:
            index = {name: entry for name, entry in json.load(file).items() if not name.endswith((".nc", ".parquet"))}
        self.assertGreater(len(index), 20)
        for name, (options, contacts) in index.items():
            path = shutil.copy(os.path.join(KEPT, name), self.folder)
            require_contacts(contacts, path, *options)
            reading = [option for option in options if option.startswith(("--columns", "--radius"))]
            others = [option for option in options if option not in reading]
            self.run_tool("convert", name, "again.xyz", "--overwrite", *reading)
            whole = [self.run_tool("contacts", file, *given, "--out", "-").stdout for file, given in ((name, options), ("again.xyz", others))]
            self.assertEqual(*whole, name)  # to the last bit


if __name__ == "__main__":
    unittest.main()
