# SPDX-License-Identifier: BSD-3-Clause
"""Parts of wheels: an OpenMP each, two of which share a process, whichever comes first; the library for devices."""
import importlib.util
import subprocess
import sys

import pytest

from hgrid import _device

CODE = """
import sys
for name in sys.argv[1:]:
    __import__(name)
import numpy as np, hgrid

x = np.random.default_rng(1).random((20_000, 3))
wanted = hgrid.Grid(threads=1).build(x, 0.01).pairs().ij

def sklearn():
    from sklearn.ensemble import HistGradientBoostingRegressor
    return HistGradientBoostingRegressor(max_iter=3, random_state=1).fit(x, x[:, 0]).predict(x[:2000])

def torch():
    import torch
    torch.set_num_threads(2)
    return (torch.arange(1_000_000.0) % 7).sqrt().sum().numpy()

other = locals()[(set(sys.argv[1:]) - {"hgrid"}).pop()]
theirs = other()
for _ in range(5):
    assert np.array_equal(hgrid.Grid(threads=2).build(x, 0.01).pairs().ij, wanted)
    assert np.allclose(other(), theirs)
maps = {line.split()[-1] for line in open("/proc/self/maps", encoding="utf-8") if "gomp" in line}
print(len(maps))
"""


@pytest.mark.parametrize("first", ["hgrid first", "hgrid second"])
@pytest.mark.parametrize("other", ["sklearn", "torch"])
def test_two_runtimes_in_one_process(other, first):
    if not importlib.util.find_spec(other):
        pytest.skip(f"there is no {other}")
    order = ["hgrid", other] if first == "hgrid first" else [other, "hgrid"]
    done = subprocess.run([sys.executable, "-c", CODE, *order], check=True, capture_output=True, text=True)
    # torch's has the name of the system's, which the release build takes: one then serves both.
    assert int(done.stdout) in ((2,) if other == "sklearn" else (1, 2))


def test_the_library_for_devices_lies_beside_the_module(tmp_path, monkeypatch):
    monkeypatch.delenv("HGRID_C_LIBRARY", raising=False)
    monkeypatch.setattr(_device, "__file__", str(tmp_path / "_device.py"))
    library = tmp_path / "libhgrid_c.so"
    assert _device._library() != str(library)  # there is none
    library.touch()
    assert _device._library() == str(library)
    monkeypatch.setenv("HGRID_C_LIBRARY", "mine.so")
    assert _device._library() == "mine.so"
