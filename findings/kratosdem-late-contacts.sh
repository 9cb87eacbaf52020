#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# KratosMultiphysics and KratosDEMApplication 10.4.4 (PyPI, Linux x86-64), seen 2026-11-29. With its default parameters KratosDEM finds contacts
# up to 49 steps late, without a word, because NeighbourSearchFrequency is 50 and SearchTolerance 0. Two equal elastic spheres, without
# friction or gravity, that meet with 1 m/s overlap without any force for 28 steps of the default length of 5e-5 s, and leave each other
# with 1.52 m/s. With a search in each step, or with a SearchTolerance of 3 mm, they leave with 1.000 m/s.
# The Python call SearchElementsInRadiusExclusive(model_part, radii) of OMP_DEMSearch takes a list of radii and ignores it: spheres of radius
# 0.01 with centres 0.021 apart are neighbors for none of the radii 0.01, 0.0126 and 1.
# Seen: defaults 1.524, each step 1.000, tolerance 1.000; neighbors by radius 0 0 0
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" -q install KratosMultiphysics==10.4.4 KratosDEMApplication==10.4.4 numpy
cat >"$folder/run.py" <<'PYTHON'
import json
import pathlib

import KratosMultiphysics as Kratos
import KratosMultiphysics.DEMApplication as DEM
from KratosMultiphysics.DEMApplication.DEM_analysis_stage import DEMAnalysisStage

NONE = "Begin ModelPartData\nEnd ModelPartData\nBegin Properties 0\nEnd Properties\n"
SPHERES = (NONE + "Begin Nodes\n1 0 0 0\n2 0.021 0 0\nEnd Nodes\nBegin Elements SphericParticle3D\n1 0 1\n2 0 2\nEnd Elements\n"
           "Begin NodalData RADIUS\n1 0 0.01\n2 0 0.01\nEnd NodalData\nBegin SubModelPart body\nBegin SubModelPartNodes\n1\n2\n"
           "End SubModelPartNodes\nBegin SubModelPartElements\n1\n2\nEnd SubModelPartElements\nEnd SubModelPart\n")
LAW = {"COEFFICIENT_OF_RESTITUTION": 1.0, "STATIC_FRICTION": 0.0, "DYNAMIC_FRICTION": 0.0, "FRICTION_DECAY": 500, "ROLLING_FRICTION": 0.0,
       "ROLLING_FRICTION_WITH_WALLS": 0.0, "DEM_DISCONTINUUM_CONSTITUTIVE_LAW_NAME": "DEM_D_Linear_viscous_Coulomb"}
MATERIALS = {"material_relations": [{"material_names_list": ["a", "a"], "material_ids_list": [1, 1], "Variables": LAW}],
             "materials": [{"material_name": "a", "material_id": 1,
                            "Variables": {"PARTICLE_DENSITY": 2500.0, "YOUNG_MODULUS": 1e6, "POISSON_RATIO": 0.2}}],
             "material_assignation_table": [["SpheresPart", "a"]]}
CASE = {"problem_name": "case", "dem_inlet_option": False, "do_print_results_option": False, "GravityZ": 0.0, "RotationOption": False,
        "FinalTime": 0.02, "solver_settings": {"strategy": "sphere_strategy", "RemoveBallsInitiallyTouchingWalls": False,
                                               "model_import_settings": {"input_type": "mdpa", "input_filename": "case"},
                                               "material_import_settings": {"materials_filename": "MaterialsDEM.json"}}}
for name in ("DEM", "DEM_FEM_boundary", "DEM_Clusters", "DEM_Inlet"):
    pathlib.Path(f"case{name}.mdpa").write_text(SPHERES if name == "DEM" else NONE)
pathlib.Path("MaterialsDEM.json").write_text(json.dumps(MATERIALS))


def opened(**more):
    stage = DEMAnalysisStage(Kratos.Model(), Kratos.Parameters(json.dumps(CASE | more)))
    stage.Initialize()
    return stage


def speed(**more):
    """With which the spheres leave each other."""
    stage = opened(**more)
    nodes = stage.spheres_model_part.Nodes
    nodes[1].SetSolutionStepValue(Kratos.VELOCITY_X, 0.5)
    nodes[2].SetSolutionStepValue(Kratos.VELOCITY_X, -0.5)
    stage.RunSolutionLoop()
    return nodes[2].GetSolutionStepValue(Kratos.VELOCITY_X) - nodes[1].GetSolutionStepValue(Kratos.VELOCITY_X)


def neighbors(radius):
    rows, _ = DEM.OMP_DEMSearch().SearchElementsInRadiusExclusive(opened().spheres_model_part, [radius, radius])
    return len(rows[0])


print(f"defaults {speed():.3f}, each step {speed(NeighbourSearchFrequency=1):.3f}, tolerance {speed(SearchTolerance=0.003):.3f}; "
      f"neighbors by radius {neighbors(0.01)} {neighbors(0.0126)} {neighbors(1.0)}")
PYTHON
cd "$folder"
found=$(OMP_NUM_THREADS=1 env/bin/python run.py 2>&1 | grep '^defaults')
echo "$found"
[[ $found == "defaults 1.524, each step 1.000, tolerance 1.000; neighbors by radius 0 0 0" ]]
