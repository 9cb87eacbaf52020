#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Looks for breaches of the house's rules in the code: house_rules.py SOURCE_FOLDER"""
import os
import re
import sys

ROOMS = ("src", "kernels", "host", "tests", "bench", "examples", "cmake")
CODE = (".hpp", ".cpp", ".cuh", ".cu", ".h", ".c")
BUILD = (".cmake", ".cmake.in", "CMakeLists.txt", ".sh", ".json")

# (what a rule forbids, where it holds, where it does not, why). Comments and strings do not count.
FORBIDDEN = [
    (r"\bcub/|<<<", r".", r"^kernels/|^(examples|tests/emulator)/.*\.cu$", "CUB and kernel launches live in kernels/"),
    (r"\bKokkos::|\bKokkos_", r"^(src|host|kernels|tests|bench|examples)/",
     r"^src/hgrid/kokkos(_exec)?\.hpp$|^(tests|tests/consumers/clients|bench|bench/peers|bench/gpu|examples)/[^/]*kokkos[^/]*$", "Kokkos stays behind its door"),
    (r"__CUDA_ARCH__|__HIP_DEVICE_COMPILE__", r".", r"^src/hgrid/core/macros\.hpp$", "one header asks where it is compiled"),
    (r"\bnew\b|\b(m|c|re)alloc\b|\bcudaMalloc|\bstd::vector\b|\bmake_(unique|shared)\b|\b(push|emplace)_back\b|\.resize\(",
     r"^src/hgrid/(core|memory|inputs|plan|cells|engine|device|find|loop)/|^kernels/.*\.cuh$", r"/(asked_grid|planning|plan_keeper|plan_facts|world_boxes|checkpoint|copies|mesh|last_build|saved_grid|cuda_exec|devices)\.hpp$", "memory comes from the executor's buffers"),
    (r"_clock\b|\balarm\(", r"^tests/", r"^tests/(load|emulator/api_)", "no test by the clock: count work"),
]

# In scripts and CMake files of the tests: machines differ and are shared.
CLOCK = re.compile(r"(?<!-)\btimeout ?=|\bdeadline\b(?!=None)|\.wait\(\d|SECONDS - \w+ *[<>)]*[<>]|\btimeout \d|TIMEOUT \d{1,3}\b|-timeout=\d{1,3}\b")

# The rooms, each with the rooms of hgrid that its files may include: arrows point upwards in this list. A client's compiler sees
# src/hgrid only. A room is told by the longest folder that fits.
CLIENT = ("hgrid/options.hpp", "hgrid/plan.hpp", "hgrid/lists.hpp", "hgrid/version.hpp")
INPUT = ("hgrid/core/", "hgrid/memory/", "hgrid/inputs/", *CLIENT)
ENGINE = (*INPUT, "hgrid/plan/", "hgrid/cells/", "hgrid/engine/")
# Answers: what finds contacts and keeps them. Those who ask stand above the grid.
LISTS = (*ENGINE, *(f"hgrid/find/{name}.hpp" for name in (
    "neighbours", "plain_search", "list_entries", "lists_have_room", "packed_lists", "pair_filler", "narrow_filler", "lists_of_pairs",
    "list_filler", "asked_lists")))
