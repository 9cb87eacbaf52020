#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""bench/gpu.sh with programs on the emulated device, at small sizes, in each of its parts: emulated_kit.py SOURCE BUILD
Needs the target emulated_kit. The tables must be whole."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SOURCE, BUILD = (pathlib.Path(name).resolve() for name in sys.argv[1:])
TESTS, GPU = BUILD / "tests/emulator", BUILD / "bench/gpu"
PROGRAMS = {f"gpu_{name}": GPU / f"gpu_{name}_emulated" for name in ("grid", "step", "ceilings")} | {"gpu_host": GPU / "gpu_host"}
SUITE = TESTS / "test_cuda_emulated"
SIZES = [200, 400]
# Rows that must be there, for each size unless told, and their number
ROWS = {"device": {r" random +(1|100) +step .* pairs ": 4, r" relaxed +(1|100) +step ": 4, r" periodic +(1|100) +step ": 2},
        "host": {r"host, threads +1 .* 1\.00 x one": 4},
        "details": {r" random +(10|50|1|100) +step .* pairs ": 8, r" random +(1|100) +double_input ": 2, r" tree .* x hgrid": 4,
                    r" (random|slot_order) +(1|100) +stages": 8, r" search, all kernels .* roofline": 8,
                    r"own levels, counted only": 10, r"copy_float4 .* GB/s": 2, r"filter_tests .* G/s": 2}}


def make_kit(kit):
    (kit / "bin").mkdir(parents=True), (kit / "peers").mkdir()
    for name, program in PROGRAMS.items():
        (kit / "bin" / name).symlink_to(program)
    tests = kit / "bin/gpu_tests"  # some stand for all, which are tests of their own
    tests.write_text(f"#!/bin/sh\ncase $* in *filter=CudaGraphs*) exec {SUITE} --gtest_filter='CudaGraphs.*' ;; *) exec {SUITE} --gtest_filter=none ;; esac\n")
    tests.chmod(0o755)
    tree = kit / "peers/tree"
    tree.write_text("""#!/usr/bin/env bash\n[[ -s $1 ]] && echo '{"median_ms": 8, "pairs": 100}'\n""")
    tree.chmod(0o755)
    sources = subprocess.run(["bash", SOURCE / "bench/gpu/kit.sh", "sources"], text=True, capture_output=True, check=True).stdout
    (kit / "sources").write_text(sources)


def run(kit, out, part):
    environment = os.environ | {"HGRID_INTERVALS": "1", "HGRID_SMALLER": "20", "HGRID_SECONDS": "9000", "HGRID_PATIENCE": "100"}
    ended = subprocess.run(["bash", SOURCE / "bench/gpu.sh", "--part", part, "--kit", kit, "--out", out, "--sizes", ",".join(map(str, SIZES))],
                           text=True, capture_output=True, check=False, env=environment)
    wrong = [f"{count} of {len(re.findall(row, ended.stdout))} rows: {row}" for row, count in ROWS[part].items()
             if len(re.findall(row, ended.stdout)) != count]
    wrong += re.findall(r".*(?:ERROR|ends here|FAILED|cannot be read|no time left|stopped after).*", ended.stdout)
    if ended.returncode != 0 or wrong:
        log = (out / "log.txt").read_text(errors="replace")[-3000:] if (out / "log.txt").exists() else ""
        print(ended.stdout, ended.stderr, log, *wrong, sep="\n")
    return ended.returncode == 0 and not wrong


def main():
    missing = [str(program) for program in (*PROGRAMS.values(), SUITE) if not program.exists()]
    if missing:
        print(f"skipped: {missing[0]} is not built (target emulated_kit)")
        return 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        make_kit(folder / "kit")
        return 0 if all([run(folder / "kit", folder / part, part) for part in ROWS]) else 1


sys.exit(main())
