#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Translates a PTX kernel to C: translate.py KERNEL.ptx OUT.c [counts] [FAULT]. Exits with 1, and names it, for an
instruction that it does not know; nothing is guessed."""
import pathlib
import sys

import instructions_arithmetic
import instructions_bits
import instructions_compare
import instructions_memory
import instructions_threads
from planted_fault import PlantedFault
from ptx import Unknown, parse
from translation import Translation


def main():
    source, out, *options = sys.argv[1:]
    counts = "counts" in options
    fault = next((PlantedFault(text) for text in options if text != "counts"), None)
    try:
        text = Translation(*parse(pathlib.Path(source).read_text()), fault, counts).c()
    except Unknown as what:
        sys.exit(f"{source}: {what}")
    if fault and not fault.is_planted:
        sys.exit(f"{source}: there is no {fault.text} to plant")
    pathlib.Path(out).write_text(text)


main()
