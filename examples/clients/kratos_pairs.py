# SPDX-License-Identifier: BSD-3-Clause
"""Contacts of KratosDEM's spheres by hgrid, beside Kratos' own search and the lists that it keeps between searches, for a cloud of
spheres that collapses: OMP_NUM_THREADS=1 python3 kratos_pairs.py [SPHERES [STEPS [RATIO]]]"""
import json
import os
import pathlib
import sys
import tempfile
import time

import KratosMultiphysics as Kratos
import KratosMultiphysics.DEMApplication as DEM
import numpy as np
from KratosMultiphysics.DEMApplication.DEM_analysis_stage import DEMAnalysisStage

import hgrid


# [docs: kratos]
class Spheres:
    """The spheres of a model part of Kratos, whose ids may be any. Kratos searches before it moves them."""

    def __init__(self, model_part, tolerance):
        self.nodes = model_part.Nodes
        self.ids = np.array([node.Id for node in self.nodes])
        self.radii = np.array([node.GetSolutionStepValue(Kratos.RADIUS) for node in self.nodes])
        self.grid = hgrid.Grid(skin=2 * tolerance, threads="serial")  # Kratos adds SearchTolerance to both radii

    def positions(self):
        return np.array(Kratos.VariableUtils().GetCurrentPositionsVector(self.nodes, 3)).reshape(-1, 3)

    def pairs(self):
        """Ids of the spheres that Kratos' search finds, [m, 2]."""
        return self.ids[self.grid.build(self.positions(), self.radii).pairs().ij]
# [docs: end]


def as_set(pairs):
    return {(min(i, j), max(i, j)) for i, j in pairs}


def write(x, r):
    """The files of a case, in the working folder."""
    def block(kind, lines):
        return f"Begin {kind}\n" + "".join(f"{line}\n" for line in lines) + f"End {kind.split()[0]}\n"

    ids = range(1, len(x) + 1)
    empty = block("ModelPartData", []) + block("Properties 0", [])
    text = empty + block("Nodes", (f"{i} {a!r} {b!r} {c!r}" for i, (a, b, c) in zip(ids, x.tolist())))
    text += block("Elements SphericParticle3D", (f"{i} 0 {i}" for i in ids)) + block("NodalData RADIUS", (f"{i} 0 {s!r}" for i, s in zip(ids, r.tolist())))
    pathlib.Path("caseDEM.mdpa").write_text(text + block("SubModelPart body", [block("SubModelPartNodes", ids) + block("SubModelPartElements", ids)]))
    for name in ("DEM_FEM_boundary", "DEM_Clusters", "DEM_Inlet"):
        pathlib.Path(f"case{name}.mdpa").write_text(empty)
    law = {"COEFFICIENT_OF_RESTITUTION": 0.5, "STATIC_FRICTION": 0.0, "DYNAMIC_FRICTION": 0.0, "FRICTION_DECAY": 500, "ROLLING_FRICTION": 0.0,
           "ROLLING_FRICTION_WITH_WALLS": 0.0, "DEM_DISCONTINUUM_CONSTITUTIVE_LAW_NAME": "DEM_D_Linear_viscous_Coulomb"}
    sphere = {"PARTICLE_DENSITY": 2500.0, "YOUNG_MODULUS": 1e6, "POISSON_RATIO": 0.2}
    pathlib.Path("MaterialsDEM.json").write_text(json.dumps({
        "material_relations": [{"material_names_list": ["a", "a"], "material_ids_list": [1, 1], "Variables": law}],
        "materials": [{"material_name": "a", "material_id": 1, "Variables": sphere}], "material_assignation_table": [["SpheresPart", "a"]]}))


def parameters(steps, dt, tolerance, frequency):
    solver = {"strategy": "sphere_strategy", "RemoveBallsInitiallyTouchingWalls": False, "material_import_settings": {"materials_filename": "MaterialsDEM.json"},
              "model_import_settings": {"input_type": "mdpa", "input_filename": "case"}}
    return Kratos.Parameters(json.dumps({
        "problem_name": "case", "dem_inlet_option": False, "do_print_results_option": False, "GravityZ": 0.0, "RotationOption": False, "MaxTimeStep": dt,
        "FinalTime": (steps - 0.5) * dt, "SearchTolerance": tolerance, "NeighbourSearchFrequency": frequency, "solver_settings": solver}))


