#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""All names of the version agree (packaging/version.py), and the recipes of packaging/ fit the build: packaging.py SOURCE_FOLDER
A release, made in a copy, leaves no old version behind. Recipes name options that CMake has. Spack's recipe is run for several specs, on a stand-in for Spack."""
import itertools
import pathlib
import re
import shutil
import sys
import tempfile
import types

VARIANTS = ("shared", "highway", "c", "tool", "kokkos", "mpi", "cuda")


class Spec:
    """A spec with the variants that are on."""

    def __init__(self, on):
        self.on = on
        self.variants = {"cuda_arch": types.SimpleNamespace(value=("90",))}

    def satisfies(self, text):
        return (text[1:] in self.on) == (text[0] == "+")


def spack_recipe(path):
    """Returns (the class, its declarations) of a Spack recipe."""
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


def release_faults(root, versions, version):
    """Returns the old versions that a release would leave."""
    rooms = {path for place in ("src", "host", "kernels", "docs", "packaging", "cmake", "examples", "tests") for path in (root / place).rglob("*")}
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder)
        for path in [*rooms, *root.glob("*.*")]:
            if path.is_file() and path.suffix not in (".png", ".pyc"):
                target = copy / path.relative_to(root)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, target)
        if "## [Unreleased]" not in (copy / "CHANGELOG.md").read_text(encoding="utf-8"):
            changelog = (copy / "CHANGELOG.md").read_text(encoding="utf-8").replace("\n## ", "\n## [Unreleased]\n\n## ", 1)
            (copy / "CHANGELOG.md").write_text(changelog, encoding="utf-8")
        versions.release(copy, "17.23.5", "2097-01-31")
        yield from (f"after a release: {fault}" for fault in versions.disagreements(copy))
        old = re.compile(rf"\bhgrid[ @]{re.escape(version.rpartition('.')[0])}\b|\bv{version.rpartition('.')[0].replace('.', '_')}\b")
        for path in copy.rglob("*"):
            if path.is_file() and path.suffix != ".txt" and old.search(path.read_text(encoding="utf-8", errors="replace")):
                yield f"after a release: {path.relative_to(copy)} names {version}"


def faults(root):
    sys.path.insert(0, str(root / "packaging"))
    import version as versions

    version = versions.current(root)
    yield from versions.disagreements(root)
    yield from release_faults(root, versions, version)
    cmake = "".join(path.read_text(encoding="utf-8") for path in (root / "cmake/options.cmake", root / "cmake/highway.cmake"))
    options = set(re.findall(r"(?:option|hgrid_choice|find_path)\((HGRID_\w+)", cmake))

    recipe, declared = spack_recipe(root / "packaging/spack/package.py")
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
