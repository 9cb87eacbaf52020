# SPDX-License-Identifier: BSD-3-Clause
"""The machine instructions behind each basic block of a kernel's PTX. Each statement of the PTX becomes a line of source, ptxas compiles it
with line numbers, and these tell the statement of each machine instruction. Instructions that the compiler moves out of a loop count as if they were in
it, so the counts are upper bounds. It takes ptxas and readelf, and no disassembler."""
import collections
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

TESTS = pathlib.Path(__file__).parents[2] / "tests"
sys.path += [str(TESTS), str(TESTS / "emulator")]
import instructions_arithmetic, instructions_bits, instructions_compare, instructions_memory, instructions_threads  # noqa: E401, E402, F401
from machine_code import INSTRUCTION, PTX, codes, kernels  # noqa: E402
from ptx import parse, statements  # noqa: E402
from translation import Translation  # noqa: E402

EMULATED = 80  # the architecture whose PTX the emulator runs


class Blocks(Translation):
    """Notes the basic block of each statement."""

    def __init__(self, text):
        self.block_of = {}
        super().__init__(*parse(text), None, True)

    def _instruction(self, text):
        super()._instruction(text)
        self.block_of[self.statement] = len(self.blocks.blocks) - 1


def end_of_body(text, at):
    """Returns the place after the brace that closes the first one after `at`."""
    depth = 0
    for brace in re.finditer(r"[{}]", text[at:]):
        depth += 1 if brace[0] == "{" else -1
        if depth == 0:
            return at + brace.end()
    raise ValueError("a kernel has no end")


def ptx_of(program):
    """(linked name, PTX with this kernel only) of each kernel in a program."""
    for kind, architecture, code in codes(pathlib.Path(program).read_bytes()):
        if kind != PTX or architecture != EMULATED:
            continue
        module = code.decode("latin1").rstrip("\0")
        kernels_of_module = list(re.finditer(r"^.*\.entry\s+([\w$]+)", module, re.M))
        head = module[:kernels_of_module[0].start()] if kernels_of_module else ""
        for found in kernels_of_module:
            yield found[1], head + module[found.start():end_of_body(module, found.end())]


def with_lines(text):
    text = re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)
    begin, end = text.index("{", text.index(".entry")), text.rindex("}")
    out = [text[:begin + 1]]
    for line, (kind, statement) in enumerate(statements(text[begin + 1:end]), 1):
        if kind in "{}":
            out.append(kind)
        elif kind == "label":
            out.append(statement + ":")
        else:
            out.append(statement + ";" if statement.startswith(".") else f".loc 1 {line} 0\n{statement};")
    return "\n".join(out + ["}", '.file 1 "kernel.ptx"', ""])


def lines_of(cubin):
    """(address, line), ascending."""
    shown = subprocess.run(["readelf", "--debug-dump=decodedline", str(cubin)], capture_output=True, text=True, check=True).stdout
    rows = (row.split() for row in shown.splitlines())
    return sorted((int(row[2], 0), int(row[1])) for row in rows if len(row) > 2 and row[0] == "kernel.ptx" and row[1].isdigit())


def instructions_of_blocks(text, ptxas, architecture):
    """[machine instructions of each basic block]"""
    with tempfile.TemporaryDirectory() as folder:
        source, cubin = pathlib.Path(folder) / "kernel.ptx", pathlib.Path(folder) / "kernel.cubin"
        source.write_text(with_lines(text))
        subprocess.run([ptxas, f"-arch=sm_{architecture}", "-lineinfo", source, "-o", cubin], check=True, capture_output=True)
        (facts,), lines = kernels(cubin.read_bytes()).values(), lines_of(cubin)
    blocks = Blocks(text)
    blocks.c()
    count, line, at = collections.Counter(), lines[0][1], 0
    for address in range(0, INSTRUCTION * facts["instructions"], INSTRUCTION):
        while at < len(lines) and lines[at][0] <= address:
            line, at = lines[at][1], at + 1
        count[blocks.block_of[line]] += 1
    return [count[k] for k in range(len(blocks.blocks.blocks))]


def machine_blocks(program, names, architecture):
    """{linked name: [machine instructions of each basic block]} of these kernels; empty without the tools."""
    ptxas = shutil.which("ptxas") or shutil.which("/usr/local/cuda/bin/ptxas")
    if ptxas is None or shutil.which("readelf") is None:
        return {}
    found = {}
    for name, text in ptx_of(program):
        if name in names and name not in found:
            found[name] = instructions_of_blocks(text, ptxas, architecture)
    return found
