#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The site's first page has all lines of the README, in their order, and none of its own but the frames of tabs and the list of pages:
first_page.py SOURCE_FOLDER"""
import pathlib
import re
import sys

FRAME = re.compile(r"`{4,5}(\{tab-set\})?")


def lines(text):
    """Headings as they are within tabs, which have no level."""
    found = [re.sub(r"^(## |````\{tab-item\} )", "", line) for line in text.splitlines()]
    return [line for line in found if line and not FRAME.fullmatch(line)]


def faults(root):
    sys.path.insert(0, str(root / "docs/site"))
    from first_page import TABS, first_page

    readme = (root / "README.md").read_text(encoding="utf-8")
    contents = (root / "docs/site/contents.txt").read_text(encoding="utf-8")
    page = first_page(readme, contents)
    if not page.endswith(contents):
        yield "the list of pages is not at its end"
    if lines(page.removesuffix(contents)) != lines(readme):
        yield "the first page differs from the README"
    if page.count("{tab-item}") != len(TABS) or readme.index(f"## {TABS[0]}") != min(readme.index(f"## {title}") for title in TABS):
        yield f"the tabs are not {TABS}"
    try:
        first_page(readme.replace(f"## {TABS[1]}\n", "## Another\n"), contents)
        yield "a language that the README lacks is no error"
    except ValueError:
        pass


def main():
    found = list(faults(pathlib.Path(sys.argv[1]).resolve()))
    print("\n".join(found) or "the first page is the README")
    sys.exit(bool(found))


main()
