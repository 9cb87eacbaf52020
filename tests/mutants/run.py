#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Plants one fault after the other and sees whether it is noticed: run.py COMPILER SOURCE BUILD [NAME...]

Without names it takes HGRID_MUTANTS faults, 8 unless told, "all" for all of them; others when the code changes. A mutant is
killed if the driver says so, crashes or does not end; it must compile. Every fault's old text must be in the code, drawn or
not. Exits with 1 if one survives."""
import concurrent.futures
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

from faults import HERE, Stale, all_faults, drawn

ENGINE = {"host/engine/host_engine.cpp"}
PATIENCE = 4  # times what compiling and running the code as it is takes of a processor: beyond it, a mutant does not end


def build(compiler, source, tree, folder, changed):
    for path, text in changed.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
    # The host engine is made of headers, any of which may have changed.
    paths = {path for path in changed if path.endswith(".cpp")} | ENGINE
    for path in changed:  # of inner loops, which are compiled apart
        if path.endswith("-inl.hpp"):
            paths |= {str(file.relative_to(source)) for file in (source / "host").glob("*/*_kernels.cpp") if path in file.read_text()}
    has_highway = "HGRID_HIGHWAY_INCLUDE:PATH=/" in (tree / "CMakeCache.txt").read_text()
    vectors = ["-DHGRID_WITH_HIGHWAY", "-DHWY_IS_DEBUG_BUILD=0"] if has_highway else []
    sources = [str((folder if path in changed else source) / path) for path in sorted(paths)]
    return subprocess.run(
        [compiler, "-std=c++20", "-O0", "-w", "-ffp-contract=off", "-fopenmp", *vectors, f"-I{folder}/src", f"-I{folder}", f"-I{source}/src",
         f"-I{source}", f"-I{tree}/include", f"-I{source}/tests", str(HERE / "driver.cpp"), *sources, f"{tree}/host/libhgrid.a",
         "-o", str(folder / "driver")], capture_output=True, text=True, check=False)


def outcome(compiler, source, tree, changed, most=None):
    """(verdict, how it showed) of a mutant, or of the code as it is; `most` is how many seconds it may compute."""
    def limited():
        if most:
            resource.setrlimit(resource.RLIMIT_CPU, (most, most))

    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        built = build(compiler, source, tree, folder, changed)
        if built.returncode != 0:
            return "broken", "\n".join(line for line in built.stderr.splitlines() if "error" in line)[:500]
        # With AVX-512 there are no filter columns, whose faults nobody would notice.
        done = subprocess.run([folder / "driver"], preexec_fn=limited, capture_output=True, text=True, errors="replace",
                              env=os.environ | {"HGRID_SIMD": "avx2"}, check=False)
        if done.returncode == 0:
            return "survived", ""
        first = done.stdout.splitlines()[0][:70] if done.stdout else f"signal {-done.returncode}"
        return "killed", first


def computed():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def planted(source, faults):
    """{fault: its changed files} of those whose old text is there, and the names of the others."""
    good, stale = {}, []
    for fault in faults:
        try:
            good[fault] = fault.edited(source)
        except Stale as why:
            stale.append(f"stale     {fault.name}: {why}")
    return good, stale


def main():
    compiler, source, tree = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    faults = all_faults()
    if unknown := set(sys.argv[4:]) - {fault.name for fault in faults}:
        sys.exit(f"no planted faults are called {', '.join(sorted(unknown))}")
    changes, stale = planted(source, faults)
    taken = [fault for fault in faults if fault.name in sys.argv[4:]] if len(sys.argv) > 4 else drawn(faults, source)
    taken = [fault for fault in taken if fault in changes]
    print("\n".join([*stale, f"{len(taken)} of {len(faults)} planted faults are taken"]), flush=True)

    start, before = time.monotonic(), computed()
    verdict, how = outcome(compiler, source, tree, {})
    if verdict != "survived":
        sys.exit(f"the code as it is does not pass: {verdict} {how}")
    most = int(PATIENCE * (computed() - before)) + 1
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = list(pool.map(lambda fault: outcome(compiler, source, tree, changes[fault], most), taken))
    for fault, (verdict, how) in zip(taken, found):
        print(f"{verdict:9} {fault.name:28} {how}")
    killed = sum(verdict == "killed" for verdict, _ in found)
    print(f"{killed} of {len(taken)} mutants killed in {time.monotonic() - start:.0f} s")
    sys.exit(0 if killed == len(taken) and not stale else 1)


main()
