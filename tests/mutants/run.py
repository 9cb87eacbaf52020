#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Plants one fault after the other and sees whether it is noticed: run.py COMPILER SOURCE BUILD [NAME...]

Without names it takes HGRID_MUTANTS faults, one unless told, "all" for all of them; the next ones at each turn (turns.py). A mutant is
killed if the driver says so, crashes or does not end; it must compile. Every fault's old text must be in the code, taken or
not. Exits with 1 if one survives. Of none at all it only looks whether their texts are there."""
import concurrent.futures
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

from faults import Stale, all_faults, taken as taken_now

DRIVER = "tests/mutants/driver.cpp"
# The host engine is made of headers, any of which may have changed.
ALWAYS = {DRIVER, "host/host_engine.cpp", "host/host_engine_2d.cpp", "host/host_two_sets.cpp"}
PATIENCE = 4  # times what compiling and running the code as it is takes of a processor: beyond it, a mutant does not end


class Code:
    """The code as it is: the library, and the driver, compiled. A mutant has objects of its own where a changed file enters."""

    def __init__(self, compiler, source, tree, folder):
        self.source, self.folder, self.tree = source, folder, tree
        has_highway = "HGRID_HIGHWAY_INCLUDE:PATH=/" in (tree / "CMakeCache.txt").read_text()
        self.compiler = [compiler, "-std=c++20", "-w", "-ffp-contract=off", "-fopenmp",
                         *(["-DHGRID_WITH_HIGHWAY", "-DHWY_IS_DEBUG_BUILD=0"] if has_highway else [])]
        self.needs = {}  # of each source file, the files of ours that enter it
        for path in sorted(ALWAYS):
            if (found := self.run(path, {}, folder, "-MM")).returncode != 0:
                sys.exit(f"the code as it is cannot be read: {errors(found)}")
            words = found.stdout.replace("\\\n", " ").split()[1:]
            found = [pathlib.Path(word).resolve() for word in words]
            self.needs[path] = {str(file.relative_to(source)) for file in found if source in file.parents}
        if (done := self.compile(DRIVER, {}, folder, "-O1")).returncode != 0:  # runs to its end, in a seventh of the time
            sys.exit(f"the code as it is does not compile: {errors(done)}")

    def run(self, path, changed, folder, *options):
        source = self.source
        return subprocess.run(
            [*self.compiler, f"-I{folder}/src", f"-I{folder}", f"-I{source}/src", f"-I{source}", f"-I{self.tree}/include", f"-I{source}/tests",
             str((folder if path in changed else source) / path), *options], capture_output=True, text=True, check=False)

    def compile(self, path, changed, folder, level="-O0"):
        output = (folder / path).with_suffix(".o")
        output.parent.mkdir(parents=True, exist_ok=True)
        return self.run(path, changed, folder, level, "-c", "-o", str(output))

    def build(self, folder, changed):
        """What the compiler says of the mutant, whose driver is then in the folder."""
        for path, text in changed.items():
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text)
        paths = {path for path in changed if path.endswith(".cpp")} | ALWAYS
        for path in changed:  # of inner loops, which are compiled apart
            if path.endswith("-inl.hpp"):
                paths |= {str(file.relative_to(self.source)) for file in (self.source / "host").glob("*/*_kernels.cpp") if path in file.read_text()}
        objects = []
        for path in sorted(paths):
            is_same = path in self.needs and self.needs[path].isdisjoint(changed) and all((self.source / file).is_file() for file in changed)
            if is_same and path != DRIVER:
                continue  # the library has it
            if not is_same and (done := self.compile(path, changed, folder)).returncode != 0:
                return done
            objects.append(str(((self.folder if is_same else folder) / path).with_suffix(".o")))
        return subprocess.run([*self.compiler, *objects, f"{self.tree}/host/libhgrid.a", "-o", str(folder / "driver")],
                              capture_output=True, text=True, check=False)


def errors(done):
    return "\n".join(line for line in done.stderr.splitlines() if "error" in line)[:500]


def outcome(code, changed, most=None):
    """(verdict, how it showed) of a mutant, or of the code as it is; `most` is how many seconds it may compute."""
    def limited():
        if most:
            resource.setrlimit(resource.RLIMIT_CPU, (most, most))

    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        built = code.build(folder, changed)
        if built.returncode != 0:
            return "broken", errors(built)
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
    taken = [fault for fault in faults if fault.name in sys.argv[4:]] if len(sys.argv) > 4 else taken_now(faults)
    taken = [fault for fault in taken if fault in changes]
    print("\n".join([*stale, f"{len(taken)} of {len(faults)} planted faults are taken"]), flush=True)

    if not taken:
        sys.exit(bool(stale))
    start, before = time.monotonic(), computed()
    with tempfile.TemporaryDirectory() as folder:
        code = Code(compiler, source.resolve(), tree, pathlib.Path(folder))
        verdict, how = outcome(code, {})
        if verdict != "survived":
            sys.exit(f"the code as it is does not pass: {verdict} {how}")
        most = int(PATIENCE * (computed() - before)) + 1
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            found = list(pool.map(lambda fault: outcome(code, changes[fault], most), taken))
    for fault, (verdict, how) in zip(taken, found):
        print(f"{verdict:9} {fault.name:28} {how}")
    killed = sum(verdict == "killed" for verdict, _ in found)
    print(f"{killed} of {len(taken)} mutants killed in {time.monotonic() - start:.0f} s")
    sys.exit(0 if killed == len(taken) and not stale else 1)


main()