class Collapse(DEMAnalysisStage):
    """Spheres that move towards their centre."""

    def __init__(self, steps, dt, tolerance, frequency):
        self.tolerance, self.frequency = tolerance, frequency
        self.steps = self.found = self.missed = 0
        self.seconds = {"Kratos": 0.0, "hgrid": 0.0}
        super().__init__(Kratos.Model(), parameters(steps, dt, tolerance, frequency))

    def Initialize(self):
        super().Initialize()
        self.touching, self.listed = (Spheres(self.spheres_model_part, t) for t in (0.0, self.tolerance))
        for node, x in zip(self.touching.nodes, self.touching.positions()):
            node.SetSolutionStepValue(Kratos.VELOCITY, Kratos.Vector((-20 * x).tolist()))
        self.kept = as_set(self.listed.pairs().tolist())

    def by_kratos(self):
        """Pairs of Kratos' search from Python, which takes the radii of the spheres, whatever radii it is given."""
        spheres, radii = self.spheres_model_part, self.touching.radii.tolist()
        rows = DEM.OMP_DEMSearch().SearchElementsInRadiusExclusive(spheres, radii)[0]
        return as_set((i, other.GetNode(0).Id) for i, row in zip(self.touching.ids.tolist(), rows) for other in row)

    def InitializeSolutionStep(self):
        super().InitializeSolutionStep()
        start = time.process_time()
        pairs = self.touching.pairs()
        self.seconds["hgrid"] += time.process_time() - start
        touching = as_set(pairs.tolist())
        assert touching == self.by_kratos(), f"step {self.steps}"
        if (self.spheres_model_part.ProcessInfo[Kratos.TIME_STEPS] + 1) % self.frequency == 0:
            self.kept = as_set(self.listed.pairs().tolist())  # where Kratos searches again
        self.known = touching & self.kept
        self.steps, self.found, self.missed = self.steps + 1, self.found + len(touching), self.missed + len(touching - self.kept)

    def FinalizeSolutionStep(self):
        super().FinalizeSolutionStep()
        pushed = {node.Id for node in self.touching.nodes if any(node.GetSolutionStepValue(Kratos.TOTAL_FORCES))}
        assert pushed <= {i for pair in self.known for i in pair}, f"step {self.steps}: Kratos knows more"
        if self.frequency == 1:
            start = time.process_time()
            self._GetSolver().cplusplus_strategy.SearchDemNeighbours(self.spheres_model_part, False)
            self.seconds["Kratos"] += time.process_time() - start


def run(n=500, steps=100, ratio=10, dt=2e-5):
    rng = np.random.default_rng(2)
    r = 0.01 * (1 - rng.random(n) * (1 - ratio**-2.0)) ** -0.5
    x = (rng.random((n, 3)) - 0.5) * ((r**3).sum() * 4.19 / 0.5) ** (1 / 3)
    write(x, r)
    for tolerance, frequency in ((0.0, 1), (0.0, 50), (0.001, 50)):
        case = Collapse(steps, dt, tolerance, frequency)
        case.Initialize()
        case.RunSolutionLoop()
        assert case.steps >= steps and case.found > 0 and not (frequency == 1 and case.missed)
        print(f"SearchTolerance {tolerance}, NeighbourSearchFrequency {frequency}: {case.found} pairs of {n} spheres of ratio {ratio} are the same in "
              f"{case.steps} steps; Kratos' own lists miss {case.missed}", flush=True)
        if frequency == 1:
            print(f"Detection took Kratos {case.seconds['Kratos']:.3f} s of a processor, and hgrid {case.seconds['hgrid']:.3f} s", flush=True)


if __name__ == "__main__":
    Kratos.Logger.GetDefaultOutput().SetSeverity(Kratos.Logger.Severity.WARNING)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        run(*map(int, sys.argv[1:]))
