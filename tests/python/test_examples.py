# SPDX-License-Identifier: BSD-3-Clause
"""The programs of examples/python, the README and the cells of the notebook run, and their output is right."""
import json
import pathlib
import re
import subprocess
import sys

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples/python").glob("*.py"))
NOTEBOOK = ROOT / "docs/tour.md"


@pytest.mark.parametrize("program", EXAMPLES, ids=lambda path: path.stem)
def test_example(program, tmp_path):
    needed = {"picture": ["matplotlib"], "ase_lists": ["ase"], "jax_energy": ["jax"], "torch_lennard_jones": ["torch", "ase"],
              "warp_dem": ["warp"], "files": ["h5py"]}
    for module in needed.get(program.stem, []):
        pytest.importorskip(module)
    subprocess.run([sys.executable, program], check=True, cwd=tmp_path)


def test_notebook_of_a_hopper(tmp_path, monkeypatch, capsys):
    pytest.importorskip("matplotlib").use("Agg")
    monkeypatch.chdir(tmp_path)
    names = {}
    notebook = json.loads((ROOT / "examples/python/hopper.ipynb").read_text())
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            assert cell["outputs"] == []  # a reader's, not the repository's
            exec("".join(cell["source"]), names)
    out = int((names["x"][:, 2] < 0).sum())
    assert f"{out} grains have left" in capsys.readouterr().out and 0 < out < 245
    inside = names["x"][names["x"][:, 2] > 0.05]
    assert np.hypot(inside[:, 0], inside[:, 1]).max() < 0.5


def test_readme(capsys):
    block, = re.findall(r"^```python\n(.*?)^```", (ROOT / "README.md").read_text(), re.S | re.M)
    exec(block, {})
    assert re.match(r"[1-9]\d+ contacts, the largest overlap is 0", capsys.readouterr().out)


def test_notebook(capsys):
    pytest.importorskip("matplotlib").use("Agg")
    names = {}
    cells = re.findall(r"^```\{code-cell\}\n(.*?)^```", NOTEBOOK.read_text(), re.S | re.M)
    for cell in cells:
        exec(cell, names)
    assert 0 < len(names["touching"].i) < len(names["pairs"].i) and names["lengths"].max() > 1000 and len(names["batch"]) == 3
    assert len(cells) > 5 and 1 < len(names["builds"]) < 60 and names["age"].values.max() == 60
    assert "x[123] is nan" in capsys.readouterr().out