ALLOWED = {
    "src/hgrid/core/": ("hgrid/core/",),
    "src/hgrid/options.hpp": ("hgrid/core/",),
    "src/hgrid/plan.hpp": ("hgrid/core/",),
    "src/hgrid/lists.hpp": ("hgrid/core/", "hgrid/memory/access.hpp", "hgrid/memory/list_arrays.hpp"),
    "src/hgrid/memory/": ("hgrid/core/", "hgrid/memory/", *CLIENT),
    "src/hgrid/inputs/": INPUT,
    "src/hgrid/plan/": (*INPUT, "hgrid/plan/"),
    "src/hgrid/cells/": (*INPUT, "hgrid/cells/"),
    "src/hgrid/engine/": ENGINE,
    "src/hgrid/threads/": (*INPUT, "hgrid/threads/"),
    "src/hgrid/device/": (*LISTS, "hgrid/device/"),
    "src/hgrid/grid.hpp": (*LISTS, "hgrid/find/asked_grid.hpp"),
    "src/hgrid/find/": (*LISTS, "hgrid/find/", "hgrid/grid.hpp"),
    "src/hgrid/loop/": (*LISTS, "hgrid/find/", "hgrid/loop/", "hgrid/grid.hpp"),
    "src/hgrid/ranks/": (*LISTS, "hgrid/threads/", "hgrid/find/", "hgrid/loop/", "hgrid/ranks/", "hgrid/grid.hpp"),
    "src/hgrid/cuda.hpp": ("hgrid/", "kernels/instances_"),
    "src/hgrid/mpi.hpp": ("hgrid/", "kernels/instances_ranks.cuh"),
    "src/hgrid/": ("hgrid/",),
    "host/planning/": (*INPUT, "hgrid/plan/", "host/planning/"),
    "host/search/": (*LISTS, "hgrid/threads/", "host/search/"),
    "host/sort/": (*LISTS, "hgrid/threads/", "host/search/", "host/sort/"),
    "host/neighbours/": (*LISTS, "hgrid/threads/", "host/search/", "host/sort/", "host/neighbours/"),
    "host/mpi/": ("hgrid/core/", "hgrid/ranks/", "host/mpi/"),
    "host/": (*LISTS, "hgrid/threads/", "host/"),
    "kernels/": (*LISTS, "hgrid/device/", "hgrid/find/", "hgrid/loop/", "hgrid/queries.hpp", "hgrid/loop.hpp",
                 "hgrid/ranks/device_stages.hpp", "hgrid/ranks/pair_stages.hpp", "hgrid/ranks/region_rules.hpp", "hgrid/ranks/reported_lists.hpp", "kernels/"),
    "src/hgrid/packing/": ("hgrid/",),
    "src/c/": ("hgrid/",),
    "src/python/": (),
    "src/tool/papers/": ("hgrid/", "host/planning/", "papers/"),
    "src/tool/io/": ("hgrid/", "io/"),
    "src/tool/": ("hgrid/", "host/planning/", "papers/", "io/", "c/hgrid.h"),
    "tests/support/oracle": (), "tests/support/exact": (),
}
STD_ONLY = (*(f"src/hgrid/{room}/" for room in ("core", "memory", "inputs", "plan", "cells", "engine", "find", "loop")), "tests/support/oracle", "tests/support/exact")

NOT_CODE = re.compile(r'R"(\w*)\(.*?\)\1"|//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'', re.S)


def strip(text):
    """The text without comments and strings, line by line where it was."""
    return NOT_CODE.sub(lambda found: "\n" * found.group().count("\n"), text)


# Comments, each language's, and the paths of files in them: no placeholders (NAME.hpp), no patterns and none on other machines.
COMMENT = {True: re.compile(r"//[^\n]*|/\*.*?\*/", re.S), False: re.compile(r"(?:^|\s)#[^\n]*|\"\"\".*?\"\"\"", re.S)}
PATH = re.compile(r"(?<![\w/.~$<{*-])(?:[\w.-]+/)*(?![A-Z]+\.)[\w][\w-]*\.(?:hpp|cpp|cuh?|h|c|pyi?|sh|md|cmake|faults|f90)\b(?![\w/(*])")


def files(root):
    for room in ROOMS:
        for folder, _, names in os.walk(os.path.join(root, room)):
            for name in sorted(names):
                if name.endswith(CODE + BUILD + (".py",)):
                    yield os.path.relpath(os.path.join(folder, name), root)
    yield "CMakeLists.txt"
    yield "CMakePresets.json"


INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)', re.M)


def included(root, path, quote, name):
    """The file of ours that an include names, from the root; None if it is somebody else's."""
    found = [os.path.join(os.path.dirname(path), name)] if quote == '"' else []
    for candidate in (*found, os.path.join("src", name), os.path.join("src", "tool", name), name, os.path.join("tests", name)):
        if os.path.isfile(os.path.join(root, candidate)):
            return os.path.normpath(candidate)
    return "src/" + name if name == "hgrid/version.hpp" else None  # which CMake writes


