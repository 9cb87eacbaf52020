#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Reckons how large the kit of bench/gpu.sh will be, from the programs of the release build: kit_size.py SOURCE BUILD

The kit's programs have this code, for the architectures that kit.sh names, each as often as it is linked. Code is compressed as
zlib does it, if the kit's is compressed at all: nvcc does better, so the kit is smaller than the estimate."""
import pathlib
import re
import subprocess
import sys
import zlib

from machine_code import ELF, PTX, codes, fields_of

SOURCE, BUILD = (pathlib.Path(name) for name in sys.argv[1:])
KIT, LISTS = SOURCE / "bench/gpu/kit.sh", SOURCE / "bench/gpu/CMakeLists.txt"
ON_HOST = {"gpu_host", "gpu_ranks"}
MIB = 1 << 20
CUBES, GOOGLETEST, PYTHON, PEERS = 8 * MIB, 2 * MIB, 3 * MIB, 6 * MIB  # beside programs; PEERS is room for peers


def host_part(data):
    """Bytes of a program that are loaded, without the fat binaries."""
    fields, text = fields_of(data)
    return sum(length for name, kind, flags, _, _, length in fields
               if flags & 2 and kind != 8 and not data[text + name:].startswith(b".nv_fatbin\0"))


def wanted(kind, architecture, asked):
    """Whether `90-real` or `90`, which has PTX too, asks for it."""
    return f"{architecture}" in asked or (kind == ELF and f"{architecture}-real" in asked)


def kernels(data, asked, compressed):
    return sum(len(zlib.compress(code, 6)) if compressed or kind == PTX else len(code)
               for kind, architecture, code in codes(data) if kind in (PTX, ELF) and wanted(kind, architecture, asked))


def main():
    answer = subprocess.run(["bash", KIT, "programs"], text=True, capture_output=True, check=True).stdout.split()
    asked, programs = answer[0].split(";"), answer[1:]
    most = int(re.search(r"^readonly most_bytes=\$\(\((\d+) << 20\)\)$", KIT.read_text(), re.M).group(1)) * MIB
    compressed = "-Xfatbin=-compress-all" in LISTS.read_text()
    library = kernels((BUILD / "kernels/libhgrid_cuda.a").read_bytes(), asked, compressed)
    suite = BUILD / "tests/test_cuda"
    if not suite.is_file() or library == 0:
        print("skipped: the programs of the kit are not built, or not for its architectures (target gpu_tests)")
        return
    data = suite.read_bytes()
    host = host_part((BUILD / "bench/gpu/gpu_step").read_bytes())
    own = host_part(data) - host + max(0, kernels(data, asked, compressed) - library)
    total = CUBES + GOOGLETEST + PYTHON + PEERS + own
    for program in programs:
        total += host + (0 if program in ON_HOST else library)
    print(f"{len(programs)} programs for {answer[0]}: {library / MIB:.1f} MiB of kernels and {host / MIB:.1f} of the host in each, "
          f"{own / MIB:.1f} more in tests; {total / MIB:.0f} MiB of {most / MIB:.0f}")
    sys.exit(total > most)


main()
