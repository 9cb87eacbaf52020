#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Looks for breaches of the house's rules in the code: house_rules.py SOURCE_FOLDER"""
import os
import re
import sys

ROOMS = ("src", "kernels", "host", "tests", "bench", "examples", "cmake")
CODE = (".hpp", ".cpp", ".cuh", ".cu")
BUILD = (".cmake", ".cmake.in", "CMakeLists.txt", ".sh", ".json")

# (what a rule forbids, where it holds, where it does not, why). Comments and strings do not count.
FORBIDDEN = [
    (r"\bcub/|<<<", r".", r"^kernels/|^(examples|tests/emulator)/.*\.cu$", "CUB and kernel launches live in kernels/"),
    (r"\bKokkos::|\bKokkos_", r"^(src|host|kernels|tests|bench|examples)/",
     r"^src/hgrid/kokkos(_exec)?\.hpp$|^(tests|bench|bench/peers|examples)/[^/]*kokkos[^/]*$", "Kokkos stays behind its door"),
    (r"__CUDA_ARCH__|__HIP_DEVICE_COMPILE__", r".", r"^src/hgrid/core/macros\.hpp$", "one header asks where it is compiled"),
    (r"\bnew\b|\b(m|c|re)alloc\b|\bcudaMalloc|\bstd::vector\b|\bmake_(unique|shared)\b|\b(push|emplace)_back\b|\.resize\(",
     r"^src/hgrid/(core|build|loop)/|^kernels/.*\.cuh$", r"buffer[^/]*$|/grid\.hpp$", "memory comes from the executor's buffers"),
    (r"_clock\b|\balarm\(", r"^tests/", r"^tests/(load|emulator/api_)", "no test by the clock: count work"),
]

# In scripts and CMake files of the tests: machines differ and are shared.
CLOCK = re.compile(r"(?<!-)\btimeout ?=|\bdeadline\b|\.wait\(\d|SECONDS - \w+ *[<>)]*[<>]|\btimeout \d|TIMEOUT \d{1,3}\b|-timeout=\d{1,3}\b")

# What the files of a folder may include of hgrid; the dependencies between rooms point left to right.
ALLOWED = {
    "src/hgrid/core/": ("hgrid/core/",),
    "src/hgrid/build/": ("hgrid/core/", "hgrid/build/", "hgrid/host/planning/plan.hpp"),  # the planner's door
    "src/hgrid/loop/": ("hgrid/core/", "hgrid/build/", "hgrid/loop/"),
    "host/": ("hgrid/core/", "hgrid/build/", "hgrid/loop/", "hgrid/host/", "hgrid/hgrid.hpp", "hgrid/version.hpp"),
    "kernels/": ("hgrid/core/", "hgrid/build/", "hgrid/loop/", "hgrid/host/", "hgrid/kernels/", "hgrid/version.hpp"),
    "tests/support/oracle": (), "tests/support/exact": (),
}
STD_ONLY = ("src/hgrid/core/", "src/hgrid/build/", "src/hgrid/loop/", "tests/support/oracle", "tests/support/exact")

NOT_CODE = re.compile(r'R"(\w*)\(.*?\)\1"|//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'', re.S)


def strip(text):
    """The text without comments and strings, line by line where it was."""
    return NOT_CODE.sub(lambda found: "\n" * found.group().count("\n"), text)


def files(root):
    for room in ROOMS:
        for folder, _, names in os.walk(os.path.join(root, room)):
            for name in sorted(names):
                if name.endswith(CODE + BUILD + (".py",)):
                    yield os.path.relpath(os.path.join(folder, name), root)
    yield "CMakeLists.txt"
    yield "CMakePresets.json"


def check_includes(path, text):
    for prefix, allowed in ALLOWED.items():
        if not path.startswith(prefix):
            continue
        for number, line in enumerate(text.splitlines(), 1):
            found = re.match(r'\s*#\s*include\s*([<"])([^>"]+)', line)
            if not found:
                continue
            name = found.group(2)
            if found.group(1) == '"' and not name.startswith("hgrid/"):
                name = os.path.normpath(os.path.join(os.path.dirname(path), name))
                name = re.sub(r"^src/", "", name) if name.startswith("src/") else "hgrid/" + name
            if name.startswith("hgrid/"):
                if not name.startswith(allowed):
                    yield number, f"{prefix} must not include {name}"
            elif prefix in STD_ONLY and ("/" in name or "." in name):
                yield number, f"{prefix} includes the standard library only, not {name}"


def check(root, path):
    with open(os.path.join(root, path), encoding="utf-8") as file:
        text = file.read()
    lines = text.splitlines()
    if not path.endswith(".json") and not any("SPDX-License-Identifier: BSD-3-Clause" in line for line in lines[:3]):
        yield 1, "no SPDX line"
    if len(lines) > 300:
        yield 300, f"{len(lines)} lines; 300 are the limit"
    if path.endswith(CODE):
        for number, line in enumerate(strip(text).splitlines(), 1):
            for pattern, where, but, why in FORBIDDEN:
                if re.search(where, path) and not re.search(but, path) and (hit := re.search(pattern, line)):
                    yield number, f"'{hit.group()}': {why}"
        yield from check_includes(path, text)
    elif path.startswith(("tests/", "cmake/")) and not path.endswith("house_rules.py"):
        yield from ((number, "no test by the clock: count work") for number, line in enumerate(lines, 1) if CLOCK.search(line))
    if path.endswith(BUILD):
        for number, line in enumerate(lines, 1):
            if re.search(r"-Ofast|fast[-_]math", line.split("#")[0]) and "fast_math_is_refused" not in line:
                yield number, "the contract rests on IEEE rounding"


def main():
    root = sys.argv[1]
    breaches = [f"{path}:{number}: {what}" for path in files(root) for number, what in check(root, path)]
    print("\n".join(breaches) or "no breach")
    sys.exit(1 if breaches else 0)


main()
