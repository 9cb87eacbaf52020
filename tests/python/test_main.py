# SPDX-License-Identifier: BSD-3-Clause
"""python -m hgrid is the tool that the package has, and names the wheel where it has none."""
import subprocess
import sys

import pytest

from hgrid import __main__ as command


def test_the_tool_gets_its_arguments(tmp_path, monkeypatch):
    """In place of this process, so it has its exit code and its signals."""
    tool = tmp_path / "hgrid"
    tool.write_text('#!/bin/sh\necho "$@"\nexit 3\n')
    tool.chmod(0o755)
    line = f"import sys, sysconfig; from hgrid import __main__ as m; m.tool = lambda: {str(tool)!r}; sys.argv = ['hgrid', 'contacts', 'a b']; m.main()"
    done = subprocess.run([sys.executable, "-c", line], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (3, "contacts a b\n")


def test_it_is_beside_python(tmp_path, monkeypatch):
    monkeypatch.setattr(command.importlib.metadata, "files", lambda name: [])
    monkeypatch.setattr(command.sysconfig, "get_path", lambda name: str(tmp_path))
    assert command.tool() is None
    (tmp_path / "hgrid").write_text("")
    assert command.tool() is None  # no program
    (tmp_path / "hgrid").chmod(0o755)
    assert command.tool() == str(tmp_path / "hgrid")


def test_without_it_the_wheel_is_named(monkeypatch):
    monkeypatch.setattr(command, "tool", lambda: None)
    with pytest.raises(SystemExit, match=r"packaging/wheel\.sh .*HGRID_BUILD_TOOL=ON"):
        command.main()