def check_includes(root, path, text):
    room = max((prefix for prefix in ALLOWED if path.startswith(prefix)), key=len, default=None)
    if room is None:
        return
    for found in INCLUDE.finditer(text):
        number, name = text.count("\n", 0, found.start(2)) + 1, found.group(2)
        ours = included(root, path, *found.groups())
        if ours is not None:
            if not ours.startswith(room) and not re.sub("^src/(tool/(?=io|papers))?", "", ours).startswith(ALLOWED[room]):
                yield number, f"{room} must not include {ours}"
        elif room in STD_ONLY and ("/" in name or "." in name):
            yield number, f"{room} includes the standard library only, not {name}"


def check_openmp(root, path, text):
    """Code that calls OpenMP links it: a static hgrid brings its own along, a shared one does not."""
    if found := re.search(r"<omp\.h>", text):
        folder = os.path.dirname(path)
        while not os.path.isfile(os.path.join(root, folder, "CMakeLists.txt")):
            folder = os.path.dirname(folder)
        with open(os.path.join(root, folder, "CMakeLists.txt"), encoding="utf-8") as file:
            if "OpenMP::OpenMP_CXX" not in file.read():
                yield text.count("\n", 0, found.start()) + 1, f"{folder}/CMakeLists.txt links no OpenMP"


def include_graph(root):
    """Returns for each file of code our files that it includes."""
    graph = {}
    for path in files(root):
        if path.endswith(CODE):
            with open(os.path.join(root, path), encoding="utf-8") as file:
                graph[path] = [ours for found in INCLUDE.finditer(file.read()) if (ours := included(root, path, *found.groups()))]
    return graph


def check_namespaces(root, graph):
    """A client's names are in the inline namespace of the version, all others in its `detail`, so that two versions may live in
    one process."""
    with open(os.path.join(root, "CMakeLists.txt"), encoding="utf-8") as file:
        version = "v" + "_".join(re.search(r"VERSION (\d+)\.(\d+)", file.read().split("project(")[1]).groups())
    with open(os.path.join(root, "docs", "headers.md"), encoding="utf-8") as file:
        page = set(re.findall(r"`([\w/]+\.hpp)`", file.read()))
    sets = set()
    for path in ("cmake/headers.cmake", "cmake/kokkos.cmake", "kernels/CMakeLists.txt", "host/mpi/CMakeLists.txt",
                 "src/hgrid/packing/CMakeLists.txt"):
        with open(os.path.join(root, path), encoding="utf-8") as file:
            sets.update(name for call in re.findall(r"hgrid_public_headers\((\w+[^)]*)\)", file.read()) for name in call.split()[2:])
    for path in graph:
        if not path.startswith(("src/hgrid/", "host/", "kernels/")):
            continue
        with open(os.path.join(root, path), encoding="utf-8") as file:
            text = strip(file.read())
        name = path.removeprefix("src/hgrid/")
        if path.startswith("src/hgrid/") and path.endswith(".hpp"):
            public = f"namespace hgrid::inline {version} {{" in text or "namespace hgrid" not in text and not name.endswith("-inl.hpp")
            for listed in ("docs/headers.md", "the file sets of CMake"):
                if public != (name in (page if listed.startswith("docs") else sets)):
                    yield f"{path}: {'not ' * public}in {listed}, though {'not ' * (not public)}public"
        for opened in re.findall(r"^namespace (hgrid[^{;=]*?) *\{", text, re.M):
            if opened not in (f"hgrid::inline {version}", inner := f"hgrid::inline {version}::detail", inner + "::HWY_NAMESPACE"):
                yield f"{path}: namespace {opened} is neither of version {version} nor its detail"


def ends(root):
    """Returns the ends of paths of our files: lattice.hpp, core/lattice.hpp, ..."""
    found = set()
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name not in ("build", "__pycache__") and not name.startswith(".")]
        for name in names:
            parts = os.path.relpath(os.path.join(folder, name), root).split(os.sep)
            found.update("/".join(parts[k:]) for k in range(len(parts)))
    return found | {"hgrid/version.hpp", "version.hpp"}  # which CMake writes


