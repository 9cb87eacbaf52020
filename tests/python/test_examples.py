# SPDX-License-Identifier: BSD-3-Clause
"""The programs of examples/python run, and what they print is right."""
import pathlib
import subprocess
import sys

import pytest

EXAMPLES = sorted((pathlib.Path(__file__).parents[2] / "examples/python").glob("*.py"))


@pytest.mark.parametrize("program", EXAMPLES, ids=lambda path: path.stem)
def test_example(program, tmp_path):
    if program.stem == "picture":
        pytest.importorskip("matplotlib")
    subprocess.run([sys.executable, program], check=True, cwd=tmp_path)
