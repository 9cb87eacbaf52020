#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What names the version agrees, and the recipes of packaging/ fit the build: packaging.py SOURCE_FOLDER
CMakeLists.txt has the version. All else names the same one, and the changelog has a section of it with a date. Recipes name options
that CMake has. Spack's recipe is run for several specs, on a stand-in for Spack."""
import itertools
import pathlib
import re
import sys
import types

# Files, and where they name the version: all of it (3 numbers), or what stays the same in a patch (2).
VERSIONS = [
    ("packaging/conda/recipe.yaml", r'^  version: "(.*)"$', 3),
    ("packaging/README.md", r"hgrid@([\d.]+)", 3),
    ("CITATION.cff", r"^version: (.*)$", 3),
    ("src/c/hgrid.h", r'hgrid_version\(void\);.*such as "(.*)"', 3),
    *((f"src/c/hgrid11_{name}.hpp", r"^inline namespace v(\w+) \{", 2) for name in ("box", "error", "grid", "lists", "particles", "verlet")),
    ("src/hgrid/core/macros.hpp", r"^namespace hgrid::inline v(\w+?)::detail \{", 2),  # the others: house_rules.py
    *((path, r"find_package\(hgrid ([\d.]+)", 2) for path in ("README.md", "docs/guide.md", "docs/c.md", "docs/cpp11.md", "docs/scale-out.md", "examples/CMakeLists.txt",
      "tests/consumers/find_package/CMakeLists.txt", "tests/consumers/clients/CMakeLists.txt", "tests/consumers/cpp11/CMakeLists.txt")),
]

VARIANTS = ("shared", "highway", "c", "tool", "kokkos", "mpi", "cuda")


class Spec:
    """A spec with the variants that are on."""

    def __init__(self, on):
        self.on = on
        self.variants = {"cuda_arch": types.SimpleNamespace(value=("90",))}

    def satisfies(self, text):
        return (text[1:] in self.on) == (text[0] == "+")


def spack_recipe(path):
    """(the class, what it declares) of a recipe of Spack's."""
    declared = {name: [] for name in ("license", "version", "variant", "depends_on", "conflicts")}
    package = types.ModuleType("spack.package")
    for name, calls in declared.items():
        setattr(package, name, lambda *given, calls=calls, **named: calls.append((given, named)))
    bases = {"cmake": "CMakePackage", "cuda": "CudaPackage"}
    modules = {"spack": types.ModuleType("spack"), "spack.package": package}
    for room, name in bases.items():
        module = types.ModuleType(f"spack_repo.builtin.build_systems.{room}")
        setattr(module, name, type(name, (), {}))
        modules[module.__name__] = module
    for name in ("spack_repo", "spack_repo.builtin", "spack_repo.builtin.build_systems"):
        modules[name] = types.ModuleType(name)
    sys.modules.update(modules)
    names = {}
    exec(compile(path.read_text(encoding="utf-8"), path, "exec"), names)
    recipe = names["Hgrid"]
    recipe.define = lambda self, name, value: f"-D{name}={value}"
    recipe.define_from_variant = lambda self, name, variant: f"-D{name}={self.spec.satisfies('+' + variant)}"
    return recipe, declared


