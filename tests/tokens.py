#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A rewrite of comments changes no code: tokens.py REV [FOLDER...]
Compares each source file that differs between the git revision REV and the working tree, without comments and docstrings, token by
token, and names the files whose code differs. Files of other kinds pass."""
import ast
import functools
import pathlib
import re
import subprocess
import sys

PIECE = re.compile(r"""(//[^\n]*|/\*.*?\*/)|((?:u8|[uUL])?R"([^(\s]*)\(.*?\)\3"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-zA-Z])'(?:\\.|[^'\\\n])*'"""
                   r"""|[0-9](?:'?[\w.])*|\w+|\\\n|\n[ \t]*\#|\n|[^\w\s])""", re.S)


def of_cpp(text):
    """Returns the tokens. The ends of lines count only where a directive begins or ends."""
    found, directive = [], False
    for token in (piece.group(2) for piece in PIECE.finditer("\n" + text)):
        begins = token is not None and token[0] == "\n" and token[-1] == "#"
        if begins or token == "\n" and directive or token not in (None, "\n"):
            found.append("\n#" if begins else token)
        directive = begins or directive and token != "\n"
    return found


def of_python(text):
    """Returns the tree without docstrings; comments are not in it."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) and ast.get_docstring(node) is not None:
            node.body = node.body[1:]
    return ast.dump(tree)


def of_shell(text):
    """Returns the words. A # begins a comment only after a space, on a line without quotes before it."""
    return re.sub(r"^([^\"'#\n]*?)(?:^|[ \t])[ \t]*#(?!!).*$", r"\1", text, flags=re.M).split()


def of_faults(text):
    """Returns the lines. A fault's title counts up to its colon."""
    return [re.sub(r"^(# [\w-]+:).*", r"\1", line) for line in text.splitlines() if re.match(r"# [\w-]+:|[^#]", line)]


RULES = (((".hpp", ".cpp", ".cuh", ".cu", ".h", ".c"), of_cpp), (".py", of_python), (".faults", of_faults),
         ((".sh", ".cmake", "CMakeLists.txt", ".cmake.in"), of_shell))


def is_source(path):
    return any(path.endswith(kinds) for kinds, _ in RULES)


def have_equal_code(path, old, new):
    """Returns whether two texts of a source file differ in comments only."""
    rule = next(rule for kinds, rule in RULES if path.endswith(kinds))
    return rule(old.strip()) == rule(new.strip())


def main(revision, *folders):
    show = functools.partial(subprocess.check_output, cwd=(root := pathlib.Path(__file__).parent.parent), text=True)
    paths = show(["git", "diff", "--name-only", "--no-renames", "--diff-filter=M", revision, "--", *folders]).split()
    differ = [path for path in paths if is_source(path) and not have_equal_code(path, show(["git", "show", f"{revision}:{path}"]), (root / path).read_text())]
    print("\n".join(f"{path}: its code differs" for path in differ) or f"{len(paths)} files, no code differs")
    sys.exit(1 if differ else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
