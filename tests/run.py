#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Builds and runs the tests: run.py [--all | --job NAME] [--dry]. setup.sh has installed what they need.

Everything is compiled, and whatever takes seconds runs. Long tests take turns (turns.py), and --all runs each. A job
runs all tests of its rooms (labels.cmake). --dry only says what would run. Tests that the changed files reach run first. The end tells the ten slowest, and for each failure the command that repeats it."""
import os
import re
import subprocess
import sys
import threading
import time

import reach
import turns

BUILD = "build/release"
CORES = str(os.cpu_count())
SCRIPTS = {"sanitizers": ["bash", "tests/sanitize.sh"], "fuzzing": ["bash", "tests/fuzz/run.sh", "20", "2"],
           "faults": ["env", "HGRID_MUTANTS=4", "python3", "tests/mutants/run.py", "g++", ".", BUILD], "coverage": ["bash", "tests/coverage.sh"],
           "newest_toolkit": ["bash", "tests/newest_toolkit.sh"], "clients": ["bash", "tests/clients.sh"], "real_files": ["bash", "tests/real_files.sh", "20"],
           "cuda_wheel": ["bash", "tests/python.sh", "cuda"]}
LABELS = ("random", "races", "emulator", "consumers")  # units that ctest runs
TARGETS = {"headers": ["headers_alone"]}  # units that are only built
JOBS = {"host": "host|package", "lockstep": "lockstep", "emulator_1": "emulator_1", "emulator_2": "emulator_2", "ranks_kokkos": "ranks|kokkos",
        "tool_python": "tool"}  # rooms of each
UNITS_OF_JOBS = {"host": ["sanitizers", "coverage", "faults", "headers", "consumers"], "lockstep": ["random"], "emulator_1": ["races", "architecture"], "emulator_2": ["emulator"],
                 "ranks_kokkos": ["newest_toolkit"],
                 "tool_python": ["fuzzing", "wheel", "cuda_wheel", "clients", "real_files"]}
PROGRESS = 60  # seconds between two lines that say how far it is


class Run:
    def __init__(self):
        self.failed, self.took, self.stages = [], [], []

    def stage(self, name, command, log=None):
        """Runs a command. Its output goes to a log, whose errors are shown if it fails, or is shown as it comes."""
        print(f"== {name}", flush=True)
        start = last = time.monotonic()
        failed_before = len(self.failed)
        file = open(log, "w", encoding="utf-8") if log else None
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True,
                              errors="replace") as process:
            for line in process.stdout:
                self.look_at(line)
                now = time.monotonic()
                if not file:
                    print(line, end="", flush=True)
                    continue
                file.write(line)
                if now - last > PROGRESS and re.match(r"\[\d+/\d+\]|\s*\d+/\d+ Test", line):
                    last = now
                    print(f"   {now - start:.0f} s: {line.strip()[:120]}", flush=True)
        self.stages.append((name, time.monotonic() - start))
        print(f"== {name} took {self.stages[-1][1]:.0f} s", flush=True)
        if process.returncode != 0:
            if len(self.failed) == failed_before:  # no test of it is named yet
                self.failed.append((name, " ".join(command)))
            if file:
                file.close()
                show_errors(log)
        return process.returncode == 0

    def look_at(self, line):
        found = re.search(r"Test +#\d+: (\S+) \.*[^\d]*?(Passed|Failed|Skipped|Timeout|Exception|Not Run).*? ([\d.]+) sec", line)
        if found:
            self.took.append((float(found[3]), found[1]))
            if found[2] not in ("Passed", "Skipped"):
                self.failed.append((found[1], f"ctest --test-dir {BUILD} --output-on-failure -R '^{found[1]}$'"))
                print(f"   FAILED: {found[1]}", flush=True)

    def end(self, waiting):
        print("\nslowest: " + ", ".join(f"{name} {seconds:.0f} s" for seconds, name in sorted(self.took, reverse=True)[:10]))
        print("stages: " + ", ".join(f"{name} {seconds:.0f} s" for name, seconds in self.stages))
        print("waiting for their turn: " + (", ".join(waiting) or "none"))
        for name, command in self.failed:
            print(f"FAILED: {name}; repeat it with\n  {command}")
        print(f"{len(self.took) + len(self.stages) - len(self.failed)} passed, {len(self.failed)} failed")
        return bool(self.failed)


def show_errors(log):
    with open(log, encoding="utf-8", errors="replace") as file:
        lines = file.read().splitlines()
    wanted = [k for k, line in enumerate(lines) if re.search(r"^FAILED|error:|undefined reference|Failure$|\*\*\*Failed", line)][:10]
    for k in sorted({near for k in wanted for near in range(k, min(k + 6, len(lines)))}) or range(max(0, len(lines) - 30), len(lines)):
        print(f"   {lines[k][:200]}")


def configure(units):
    """Python's module comes later, when its packages are there."""
    architectures = "80;" + turns.some(["90", "100", "120"], 1, turns.landing())[0] if "architecture" in units else "80"
    return ["cmake", "--preset", "release", f"-DCMAKE_CUDA_ARCHITECTURES={architectures}", "-DHGRID_PYTHON_MODULE=OFF", "-DHGRID_DRAFT=ON"]


def names_of(tests):
    return "^(" + "|".join(map(re.escape, tests)) + ")$"


def plan(arguments):
    """(units that run, options of ctest for tests that run, whether Python's run)"""
    every = [name for row in turns.UNITS for name, _ in row]
    if "--job" in arguments:
        job = arguments[arguments.index("--job") + 1]
        return UNITS_OF_JOBS.get(job, []), ["-L", f"^({JOBS[job]})$"], job == "tool_python"
    units = every if "--all" in arguments else turns.due(turns.landing(), turns.changed())
    waiting = [label for label in LABELS if label not in units]
    return units, (["-LE", f"^turn_({'|'.join(waiting)})$"] if waiting else []), True


def main():
    os.chdir(turns.ROOT)
    os.environ["CMAKE_GENERATOR"] = "Ninja"
    units, chosen, with_python = plan(sys.argv[1:])
    waiting = [name for row in turns.UNITS for name, _ in row if name not in units]
    print(f"long tests that run: {', '.join(units) or 'none'}; that wait: {', '.join(waiting) or 'none'}", flush=True)
    ctest = ["ctest", "--preset", "release", "--parallel", CORES, *chosen]
    if "--dry" in sys.argv:
        return subprocess.run([*ctest, "--show-only"], check=False).returncode
    os.makedirs("build", exist_ok=True)
    run = Run()
    packages = threading.Thread(target=lambda: with_python and subprocess.run(["bash", "tests/python.sh", "packages"], check=False,
                                                                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
    packages.start()  # while others are compiled
    targets = ["all", "gpu_tests"] + [target for unit in units for target in TARGETS.get(unit, [])]
    built = run.stage("configuring", configure(units), "build/configure.log") and run.stage(
        "the release build", ["cmake", "--build", BUILD, "--parallel", CORES, "--target", *targets, "--", "-k", "0"], "build/release.log")
    if built:
        first = reach.tests(BUILD, turns.changed())
        if first:
            run.stage(f"{len(first)} tests of changed files", [*ctest, "-R", names_of(first)], "build/ctest_first.log")
        run.stage("tests", [*ctest, *(["-E", names_of(first)] if first else [])], "build/ctest.log")
    packages.join()
    if built and with_python:
        run.stage("python", ["bash", "tests/python.sh", *([] if "wheel" in units else ["quick"])])
    for unit in units:
        if built and unit in SCRIPTS:
            run.stage(unit, SCRIPTS[unit])
    return run.end(waiting)


sys.exit(main())