def disagreements(root, version):
    """Other versions than the project's."""
    def text(path):
        return (root / path).read_text(encoding="utf-8")

    parts = version.split(".")
    for path, pattern, count in VERSIONS:
        named = [found.replace("_", ".") for found in re.findall(pattern, text(path), re.M)]
        if not named or set(named) != {".".join(parts[:count])}:
            yield f"{path}: the version is {' and '.join(named) or 'not there'}, in CMakeLists.txt {version}"
    header = re.findall(r"#define (HGRID_VERSION\w*) \"?@PROJECT_VERSION(\w*)@", text("cmake/version.hpp.in"))
    if [(name, name.removeprefix("HGRID_VERSION")) for name, _ in header] != header or len(header) != 4:
        yield "cmake/version.hpp.in: a number is not the project's"
    regex = re.search(r"^input = \"CMakeLists.txt\"\nregex = '(.*)'", text("pyproject.toml"), re.M)
    if not regex or re.search(regex.group(1), text("CMakeLists.txt")).group("value") != version:
        yield "pyproject.toml: it does not find the version of CMakeLists.txt"

    # Sections: perhaps [Unreleased], with what came since the last version; then versions and their dates, the newest first.
    sections = re.findall(r"^## (.*)$", text("CHANGELOG.md"), re.M)
    if sections[:1] == ["[Unreleased]"]:
        sections = sections[1:]
    if not sections:
        yield f"CHANGELOG.md: there is no section of {version}"
    dated = [re.fullmatch(r"\[(\d+\.\d+\.\d+)\] - (20\d\d-[01]\d-[0-3]\d)", section) for section in sections]
    yield from (f"CHANGELOG.md: '{section}' is not '[1.2.3] - 2001-02-03'" for section, good in zip(sections, dated) if not good)
    if not dated or not all(dated):
        return
    if dated[0].group(1) != version:
        yield f"CHANGELOG.md: the newest version is {dated[0].group(1)}, in CMakeLists.txt {version}"
    if sorted((good.group(2) for good in dated), reverse=True) != [good.group(2) for good in dated]:
        yield "CHANGELOG.md: dates do not descend"
    if f"\ndate-released: {dated[0].group(2)}\n" not in text("CITATION.cff"):
        yield f"CITATION.cff: it was not released on {dated[0].group(2)}, as CHANGELOG.md says"


def faults(root):
    version = re.search(r"project\(hgrid VERSION ([\d.]+)", (root / "CMakeLists.txt").read_text(encoding="utf-8")).group(1)
    yield from disagreements(root, version)
    cmake = "".join(path.read_text(encoding="utf-8") for path in (root / "cmake/options.cmake", root / "cmake/highway.cmake"))
    options = set(re.findall(r"(?:option|hgrid_choice|find_path)\((HGRID_\w+)", cmake))

    recipe, declared = spack_recipe(root / "packaging/spack/package.py")
    if version not in {given[0] for given, _ in declared["version"]}:
        yield f"spack: there is no version {version}"
    variants = {given[0] for given, _ in declared["variant"]} | {"cuda"}
    if variants != set(VARIANTS):
        yield f"spack: variants are {sorted(variants)}"
    for _, named in declared["depends_on"]:
        if named.get("when", "+c")[1:] not in variants:
            yield f"spack: depends on something when {named['when']}"
    for count in range(len(VARIANTS) + 1):
        for on in itertools.combinations(VARIANTS, count):
            recipe.spec = Spec(on)
            args = recipe().cmake_args()
            yield from (f"spack: {a} is no option" for a in args if re.match(r"-DHGRID_", a) and a[2:].split("=")[0] not in options)
            if ("-DHGRID_HIGHWAY_INCLUDE=False" in args) == ("highway" in on):
                yield f"spack: highway for {on}"

    conda = (root / "packaging/conda/recipe.yaml").read_text(encoding="utf-8")
    yield from (f"conda: {name} is no option" for name in re.findall(r"-D(HGRID_\w+)", conda) if name not in options)
    project = (root / "pyproject.toml").read_text(encoding="utf-8")
    for need in re.findall(r'"([\w-]+)([<>]=?[<>=.,\d]+)"', project):
        if not re.search(rf"- {need[0]} {re.escape(need[1].split(',')[0])}", conda):
            yield f"conda: pyproject.toml needs {''.join(need)}"


def main():
    found = sorted(set(faults(pathlib.Path(sys.argv[1]).resolve())))
    print("\n".join(found) or "the versions agree, and the recipes fit the build")
    sys.exit(1 if found else 0)


main()
