#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Plants one fault after the other and sees whether it is noticed: run.py COMPILER SOURCE BUILD [NAME...]

Each NAME.patch begins with a line that says what breaks. Its hunks are found by their text, not by their line numbers;
one that is not found fails, for a mutant must be of the code as it is. A mutant is killed if the driver says so, crashes
or does not end; it must compile. Exits with 1 if one survives."""
import concurrent.futures
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

PATIENCE = 40  # seconds of computing for one run of the driver; the unchanged code takes a sixth
WAITING = 600  # seconds by the clock, for machines are shared
HERE = pathlib.Path(__file__).parent


class Stale(Exception):
    pass


def hunks(patch):
    """(file, old text, new text, line) of each hunk."""
    path, old, new, at, found = None, [], [], 0, []
    for line in patch.read_text().splitlines(keepends=True)[1:] + ["@@ -0 "]:
        if line.startswith(("--- ", "+++ ")):
            path = line[6:].strip()
        elif line.startswith("@@"):
            if old:
                found.append((path, "".join(old), "".join(new), at))
            old, new, at = [], [], int(line.split()[1].split(",")[0].lstrip("-"))
        else:
            if line[0] in " -":
                old.append(line[1:])
            if line[0] in " +":
                new.append(line[1:])
    return found


def apply(patch, source, folder):
    """Writes the changed files below the folder, under their names in the source; returns those names."""
    changed = {}
    for path, old, new, at in hunks(patch):
        text = changed.get(path) or (source / path).read_text()
        places = [k for k in range(len(text)) if text.startswith(old, k) and (k == 0 or text[k - 1] == "\n")]
        if not places:
            raise Stale(f"{patch.name} does not apply to {path}")
        place = min(places, key=lambda k: abs(text.count("\n", 0, k) + 1 - at))
        changed[path] = text[:place] + new + text[place + len(old):]
    for path, text in changed.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
    return list(changed)


def build(compiler, source, tree, folder, changed):
    (folder / "src/hgrid").mkdir(parents=True, exist_ok=True)
    if (folder / "host").is_dir():
        (folder / "src/hgrid/host").symlink_to(folder / "host")
    sources = [str(folder / path) for path in changed if path.endswith(".cpp")]
    return subprocess.run(
        [compiler, "-std=c++20", "-O0", "-w", "-ffp-contract=off", "-fopenmp", f"-I{folder}/src", f"-I{source}/src",
         f"-I{tree}/include", f"-I{source}/tests", str(HERE / "driver.cpp"), *sources, f"{tree}/host/libhgrid.a",
         "-o", str(folder / "driver")], capture_output=True, text=True, check=False)


def limited():
    resource.setrlimit(resource.RLIMIT_CPU, (PATIENCE, PATIENCE))


def outcome(compiler, source, tree, patch):
    """(verdict, how it showed) of a mutant, or of the code as it is."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        try:
            changed = apply(patch, source, folder) if patch else []
        except Stale as stale:
            return "stale", str(stale)
        built = build(compiler, source, tree, folder, changed)
        if built.returncode != 0:
            return "broken", "\n".join(line for line in built.stderr.splitlines() if "error" in line)[:500]
        try:
            done = subprocess.run([folder / "driver"], preexec_fn=limited, capture_output=True, text=True, errors="replace",
                                  timeout=WAITING, check=False)
        except subprocess.TimeoutExpired:
            return "killed", "does not end"
        if done.returncode == 0:
            return "survived", ""
        first = done.stdout.splitlines()[0][:70] if done.stdout else f"signal {-done.returncode}"
        return "killed", first


def main():
    compiler, source, tree = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    patches = sorted(HERE.glob("*.patch"))
    if len(sys.argv) > 4:
        patches = [patch for patch in patches if patch.stem in sys.argv[4:]]
    start = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = list(pool.map(lambda patch: outcome(compiler, source, tree, patch), [None, *patches]))
    verdicts = [verdict for verdict, _ in found[1:]]
    for patch, (verdict, how) in zip(patches, found[1:]):
        print(f"{verdict:9} {patch.stem:28} {how}")
    if found[0][0] != "survived":
        print("the code as it is does not pass:", *found[0])
    print(f"{verdicts.count('killed')} of {len(patches)} mutants killed in {time.monotonic() - start:.0f} s")
    sys.exit(0 if found[0][0] == "survived" and verdicts.count("killed") == len(patches) else 1)


main()
