#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Code that the docs quote stands in the source: docs_quotes.py SOURCE_FOLDER
A block of code after a line `<!-- quoted: FILE -->` must be lines of that file in one piece, with any indent; one
after `<!-- quoted: FILE NAME -->` must be exactly the lines between `// [docs: NAME]` and `// [docs: end]`, which begin with `!` in
Fortran and with `#` in Python."""
import pathlib
import re
import sys
import textwrap

QUOTE = re.compile(r"<!-- quoted: (\S+)(?: ([\w-]+))? -->\n+```\w*\n(.*?)```", re.S)


def lines_of(text):
    return [line.strip() for line in text.strip().splitlines()]


def stands_in(quoted, source):
    want, have = lines_of(quoted), lines_of(source)
    return any(have[at:at + len(want)] == want for at in range(len(have) - len(want) + 1))


def marked(source, name):
    found = re.search(r"(?://|!|#) \[docs: %s\]\n(.*?)\n[^\n]*(?://|!|#) \[docs: end\]" % re.escape(name), source, re.S)
    return textwrap.dedent(found.group(1)) if found else None


def main():
    root = pathlib.Path(sys.argv[1])
    quotes = faults = 0
    for page in [*sorted(root.glob("docs/**/*.md")), *sorted(root.glob("tests/*/README.md")), *sorted(root.glob("examples/*/README.md")), root / "README.md"]:
        text = page.read_text(encoding="utf-8")
        if text.count("<!-- quoted:") != len(QUOTE.findall(text)):
            print(f"{page}: a quote has no block of code")
            faults += 1
        for path, name, quoted in QUOTE.findall(text):
            quotes += 1
            source = (root / path).read_text(encoding="utf-8")
            good = marked(source, name) is not None and lines_of(marked(source, name)) == lines_of(quoted) if name else stands_in(quoted, source)
            if not good:
                print(f"{page}: what it quotes from {path} {name} is not there")
                faults += 1
    print(f"{quotes} quotes, {faults} faults")
    sys.exit(1 if faults or not quotes else 0)


main()
