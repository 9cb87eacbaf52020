# SPDX-License-Identifier: BSD-3-Clause
"""Bits: logic, shifts, fields."""
from instruction import translates


@translates("and or xor")
def logic(i):
    sign = {"and": "&", "or": "|", "xor": "^"}[i.name]
    kind = "pred" if i.type == "pred" else i.unsigned
    return i.write(f"{i.read(1, kind)} {sign} {i.read(2, kind)}", kind)


@translates("not")
def invert(i):
    return i.write(f"!{i.read(1)}", "pred") if i.type == "pred" else i.write(f"~{i.read(1, i.unsigned)}", i.unsigned)


@translates("lop3")
def logic_of_three(i):
    table = int(i.operands[4], 0)
    terms = ["(" + " & ".join(name if k & bit else "~" + name for name, bit in (("p", 4), ("q", 2), ("r", 1))) + ")"
             for k in range(8) if table >> k & 1]
    return f"{{ u32 p = {i.read(1, 'u32')}, q = {i.read(2, 'u32')}, r = {i.read(3, 'u32')}; {i.write(' | '.join(terms) or '0', 'u32')} }}"


@translates("shl shr")
def shift(i):
    width, kind = 8 * i.bytes, i.unsigned if i.name == "shl" else i.plain_type
    beyond = "p < 0 ? -1 : 0" if kind[0] == "s" else "0"
    shifted = f"p {'<<' if i.name == 'shl' else '>>'} n"
    return f"{{ {kind} p = {i.read(1, kind)}; u32 n = {i.read(2, 'u32')}; {i.write(f'n >= {width} ? ({beyond}) : {shifted}', kind)} }}"


@translates("shf", "l r wrap clamp")
def funnel_shift(i):
    n = i.read(3, "u32")
    n = f"({n} & 31)" if i.has("wrap") else f"({n} > 32 ? 32 : {n})"
    return i.write(f"emu_shf_{i.one_of('l', 'r')}({i.read(1, 'u32')}, {i.read(2, 'u32')}, {n})", "u32")


@translates("bfe")
def extract(i):
    return i.write(f"emu_bfe_{i.type[0]}({i.read(1)}, {i.read(2, 'u32')}, {i.read(3, 'u32')}, {8 * i.bytes})")


@translates("bfi")
def insert(i):
    u = i.unsigned
    return i.write(f"emu_bfi({i.read(1, u)}, {i.read(2, u)}, {i.read(3, 'u32')}, {i.read(4, 'u32')}, {8 * i.bytes})", u)


@translates("bfind", "shiftamt")
def highest(i):
    if i.type[0] == "s":
        i.unknown()
    found = f"emu_bfind_{i.unsigned}({i.read(1, i.unsigned)})"
    if not i.has("shiftamt"):
        return i.write(found, "u32")
    return f"{{ u32 x = {found}; {i.write(f'x == ~0u ? x : {8 * i.bytes - 1} - x', 'u32')} }}"


@translates("brev clz")
def reverse_or_zeros(i):
    return i.write(f"emu_{i.name}_{i.unsigned}({i.read(1, i.unsigned)})", "u32" if i.name == "clz" else i.unsigned)


@translates("bmsk", "clamp wrap")
def mask(i):
    most = "" if i.has("clamp") else " & 31"
    return i.write(f"emu_bmsk({i.read(1, 'u32')}{most}, {i.read(2, 'u32')}{most})", "u32")


@translates("popc")
def count(i):
    return i.write(f"__builtin_popcountll({i.read(1, i.unsigned)})", "u32")


@translates("prmt")
def permute(i):
    return i.write(f"emu_prmt({i.read(1, 'u32')}, {i.read(2, 'u32')}, {i.read(3, 'u32')})", "u32")
