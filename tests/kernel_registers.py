#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Holds the registers and stack of the library's kernels against a budget: kernel_registers.py LIBRARY. They are read from the
machine code in the library, which was not compressed; what has no stack has no spills."""
import pathlib
import re
import struct
import subprocess
import sys

# What of a demangled name decides, and the registers a thread may have. Nothing may spill, but for the count of work,
# which reports and is in no time loop.
BUDGET = [
    (r"run_blocks<.*(SearchSlots|QueueRows|SearchRows)<.*PlainGrid", 40),  # 12 blocks of 128 threads on a multiprocessor
    (r"run_blocks<.*(SearchSlots|QueueRows)<", 64),       # images, groups, both orders of keys, both tables
    (r"run_blocks<.*SearchRows<", 72),                    # and the clip to a sphere in an image's frame
    (r"run_blocks<.*SortLongLists", 40),
    (r"fold<.*(CountWork|WorkCount)", None),
    (r"fold<", 96),                                       # one pass over the input, bound by memory
    (r"run_each<.*InRegion.*ManyWorlds", 128),            # few regions, each a search of its own
    (r"run_each<.*InRegion", 116),
    (r"run_each<.*(ManyWorlds|BoxesOfWorlds|MeasureWorlds)", 50),
    (r"run_each<.*CompareBoxes", 120),                    # a thread a world, once a step
    (r"run_each<.*Gather(Slot|Counted)<", 41),            # positions of tilted boxes; 10 blocks of 128 threads, by memory
    (r"run_each<", 40),
]
ARCHITECTURES = {80, 90}

FAT_BINARY = struct.pack("<I", 0xBA55ED50)
ELF_OF_FAT_BINARY = 2
INFO = {0x2F: "registers", 0x11: "stack"}  # attributes of .nv.info: u32 symbol, u32 value


def machine_codes(data):
    """(architecture, ELF file) of each machine code in the fat binaries among the bytes."""
    at = data.find(FAT_BINARY)
    while at >= 0:
        header, size = struct.unpack_from("<6xHQ", data, at)
        entry, end = at + header, at + header + size
        while entry < end:
            kind, head, length, architecture = struct.unpack_from("<H2xIQ12xI", data, entry)
            if kind == ELF_OF_FAT_BINARY:
                yield architecture, data[entry + head:entry + head + length]
            entry += head + length
        at = data.find(FAT_BINARY, end)


def sections(elf):
    """{name: bytes}"""
    table, = struct.unpack_from("<Q", elf, 40)
    size, count, names = struct.unpack_from("<HHH", elf, 58)
    fields = [struct.unpack_from("<IIQQQQ", elf, table + k * size) for k in range(count)]
    text = elf[fields[names][4]:fields[names][4] + fields[names][5]]
    return {text[name:text.index(b"\0", name)].decode(): elf[at:at + length] for name, kind, _, _, at, length in fields if kind != 8}


def kernels(elf):
    """{linked name: {"registers": n, "stack": n}}"""
    found = sections(elf)
    symbols, strings, info = found[".symtab"], found[".strtab"], found.get(".nv.info", b"")
    result, at = {}, 0
    while at < len(info):
        form, attribute, length = struct.unpack_from("<BBH", info, at)
        if form == 4 and attribute in INFO:
            symbol, value = struct.unpack_from("<II", info, at + 4)
            name, = struct.unpack_from("<I", symbols, 24 * symbol)
            result.setdefault(strings[name:strings.index(b"\0", name)].decode(), {})[INFO[attribute]] = value
        at += 4 + (length if form == 4 else 0)
    return {name: facts for name, facts in result.items() if f".text.{name}" in found and len(facts) == len(INFO)}


def demangled(names):
    done = subprocess.run(["c++filt"], input="\n".join(names), capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def main():
    seen, breaches, architectures = {pattern: 0 for pattern, _ in BUDGET}, [], set()
    for architecture, elf in machine_codes(pathlib.Path(sys.argv[1]).read_bytes()):
        found = {name: facts for name, facts in kernels(elf).items() if "5hgrid" in name}
        architectures |= {architecture} if found else set()
        for name, facts in zip(demangled(found), found.values()):
            pattern, budget = next((entry for entry in BUDGET if re.search(entry[0], name)), (None, None))
            if pattern is None:
                continue  # CUB's
            seen[pattern] += 1
            if budget is not None and (facts["registers"] > budget or facts["stack"] > 0):
                breaches.append(f"sm_{architecture} {name}: {facts['registers']} registers of {budget}, stack {facts['stack']}")
    print("\n".join(f"{count:4} kernels  {pattern}" for pattern, count in seen.items()))
    if architectures != ARCHITECTURES:
        sys.exit(f"machine code for {sorted(architectures)}, not {sorted(ARCHITECTURES)}")
    if min(seen.values()) == 0:
        sys.exit("the budget names kernels that are not there")
    if breaches:
        sys.exit("\n".join(breaches))


main()
