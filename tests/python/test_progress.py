# SPDX-License-Identifier: BSD-3-Clause
"""Long work reports its progress, and the callback can end it."""
import subprocess
import sys
import threading

import numpy as np
import pytest

import hgrid
from hgrid import _progress


class Enough(Exception):
    pass


@pytest.fixture(scope="module")
def endless():
    """All pairs of three hundred thousand particles, half a minute or so: who is never told fails at their end."""
    return hgrid.Grid().build(np.random.default_rng(1).random((300_000, 3)), 1.0)


def test_a_function_is_told_shares_and_ends_the_work(endless):
    seen = []

    def show(share):
        seen.append((share, threading.get_ident()))
        if len(seen) == 3:
            raise Enough

    with pytest.raises(Enough), hgrid.progress(show):
        endless.count()
    shares, threads = zip(*seen)
    assert sorted(shares) == list(shares) and 0 <= shares[0] and shares[-1] < 1 and set(threads) == {threading.get_ident()}
    assert _progress._told.show is None


def test_a_build_says_so_too():
    """Nothing is said within the first twentieth of a second: the faster the machine, the more particles a build needs to last longer."""
    seen, g = [], hgrid.Grid(threads=1)
    for millions in (2, 4, 8, 16):
        x = np.random.default_rng(2).random((millions * 1_000_000, 3))
        with hgrid.progress(seen.append):
            for _ in range(5):
                g.build(x, 0.001)
        if any(seen):
            break
    assert any(seen) and 0 <= min(seen) and max(seen) <= 1


def test_ones_within_others_and_threads():
    told = []
    with hgrid.progress(lambda share: told.append("outer")):
        with hgrid.progress(lambda share: told.append("inner")):
            _progress.tell(0.5)
        _progress.tell(0.5)
        other = threading.Thread(target=_progress.tell, args=(0.5,))
        other.start()
        other.join()
    _progress.tell(0.5)
    assert told == ["inner", "outer"]


def test_a_line_where_there_is_no_tqdm(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    with hgrid.progress():
        _progress.tell(0.25)
        _progress.tell(1.0)
    assert capsys.readouterr().err == "\rhgrid:  25 %\rhgrid: 100 %\r" + 12 * " " + "\r"
    with hgrid.progress():
        hgrid.Grid().build([[0.0, 0.0]], 1.0).count()
    assert capsys.readouterr().err == ""


def test_a_bar_of_tqdm(capsys):
    pytest.importorskip("tqdm")
    with hgrid.progress():
        _progress.tell(0.25)
        assert "hgrid:  25%" in capsys.readouterr().err
        _progress.tell(0.75)
        assert "hgrid:  75%" in capsys.readouterr().err
    assert capsys.readouterr().err.endswith("\r")


def test_ctrl_c_with_a_line():
    code = """
import os, signal, numpy as np, hgrid
signal.signal(signal.SIGINT, signal.default_int_handler)
g = hgrid.Grid().build(np.random.default_rng(1).random((300_000, 3)), 1.0)
draw = hgrid._progress._Line.refresh
def refresh(line):
    draw(line)
    os.kill(os.getpid(), signal.SIGINT)
hgrid._progress._Line.refresh = refresh
try:
    with hgrid.progress():
        g.count()
except KeyboardInterrupt:
    assert g.build(np.zeros((2, 3)), 1.0).count() == 1
    print("stopped")
"""
    code = "import sys; sys.modules['tqdm.auto'] = None\n" + code
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)
    assert done.stdout == b"stopped\n" and done.stderr.startswith(b"\rhgrid: ") and done.stderr.endswith(b" \r")
