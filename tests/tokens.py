#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A rewrite of comments changes no code: tokens.py REV [FOLDER...]
Compares each source file that differs between the git revision REV and the working tree, without comments and docstrings, token by
token, and names the files whose code differs. Files of other kinds are not compared."""
import ast
import pathlib
import re
import subprocess
import sys

CPP = (".hpp", ".cpp", ".cuh", ".cu", ".h", ".c")
SHELL = (".sh", ".cmake", "CMakeLists.txt", ".cmake.in")
PIECE = re.compile(r"""(//[^\n]*|/\*.*?\*/)|((?:u8|[uUL])?R"([^(\s]*)\(.*?\)\3"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-zA-Z])'(?:\\.|[^'\\\n])*'"""
                   r"""|[0-9](?:'?[\w.])*|\w+|\n[ \t]*\#|[^\w\s])""", re.S)


def of_cpp(text):
    """Returns the tokens. The # of a directive keeps the end of the line before it."""
    return [found.group(2) for found in PIECE.finditer(text) if found.group(2)]


def of_python(text):
    """Returns the tree without docstrings; comments are not in it."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) and ast.get_docstring(node) is not None:
            node.body = node.body[1:]
    return ast.dump(tree)


def of_shell(text):
    """Returns the lines. A # begins a comment only after a space, on a line without quotes before it."""
    lines = [re.sub(r"^([^\"'#]*?)(?:^|\s)\s*#(?!!).*$", r"\1", line).rstrip() for line in text.splitlines()]
    return [line for line in lines if line]


def of_faults(text):
    """Returns the lines. A fault's title counts up to its colon."""
    return [re.sub(r"^(# [\w-]+:).*", r"\1", line) for line in text.splitlines() if re.match(r"# [\w-]+:|[^#]", line)]


def tokens(path, text):
    for kinds, rule in ((CPP, of_cpp), ((".py",), of_python), (SHELL, of_shell), ((".faults",), of_faults)):
        if path.endswith(kinds):
            return rule(text)
    return None


def git(*arguments):
    return subprocess.run(["git", *arguments], capture_output=True, text=True, check=True).stdout


def main():
    revision, folders = sys.argv[1], sys.argv[2:]
    root = pathlib.Path(git("rev-parse", "--show-toplevel").strip())
    paths = git("-C", str(root), "diff", "--name-only", "--no-renames", "--diff-filter=M", revision, "--", *folders).split()
    differ = [path for path in paths if tokens(path, git("-C", str(root), "show", f"{revision}:{path}")) != tokens(path, (root / path).read_text())]
    print("\n".join(f"{path}: its code differs" for path in differ) or f"{len(paths)} files, no code differs")
    sys.exit(1 if differ else 0)


main()
