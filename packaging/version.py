#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The version: version.py tells where files disagree with CMakeLists.txt, which has it; version.py 1.2.3 2001-02-03 makes a release
of what stands under [Unreleased] in the changelog. Then commit, and tag the commit v1.2.3."""
import pathlib
import re
import sys

# Files, and where they name the version: all of it (3 numbers), or what stays the same in a patch (2).
PLACES = [
    ("CMakeLists.txt", r"^project\(hgrid VERSION ([\d.]+)", 3),
    ("packaging/conda/recipe.yaml", r'^  version: "(.*)"$', 3),
    ("packaging/spack/package.py", r'^    version\("(.*)"\)$', 3),
    ("packaging/README.md", r"hgrid@([\d.]+)", 3),
    ("CITATION.cff", r"^version: (.*)$", 3),
    ("src/c/hgrid.h", r'hgrid_version\(void\);.*such as "(.*)"', 3),
    ("docs/headers.md", r"`hgrid::v(\w+)`", 2),
    ("CONTRIBUTING.md", r"`namespace hgrid::inline v(\w+)`", 2),
]
# Globs, and what in some of their files names the version: those that find the package, and those that open or name the library's namespace.
FOUND = r"find_package\(hgrid ([\d.]+)"
NAMESPACE = r"(?:\binline(?: namespace)?|// namespace(?: hgrid::inline)?) v(\d+_\d+)\b"
WHEREVER = [
    *((path, FOUND) for path in ("README.md", "docs/**/*.md", "examples/CMakeLists.txt", "tests/**/CMakeLists.txt")),
    *((f"{room}/**/*{end}", NAMESPACE) for room in ("src", "host", "kernels", "tests") for end in (".hpp", ".cpp", ".cuh", ".cu")),
]
VERSION, DATE = r"\d+\.\d+\.\d+", r"20\d\d-[01]\d-[0-3]\d"


def places(root):
    """(path, where it names the version, how many numbers) of all files that do."""
    yield from ((root / path, pattern, count) for path, pattern, count in PLACES)
    for names, pattern in WHEREVER:
        yield from ((path, pattern, 2) for path in sorted(root.glob(names)) if re.search(pattern, path.read_text(encoding="utf-8")))


def current(root):
    return re.search(PLACES[0][1], (root / PLACES[0][0]).read_text(encoding="utf-8"), re.M).group(1)


def disagreements(root):
    """Other versions than the project's."""
    def text(path):
        return (root / path).read_text(encoding="utf-8")

    version = current(root)
    for path, pattern, count in places(root):
        named = [found.replace("_", ".") for found in re.findall(pattern, text(path), re.M)]
        if not named or set(named) != {".".join(version.split(".")[:count])}:
            yield f"{path.relative_to(root)}: the version is {' and '.join(named) or 'not there'}, in CMakeLists.txt {version}"
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
    dated = [re.fullmatch(rf"\[({VERSION})\] - ({DATE})", section) for section in sections]
    yield from (f"CHANGELOG.md: '{section}' is not '[1.2.3] - 2001-02-03'" for section, good in zip(sections, dated) if not good)
    if not dated or not all(dated):
        return
    if dated[0].group(1) != version:
        yield f"CHANGELOG.md: the newest version is {dated[0].group(1)}, in CMakeLists.txt {version}"
    if sorted((good.group(2) for good in dated), reverse=True) != [good.group(2) for good in dated]:
        yield "CHANGELOG.md: dates do not descend"
    if f"\ndate-released: {dated[0].group(2)}\n" not in text("CITATION.cff"):
        yield f"CITATION.cff: it was not released on {dated[0].group(2)}, as CHANGELOG.md says"


def release(root, version, date):
    """Names the new version wherever the old one is named."""
    numbers = version.split(".")

    def renamed(count):
        def write(found):
            new = ("_" if "_" in found.group(1) else ".").join(numbers[:count])
            start, end = (found.span(1)[side] - found.start() for side in (0, 1))
            return found.group()[:start] + new + found.group()[end:]
        return write

    texts = {}  # nothing is written before all is known

    def rewrite(path, pattern, new, least, most):
        text = texts.get(path) or path.read_text(encoding="utf-8")
        texts[path], found = re.subn(pattern, new, text, flags=re.M)
        if not least <= found <= most:
            sys.exit(f"version: {path.relative_to(root)} has {found} lines '{pattern}'")

    if [int(n) for n in numbers] <= [int(n) for n in current(root).split(".")]:
        sys.exit(f"version: {version} is not newer than {current(root)}")
    for path, pattern, count in places(root):
        rewrite(path, pattern, renamed(count), 1, 10**6)
    rewrite(root / "CHANGELOG.md", r"^## \[Unreleased\]$", f"## [{version}] - {date}", 1, 1)
    rewrite(root / "CITATION.cff", r"^date-released: .*$", f"date-released: {date}", 1, 1)
    for path, text in texts.items():
        path.write_text(text, encoding="utf-8")


def main():
    root = pathlib.Path(__file__).resolve().parents[1]
    if len(sys.argv) == 3 and re.fullmatch(VERSION, sys.argv[1]) and re.fullmatch(DATE, sys.argv[2]):
        release(root, *sys.argv[1:])
    elif len(sys.argv) != 1:
        sys.exit(__doc__)
    found = [*disagreements(root)]
    print("\n".join(found) or f"{current(root)} everywhere")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
