#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Plants one fault after the other and sees whether it is noticed: run.py COMPILER SOURCE BUILD [NAME...]

Takes HGRID_MUTANTS faults: one unless told, "all" for all of them; the next ones at each turn (turns.py). Names replace the choice. The
parts (parts/*.cpp) are compiled and run one after the other, the likeliest for the fault's room first. A mutant is killed if a part
says so, crashes or does not end; it must compile. Every fault's old text must be in the code, taken or not. Exits with 1 if a mutant
survives all parts. With HGRID_MUTANTS=0 it only looks whether the texts are there. clang++ takes a half of g++'s time, and is taken
where there is one."""
import concurrent.futures
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import threading
import time

from faults import Stale, all_faults, taken as taken_now

PARTS = ["spheres", "flat", "loops", "devices", "queries", "nearest", "device_queries", "plans", "ranks"]
# The parts that are likeliest to notice a room's faults come first, in this order.
LIKELY = {"device": ["devices", "plans"], "loop": ["loops", "queries"], "lists": ["loops", "devices"], "planning": ["plans"], "ranks": ["ranks"],
          "threads": ["plans"]}
RANDOM_SYSTEMS = ["60", "900"]  # how many each part draws: few first, because that takes less time
# The library in pieces, each compiled if a file that enters it has changed, as are the inner loops (*_kernels.cpp).
PIECES = ["tests/mutants/engines.cpp", "tests/mutants/planner.cpp"]
PATIENCE = 900  # seconds of a processor, far more than a part takes: beyond it, a mutant does not end


def source_of(part):
    return f"tests/mutants/parts/{part}.cpp"


def parts_of(fault):
    likely = ["nearest"] if any("near" in path for path, _, _ in fault.places()) else LIKELY.get(fault.room, [])
    return sorted(PARTS, key=lambda part: likely.index(part) if part in likely else len(likely))


class Code:
    """The code as it is: the library, and the parts, compiled when they are needed. A mutant has objects of its own where a changed file enters."""

    def __init__(self, compiler, source, tree, folder):
        self.source, self.folder, self.tree = source, folder, tree
        has_highway = "HGRID_HIGHWAY_INCLUDE:PATH=/" in (tree / "CMakeCache.txt").read_text()
        self.compiler = [compiler, "-std=c++20", "-w", "-ffp-contract=off", "-fopenmp",
                         *(["-DHGRID_WITH_HIGHWAY", "-DHWY_IS_DEBUG_BUILD=0"] if has_highway else [])]
        self.locks, self.passed = {part: threading.RLock() for part in PARTS}, set()
        self.needs = {}  # of each source file, the files of ours that enter it
        self.pieces = [*PIECES, *(str(path.relative_to(source)) for path in sorted(source.glob("host/*/*_kernels.cpp")))]
        for path in [*self.pieces, *map(source_of, PARTS)]:
            if (found := self.run(path, {}, folder, "-MM")).returncode != 0:
                sys.exit(f"the code as it is cannot be read: {errors(found)}")
            words = found.stdout.replace("\\\n", " ").split()[1:]
            found = [pathlib.Path(word).resolve() for word in words]
            self.needs[path] = {str(file.relative_to(source)) for file in found if source in file.parents}

    def run(self, path, changed, folder, *options):
        source = self.source
        return subprocess.run(
            [*self.compiler, f"-I{folder}/src", f"-I{folder}", f"-I{source}/src", f"-I{source}", f"-I{self.tree}/include", f"-I{source}/tests",
             str((folder if path in changed else source) / path), *options], capture_output=True, text=True, check=False)

    def compile(self, path, changed, folder):
        """Compiles a file with the fault, once, and returns the object. Throws Broken."""
        output = (folder / path).with_suffix(".o")
        if not output.is_file():
            output.parent.mkdir(parents=True, exist_ok=True)
            if (done := self.run(path, changed, folder, "-O0", "-c", "-o", str(output))).returncode != 0:
                raise Broken(errors(done))
        return str(output)

    def build(self, part, changed, folder):
        """Links a part with the fault and returns the program. Files where a changed one enters are compiled, the library has the others."""
        for path, text in changed.items():
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text)
        is_new = any(not (self.source / file).is_file() for file in changed)
        paths = {path for path in self.pieces if is_new or not self.needs[path].isdisjoint(changed)}
        program = source_of(part)
        if is_new or not self.needs[program].isdisjoint(changed):
            objects = [self.compile(program, changed, folder)]
        else:
            objects = [self.as_it_is(part)]
        objects += [self.compile(path, changed, folder) for path in sorted(paths)]
        done = subprocess.run([*self.compiler, *objects, f"{self.tree}/host/libhgrid.a", "-o", str(folder / part)],
                              capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise Broken(errors(done))
        return folder / part

    def as_it_is(self, part):
        """Compiles a part without a fault."""
        with self.locks[part]:
            return self.compile(source_of(part), {}, self.folder)

    def require_pass(self, part, systems):
        """Stops the program unless the part, as it is, passes with as many random systems."""
        with self.locks[part]:
            if (part, systems) in self.passed:
                return
            program = self.folder / part
            subprocess.run([*self.compiler, self.as_it_is(part), f"{self.tree}/host/libhgrid.a", "-o", str(program)], check=True)
            if (done := run_part(program, systems)).returncode != 0:
                sys.exit(f"{part}: the code as it is does not pass: {how_it_showed(done)}")
            self.passed.add((part, systems))


class Broken(Exception):
    pass


def errors(done):
    return "\n".join(line for line in done.stderr.splitlines() if "error" in line)[:500]


def run_part(program, systems):
    # With AVX-512 there are no filter columns, whose faults nobody would notice.
    return subprocess.run([program, systems], preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (PATIENCE, PATIENCE)),
                          capture_output=True, text=True, errors="replace", env=os.environ | {"HGRID_SIMD": "avx2"}, check=False)


def how_it_showed(done):
    return done.stdout.splitlines()[0][:70] if done.stdout else f"signal {-done.returncode}"


def outcome(code, fault, changed):
    """(verdict, part, how it showed) of a mutant."""
    with tempfile.TemporaryDirectory() as name:
        for systems in RANDOM_SYSTEMS:
            for part in parts_of(fault):
                try:
                    program = code.build(part, changed, pathlib.Path(name))
                except Broken as why:
                    return "broken", part, str(why)
                if (done := run_part(program, systems)).returncode != 0:
                    code.require_pass(part, systems)
                    return "killed", part, how_it_showed(done)
    return "survived", "", ""


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
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        has_clang = subprocess.run(["bash", source / "cmake/has_fuzzer.sh"], check=False).returncode == 0
        code = Code("clang++" if has_clang else compiler, source.resolve(), tree, pathlib.Path(folder))
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            verdicts = []
            for fault, found in zip(taken, pool.map(lambda fault: outcome(code, fault, changes[fault]), taken)):
                print(f"{found[0]:9} {fault.name:28} {found[1]:14} {found[2]}", flush=True)
                verdicts.append(found[0])
    killed = verdicts.count("killed")
    print(f"{killed} of {len(taken)} mutants killed in {time.monotonic() - start:.0f} s")
    sys.exit(0 if killed == len(taken) and not stale else 1)


main()
