#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# newton 1.8.0 with warp-lang 1.19.0 (PyPI, CPU), seen 2026-11-29: the largest radius of the particles is taken once, by finalize(). Where
# particles grow later, by an assignment to model.particle_radius, contacts are lost, and some by half: of two spheres of radius 0.5 with
# centres 0.8 apart that were of radius 0.1 before, one is pushed and the other is not, so their momentum is not 0.
# solver.notify_model_changed(ModelFlags.ALL) changes nothing. With model.particle_max_radius set by hand, both are pushed.
# Seen: born 0.5: -0.200 0.200; grown: 0.000 0.200; notified: 0.000 0.200; by hand: -0.200 0.200
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" -q install newton==1.8.0 warp-lang==1.19.0 numpy
cat >"$folder/run.py" <<'PYTHON'
import newton
import warp as wp

wp.config.quiet = True


def speeds(born, notified=False, by_hand=False):
    """Of both spheres, of radius 0.5, after one step."""
    builder = newton.ModelBuilder(gravity=(0.0, 0.0, 0.0))
    builder.add_particles(pos=[(0, 0, 0), (0.8, 0, 0)], vel=[(0, 0, 0)] * 2, mass=[1, 1], radius=[born] * 2)
    model = builder.finalize(device="cpu")
    model.particle_ke, model.particle_kd, model.particle_kf = 100.0, 0.0, 0.0
    solver = newton.solvers.SolverSemiImplicit(model)
    model.particle_radius.assign([0.5, 0.5])
    if notified:
        solver.notify_model_changed(newton.ModelFlags.ALL)
    if by_hand:
        model.particle_max_radius = 0.5
    before, after = model.state(), model.state()
    solver.step(before, after, None, None, 0.01)
    return " ".join(f"{speed + 0.0:.3f}" for speed in after.particle_qd.numpy()[:, 0])


print(f"born 0.5: {speeds(0.5)}; grown: {speeds(0.1)}; notified: {speeds(0.1, notified=True)}; by hand: {speeds(0.1, by_hand=True)}")
PYTHON
found=$("$folder/env/bin/python" "$folder/run.py" 2>/dev/null | grep '^born')
echo "$found"
[[ $found == "born 0.5: -0.200 0.200; grown: 0.000 0.200; notified: 0.000 0.200; by hand: -0.200 0.200" ]]
