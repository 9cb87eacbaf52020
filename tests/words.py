#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Plain English for readers: words.py SOURCE_FOLDER [--write]
Looks through the documents, the comments of the examples and the public docstrings (///) for turns that stop readers, and
for banned words: another word stands for that idea.
Counts the turns of a dialect in all comments and pages by file, and long sentences and cells in pages of docs. words.counts has the counts
that stand: a file may have fewer and not more, a new file has none. --write keeps counts that fell. The README and docs have limits."""
import json
import pathlib
import re
import sys

VERB = (r"(?:is|are|was|were|has|have|had|does|do|did|can|cannot|could|will|would|must|may|"
        r"needs?|takes?|makes?|holds?|keeps?|learns?|begins?)\b")
START = r"(?:^|[.:;!?] |\| )"
RELATIVE = r"(?:that|which|who|whose|if|when|where|what|as|to|and|or|in)\b"

# (the turn, its replacement). Matches are looked at by sentence, so that questions and headings pass.
TURNS = [
    (r"\bso many\b", "say how many, or 'that number of'"),
    (r"[,;:] for (?:it|they|there|then|nothing|nobody)\b", "'because'"),
    (rf"[,;:] for (?!instance|example)(?:(?!{RELATIVE})[\w-]+ ){{1,6}}?{VERB}", "'because'"),
    (rf"{START}For (?:it|they|there) ", "'because'"),
    (rf"{START}What [^?|]+?(?:[.;:|]|$)", "name the thing"),
    (r"\b(?:of|from|than|by|with|for|beyond|beside|against|over|into|under|within|without|between|through|in|at|as|but) what\b",
     "name the thing"),
    (r"[.;:,] what (?:is|are|was|were|has|have|it|they)\b", "name the thing"),
    (rf"{START}(?:Nor|Hence|Thus|Not so|Likewise|Ditto)\b", "a subject and a verb"),
]

# One word stands for one idea (docs/architecture.md, Words). A word that the field uses is not banned for one that it does not.
BANNED = {
    "prim": "particle", "particle index": "id", "sorted index": "slot", "blacklist": "exclusion", "segment id": "world",
    "support mode": "rule", "broad phase pair": "candidate", "added sphere": "inserted particle", "bipartite": "two sets",
    "pairlist": "list of pairs", "passenger": "follower", "dump of state": "checkpoint", "outdated": "stale", "epoch": "generation",
    "voxel": "cell", "look-up": "row", "stretch": "run", "hash table of cells": "compacted cell table", "replan": "plan again",
    "umbrella header": "header", "subdomain": "a rank's box", "global index": "global id", "chunk": "part", "packet": "batch",
    "workgroup": "block", "temp storage": "scratch",
}

# A comment's begin that names no noun, and turns and words in place of everyday ones.
BEGIN = re.compile(r"^(?:Of|As|The same|Those|That|None)\b")
DIALECT = re.compile(r"\b(?:that of|those|what of)\b|\bwho(?:ever)? asks?\b|\bthat which\b|\banew\b|\bdear(?:er|est)?\b", re.I)

MOST_IN_SENTENCE, MOST_IN_CELL = 35, 20  # words, names in code aside
MOST_IN_README, MOST_IN_PAGE, MOST_IN_DOCS = 700, 4500, 45000


def long_pieces(text):
    """Sentences of a paragraph, or cells of a table's row, that have too many words."""
    is_row = text.startswith("|")
    pieces = text.split("|") if is_row else re.split(r"(?<=[.!?])\s+", text)
    counts = [sum(bool(re.search("[A-Za-z]", word)) and word.strip(".,;:()") != "X" for word in piece.split()) for piece in pieces]
    kind, most = ("cell", MOST_IN_CELL) if is_row else ("sentence", MOST_IN_SENTENCE)
    return [f"a {kind} of {count} words" for count in counts if count > most]


def too_long(root):
    """The README counts all its words, pages count words with a letter."""
    readme = len((root / "README.md").read_text(encoding="utf-8").split())
    pages = {page.name: len(re.findall(r"\S*[A-Za-z]\S*", page.read_text(encoding="utf-8"))) for page in root.glob("docs/*.md")}
    lengths = [("README.md", readme, MOST_IN_README), ("docs", sum(pages.values()), MOST_IN_DOCS)]
    lengths += [(f"docs/{name}", count, MOST_IN_PAGE) for name, count in sorted(pages.items())]
    return [f"{name}: {count} words, {most} are the limit" for name, count, most in lengths if count > most]


def dialect(root):
    """{path: [line and turn]} of all pages and comments. Only pages of docs, and the README, are looked through for long pieces."""
    found = {}
    code = [(source, paragraphs_of_source(source.read_text(encoding="utf-8"), "//+"))
            for folder in ("src", "host", "kernels", "tests", "bench", "examples") for source in sorted((root / folder).rglob("*"))
            if source.suffix in (".hpp", ".cpp", ".cuh", ".cu", ".h", ".c")]
    pages = [(page, paragraphs) for page, paragraphs in texts(root) if page.suffix == ".md"]
    for path, paragraphs in code + pages:
        turns = []
        for line, text in paragraphs:
            begins = BEGIN.findall(text) if path.suffix != ".md" else []
            long = long_pieces(text) if path.parent.name == "docs" or path.name == "README.md" and path.parent == root else []
            turns += [f"{line}: '{turn}'" for turn in begins + DIALECT.findall(text) + long]
        if turns:
            found[path.relative_to(root).as_posix()] = turns
    return found


def worse(root, write):
    """Files with more turns of the dialect than words.counts allows."""
    kept = root / "tests/words.counts"
    allowed, found = json.loads(kept.read_text()), dialect(root)
    if write:
        fewer = {path: min(len(turns), allowed.get(path, 0)) for path, turns in found.items()}
        kept.write_text(json.dumps({path: count for path, count in fewer.items() if count}, indent=0, sort_keys=True) + "\n")
    return [f"{path}: {len(turns)} turns that name no noun, say another word than the everyday one or are too long, {allowed.get(path, 0)} are kept: "
            + "; ".join(turns) for path, turns in found.items() if len(turns) > allowed.get(path, 0)]


def retired():
    """A pattern for each banned word, and the word for the idea."""
    return [(rf"\b{re.escape(word)}(?:s|es)?\b", f"'{better}'") for word, better in BANNED.items()]


def paragraphs_of_page(text):
    """(line, text) of each paragraph, row of a table or item of a list, without code, links and headings."""
    text = re.sub(r"^```.*?^```", lambda found: "\n" * found.group().count("\n"), text, flags=re.S | re.M)
    text = re.sub(r"<!--.*?-->|`[^`]*`", "X", text)
    text = re.sub(r"\]\([^)]*\)", "]", text)
    lines, start = [], 1
    for number, line in enumerate([*text.splitlines(), ""], 1):
        alone = line.startswith("|")
        if lines and (not line.strip() or alone or re.match(r"#|\s*[-*] |\d+\. ", line)):
            yield start, " ".join(" ".join(lines).split())
            lines = []
        if line.startswith("#") or not line.strip():
            continue
        if not lines:
            start = number
        lines.append(line.strip())


def paragraphs_of_source(text, mark):
    """(line, text) of each block of comments that begin with the mark."""
    lines, start = [], 1
    for number, line in enumerate([*text.splitlines(), ""], 1):
        found = re.search(rf"{mark}<? ?(.*)", line)
        if found and (not lines or not line[:found.start()].strip()):
            lines, start = lines + [found.group(1)], start if lines else number
            continue
        if lines:
            yield start, re.sub(r"`[^`]*`", "X", " ".join(" ".join(lines).split()))
        lines, start = ([found.group(1)], number) if found else ([], 1)


def texts(root):
    """(path, paragraphs) of all that people read."""
    for page in [*root.glob("*.md"), *sorted(root.glob("docs/**/*.md")), *sorted(root.glob("packaging/*.md")), *sorted(root.glob("tests/*/README.md")), *sorted(root.glob("examples/*/README.md"))]:
        yield page, paragraphs_of_page(page.read_text(encoding="utf-8"))
    for folder, mark in (("examples", "//+"), ("src/hgrid", "///"), ("src/c", "///"), ("host", "///"), ("kernels", "///"), ("ranks", "///")):
        for source in sorted((root / folder).rglob("*.[hc]*")):
            if source.suffix in (".hpp", ".cpp", ".cuh", ".cu", ".h", ".c"):
                yield source, paragraphs_of_source(source.read_text(encoding="utf-8"), mark)


def main():
    root = pathlib.Path(sys.argv[1])
    words = retired()
    faults = []
    for path, paragraphs in texts(root):
        path = path.relative_to(root)
        for line, text in paragraphs:
            for pattern, better in TURNS + words:
                flags = re.I if (pattern, better) in words else 0
                faults += [f"{path}:{line}: '{found.group().strip()}': {better}" for found in re.finditer(pattern, text, flags)]
    faults += worse(root, "--write" in sys.argv) + too_long(root)
    print("\n".join(faults) or "plain words")
    sys.exit(1 if faults else 0)


main()