def check_paths(root, known):
    """Files that comments name are there: they move, and comments do not follow by themselves."""
    for path in files(root):
        if path.endswith(".json"):
            continue
        with open(os.path.join(root, path), encoding="utf-8") as file:
            text = file.read()
        for comment in COMMENT[path.endswith(CODE)].finditer(text):
            for named in PATH.finditer(comment.group()):
                if os.path.normpath(named.group()) not in known:
                    number = text.count("\n", 0, comment.start() + named.start()) + 1
                    yield f"{path}:{number}: there is no {named.group()}"


def import_graph(root):
    """Returns for each module of the Python package the modules that it imports."""
    folder, graph = os.path.join("src", "python", "hgrid"), {}
    for name in sorted(os.listdir(os.path.join(root, folder))):
        if name.endswith(".py"):
            with open(os.path.join(root, folder, name), encoding="utf-8") as file:
                found = re.findall(r"^ *from \. import (.*)$|^ *from \.(\w+) import", file.read(), re.M)
            modules = [module for several, one in found for module in (several.split(", ") if several else [one])]
            graph[f"{folder}/{name}"] = [f"{folder}/{module}.py" for module in modules if module != "_core"]
    return graph


def check_rooms(root):
    """A line of code knows its room by its path: no two folders of the library have one name."""
    seen = {}
    for top in ("src/hgrid", "host", "kernels"):
        for folder, _, names in os.walk(os.path.join(root, top)):
            if not names:
                continue
            path = os.path.relpath(folder, root)
            other = seen.setdefault(os.path.basename(path), path)
            if other != path:
                yield f"{path}: {other} has the same name"


def circles(graph):
    """Files that include or import themselves by way of others."""
    done, trail = set(), []

    def walk(path):
        if path in trail:
            yield " -> ".join([*trail[trail.index(path):], path])
        elif path not in done:
            trail.append(path)
            for other in graph.get(path, ()):
                yield from walk(other)
            done.add(trail.pop())
    for path in graph:
        yield from walk(path)


def check(root, path):
    with open(os.path.join(root, path), encoding="utf-8") as file:
        text = file.read()
    lines = text.splitlines()
    if not path.endswith(".json") and not any("SPDX-License-Identifier: BSD-3-Clause" in line for line in lines[:3]):
        yield 1, "no SPDX line"
    if len(lines) > 300:
        yield 300, f"{len(lines)} lines; 300 are the limit"
    if path.endswith(CODE):
        for number, line in enumerate(lines, 1):
            if len(line) > 128 and COMMENT[True].search(line):
                yield number, f"a comment ends at column {len(line)}; 128 are the limit"
        for number, line in enumerate(strip(text).splitlines(), 1):
            for pattern, where, but, why in FORBIDDEN:
                if re.search(where, path) and not re.search(but, path) and (hit := re.search(pattern, line)):
                    yield number, f"'{hit.group()}': {why}"
        yield from check_includes(root, path, text)
        yield from check_openmp(root, path, text)
    elif path.startswith(("tests/", "cmake/")) and not path.endswith("house_rules.py"):
        yield from ((number, "no test by the clock: count work") for number, line in enumerate(lines, 1) if CLOCK.search(line))
    if path.endswith(BUILD):
        for number, line in enumerate(lines, 1):
            if re.search(r"-Ofast|fast[-_]math", line.split("#")[0]) and "fast_math_is_refused" not in line:
                yield number, "the contract rests on IEEE rounding"


def main():
    root = sys.argv[1]
    breaches = [f"{path}:{number}: {what}" for path in files(root) for number, what in check(root, path)]
    graph = include_graph(root)
    breaches += [f"a circle of includes: {circle}" for circle in circles(graph)]
    breaches += [f"a circle of imports: {circle}" for circle in circles(import_graph(root))]
    breaches += check_rooms(root)
    breaches += check_namespaces(root, graph)
    breaches += check_paths(root, ends(root))
    print("\n".join(breaches) or "no breach")
    sys.exit(1 if breaches else 0)


main()
