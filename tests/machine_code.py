# SPDX-License-Identifier: BSD-3-Clause
"""The machine code in nvcc's output, read without CUDA's tools. It must not be compressed."""
import struct
import subprocess

FAT_BINARY = struct.pack("<I", 0xBA55ED50)
PTX, ELF = 1, 2  # kinds of code
INFO = {0x2F: "registers", 0x11: "stack"}  # attributes of .nv.info: u32 symbol, u32 value
INSTRUCTION = 16  # bytes of one, of sm_70 and later
MEET, EXIT = 0x348, 0x94d  # the lowest 12 bits of instructions: lanes that have parted meet for a collective; a thread ends


def codes(data):
    """(kind, architecture, bytes) of each code in the fat binaries among the bytes: machine code or PTX."""
    at = data.find(FAT_BINARY)
    while at >= 0:
        header, size = struct.unpack_from("<6xHQ", data, at)
        entry, end = at + header, at + header + size
        while entry < end:
            kind, head, length, architecture = struct.unpack_from("<H2xIQ12xI", data, entry)
            yield kind, architecture, data[entry + head:entry + head + length]
            entry += head + length
        at = data.find(FAT_BINARY, end)


def machine_codes(data):
    """(architecture, ELF file) of each machine code."""
    return ((architecture, elf) for kind, architecture, elf in codes(data) if kind == ELF)


def fields_of(elf):
    """(name, kind, flags, address, offset, length) of each section, and where the names begin."""
    table, = struct.unpack_from("<Q", elf, 40)
    size, count, names = struct.unpack_from("<HHH", elf, 58)
    fields = [struct.unpack_from("<IIQQQQ", elf, table + k * size) for k in range(count)]
    return fields, fields[names][4]


def sections(elf):
    """{name: bytes}"""
    fields, text = fields_of(elf)
    return {elf[text + name:elf.index(b"\0", text + name)].decode(): elf[at:at + length] for name, kind, _, _, at, length in fields
            if kind != 8}


def instructions(code):
    """How many a warp in lockstep may meet: a compiler puts instructions for lanes that have parted last, after the end of the kernel."""
    kinds = [low & 0xFFF for low, in struct.iter_unpack(f"<H{INSTRUCTION - 2}x", code)]
    end = len(kinds) - kinds[::-1].index(EXIT)
    return kinds.index(MEET, end) if MEET in kinds[end:] else len(kinds)


def kernels(elf):
    """{linked name: {"registers": n, "stack": n, "instructions": n}}, of sm_70 and later"""
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
    return {name: facts | {"instructions": instructions(found[f".text.{name}"])}
            for name, facts in result.items() if f".text.{name}" in found and len(facts) == len(INFO)}


def demangled(names):
    done = subprocess.run(["c++filt"], input="\n".join(names), capture_output=True, text=True, check=True)
    return done.stdout.splitlines()
