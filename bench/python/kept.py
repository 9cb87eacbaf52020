# SPDX-License-Identifier: BSD-3-Clause
"""Helpers of the benchmarks of this folder: results are kept in a file, and the picture is drawn from there; programs in C++
beside Python, and the memory that both take."""
import json
import pathlib
import re
import subprocess
import sys


def main(measure, draw):
    """Reads the arguments of `BENCHMARK.py RESULTS.json PICTURE.png [measure]`."""
    results, picture = sys.argv[1:3]
    if "measure" in sys.argv[3:]:
        with open(results, "w", encoding="utf-8") as file:
            measured = measure()
            rows = ",\n  ".join(map(json.dumps, measured.pop("rows")))
            file.write(json.dumps(measured)[:-1] + f', "rows": [\n  {rows}\n]}}\n')
    with open(results, encoding="utf-8") as file:
        draw(json.load(file), picture)


def compile(source, library, program):
    """Makes a program of a C++ file and libhgrid.a."""
    root, build = pathlib.Path(__file__).resolve().parents[2], pathlib.Path(library).resolve().parents[1]
    subprocess.run(["g++", "-std=c++20", "-O3", "-ffp-contract=off", f"-I{root}", f"-I{root}/src", f"-I{build}/include", str(source),
                    str(library), "-fopenmp", "-o", program], check=True)


def memory(name):
    """A line of the kernel's account of this process, in bytes."""
    return 1024 * int(re.search(rf"^{name}:\s*(\d+) kB", pathlib.Path("/proc/self/status").read_text(), re.M).group(1))


def begin_peak():
    """The peak, "VmHWM", counts from here; returns the memory in use."""
    pathlib.Path("/proc/self/clear_refs").write_text("5")
    return memory("VmRSS")
