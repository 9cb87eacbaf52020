#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares the emulator's counts of warps of known kernels with counts by hand: counted_warps.py PROGRAM"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

WARPS, THREADS = 4, 128


def counted(program):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "counts.jsonl"
        subprocess.run([program], env=os.environ | {"EMU_COUNTS": str(path)}, check=True)
        return [json.loads(line) for line in path.read_text().splitlines()]


def main():
    rows = counted(sys.argv[1])
    names = [row["kernel"].split("::")[-1].split("(")[0] for row in rows]
    assert names == ["memset", "copy", "copy_apart", "leave_one_by_one"], names  # not the kernels before and after
    memset, copy, apart, leave = rows
    assert memset["first_written"] == 33 * THREADS * 4, memset
    for row in (copy, apart):
        assert (row["warps"], row["lanes"], row["requests"]) == (WARPS, 32, 2 * WARPS), row
        assert row["issued"] == WARPS * row["instructions"], row
        assert set(row["entered"]) <= {0, WARPS}, row  # each block once
        assert row["written"] == row["first_written"] == 4 * THREADS, row
    assert copy["read"] == copy["first_read"] == 4 * THREADS, copy
    assert apart["read"] == apart["first_read"] == 32 * THREADS, apart
    # All lanes go round together as long as they are there, 32 times; a read, a write, and an atomic but for the last time.
    assert leave["requests"] == WARPS * (32 + 32 + 31), leave
    assert leave["read"] == WARPS * 4 * 32 and leave["first_read"] == 4 * 32, leave
    assert 15 < leave["lanes"] < 18, leave
    assert 31 * WARPS * 5 < leave["issued"] < 33 * WARPS * leave["instructions"], leave


main()
