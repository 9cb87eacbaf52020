#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Links of the documents lead somewhere: docs_links.py SOURCE_FOLDER [--external]
Each relative link in a page is to a file or folder of the project, and each anchor to a heading of that page. The README
reaches every page and every figure over such links. Addresses of others have a good form, and are of hosts that are known to stay;
nobody looks whether they answer. --external lists them. Every public header with names of its own is in the site's reference, which names pages that exist."""
import pathlib
import re
import sys
import urllib.parse

LINK = re.compile(r"(!?)\[[^\]]*\]\(([^)\s]+)\)")
HIDDEN = re.compile(r"^```.*?^```|`[^`\n]*`|<!--.*?-->", re.S | re.M)

ADDRESS = re.compile(r"\b\w+://[^\s)>\]\"'`|]*")
HOSTS = ("doi.org", "keepachangelog.com", "sandialabs.github.io", "github.com")


def external(root):
    """(page, address) of all in pages, and in the pages of the site alone."""
    for page in [*pages(root), *sorted(root.glob("docs/**/*.rst")), root / "CITATION.cff"]:
        for address in ADDRESS.findall(page.read_text(encoding="utf-8")):
            yield page.relative_to(root), address.rstrip(".,;:")


def bad_address(address):
    """Returns the fault of an address, or None."""
    url = urllib.parse.urlsplit(address)
    if url.scheme != "https":
        return "is not https"
    if url.netloc not in HOSTS:
        return f"is of no host in {', '.join(HOSTS)}"
    if not re.fullmatch(r"(/[\w.\-~%+]+)+/?", url.path) or url.query:
        return "has no path of plain words"
    return None


def anchors(text):
    """The anchors of a page's headings, as GitHub makes them: a heading that stands twice has -1 after it."""
    found = {}
    for title in re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```", "", text, flags=re.S | re.M), re.M):
        name = re.sub(r"[^\w\- ]", "", re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title).lower()).replace(" ", "-")
        found[name] = found.get(name, -1) + 1
    return {f"{name}-{k}" if k else name for name, count in found.items() for k in range(count + 1)}


def pages(root):
    return [*sorted(root.glob("*.md")), *sorted(root.glob("docs/**/*.md")), *sorted(root.glob("packaging/*.md")), *sorted(root.glob("tests/*/README.md")), *sorted(root.glob("examples/*/README.md"))]


def unreferenced(root):
    named = re.findall(r"`([\w/]+\.hpp)`", "".join(re.findall(r"^\|[^|]*\|", (root / "docs/headers.md").read_text(encoding="utf-8"), re.M)))
    shown = re.findall(r"doxygenfile:: (\S+)", "".join((root / f"docs/reference/{page}.rst").read_text(encoding="utf-8") for page in ("cpp", "cpp11")))
    for header in named:
        text = next(path.read_text(encoding="utf-8") for room in ("src/hgrid", "src/c") if (path := root / room / header).is_file())
        if re.search("^namespace hgrid", text, re.M) and pathlib.Path(header).name not in shown:
            yield f"docs/reference/cpp.rst or cpp11.rst lacks {header}"
    read = (root / "docs/site/Doxyfile").read_text(encoding="utf-8").split("INPUT ", 1)[1].split("\n", 1)[0]
    for header in (root / "src/c").glob("*.h*"):
        if header.name in shown and f"src/c/{header.name}" not in read:
            yield f"docs/site/Doxyfile does not read {header.name}"
    for page in root.glob("docs/reference/*.rst"):
        for name in re.findall(r":doc:`[^`]*<([^>]+)>`", page.read_text(encoding="utf-8")):
            if not (page.parent / f"{name}.md").is_file():
                yield f"{page.relative_to(root)}: there is no {name}.md"


def faults(root):
    text = {page: page.read_text(encoding="utf-8") for page in pages(root)}
    reached = {page: set() for page in text}
    for page in text:
        for _, link in LINK.findall(HIDDEN.sub("", text[page])):
            if re.match(r"\w+:", link):
                continue
            path, _, anchor = link.partition("#")
            target = (page.parent / path).resolve() if path else page
            if root not in target.parents or not target.exists():
                yield f"{page.relative_to(root)}: there is no {link}"
                continue
            reached[page].update(target.glob("*.md") if target.is_dir() else [target])
            if anchor and anchor not in anchors(text.get(target, "")):
                yield f"{page.relative_to(root)}: {link} names no heading"
    for page, address in external(root):
        if why := bad_address(address):
            yield f"{page}: {address} {why}"
    seen, new = set(), {root / "README.md"}
    while new:
        seen |= new
        new = {target for page in new for target in reached.get(page, ())} - seen
    for path in {*text, *root.glob("docs/**/*.png")} - seen:
        yield f"the README leads nowhere to {path.relative_to(root)}"
    yield from unreferenced(root)


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    if "--external" in sys.argv:
        print("\n".join(f"{page}: {address}" for page, address in external(root)))
    found = sorted(faults(root))
    print("\n".join(found) or f"{len(pages(root))} pages, all links lead somewhere")
    sys.exit(1 if found else 0)


main()
