#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Translates a PTX kernel to C: translate.py KERNEL.ptx OUT.c [FAULT]. Exits with 1, and names it, for an instruction that it
does not know; nothing is guessed."""
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
    source, out = sys.argv[1:3]
    fault = PlantedFault(sys.argv[3]) if sys.argv[3:] and sys.argv[3] else None
    try:
        text = Translation(*parse(pathlib.Path(source).read_text()), fault).c()
    except Unknown as what:
        sys.exit(f"{source}: {what}")
    if fault and not fault.is_planted:
        sys.exit(f"{source}: there is no {fault.text} to plant")
    pathlib.Path(out).write_text(text)


main()
