# SPDX-License-Identifier: BSD-3-Clause
"""Comparisons, choices and conversions."""
from instruction import ROUNDINGS, translates
from ptx import BYTES, UNSIGNED

SIGNS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "lo": "<", "ls": "<=", "hi": ">", "hs": ">="}
UNORDERED = {name + "u": sign for name, sign in list(SIGNS.items())[:6]}
COMPARISONS = [*SIGNS, *UNORDERED, "num", "nan"]
COMBINED = {"and": "&", "or": "|", "xor": "^"}
TO_WHOLE = {"rni": "rint", "rzi": "trunc", "rmi": "floor", "rpi": "ceil"}


def comparison(how, is_float):
    """In C, of x and y."""
    nan = "x != x || y != y"
    if how in ("num", "nan"):
        return f"!({nan})" if how == "num" else nan
    if how in UNORDERED:
        return f"{nan} || x {UNORDERED[how]} y"
    return f"x {SIGNS[how]} y" + (" && x == x && y == y" if how == "ne" and is_float else "")


@translates("setp", f"{' '.join(COMPARISONS)} {' '.join(COMBINED)}")
def set_predicate(i):
    kind, combined = i.plain_type, i.one_of(*COMBINED)
    c = f"{{ {kind} x = {i.read(1, kind)}, y = {i.read(2, kind)}; u8 r = {comparison(i.one_of(*COMPARISONS), i.is_float)}; "
    rest = f" {COMBINED[combined]} z" if combined else ""
    if combined:
        c += f"u8 z = {i.kernel.read(i.operands[3], 'pred')}; "
    to = [name.strip() for name in i.operands[0].split("|")]
    return c + " ".join(i.kernel.write(name, f"{not_}r{rest}", "pred") for name, not_ in zip(to, ("", "!"))) + " }"


@translates("set", " ".join(COMPARISONS))
def set_number(i):
    to, kind = i.types[0], i.plain_type
    truth = "r ? 1.0f : 0.0f" if to == "f32" else "r ? -1 : 0"
    return f"{{ {kind} x = {i.read(1, kind)}, y = {i.read(2, kind)}; u8 r = {comparison(i.one_of(*COMPARISONS), i.is_float)}; " \
           f"{i.write(truth, to)} }}"


@translates("selp")
def select(i):
    u = i.unsigned
    return i.write(f"{i.kernel.read(i.operands[3], 'pred')} ? {i.read(1, u)} : {i.read(2, u)}", u)


@translates("cvt", f"rn {' '.join(ROUNDINGS)} {' '.join(TO_WHOLE)} sat")
def convert(i):
    to, source = i.types
    to_float, of_float = to[0] == "f", source[0] == "f"
    if "f16" in (to, source) or i.has("sat") and not (to_float and of_float):
        i.unknown()
    x, suffix = i.read(1, source), "f" if source == "f32" else ""
    mode, whole = i.one_of(*ROUNDINGS), TO_WHOLE.get(i.one_of(*TO_WHOLE))
    if of_float and not to_float:
        if BYTES[to] < 4 or not whole:
            i.unknown()
        return i.write(f"emu_{source}_to_{to}({whole}{suffix}({x}))", to)
    if mode:
        if (to, source) != ("f32", "f64"):
            i.unknown()
        return i.write(f"emu_narrowed({ROUNDINGS[mode]}, {x})", to)
    if whole:
        x = f"{whole}{suffix}({x})"
    if i.has("sat"):
        return f"{{ {source} x = {x}; {i.write('x != x ? 0 : fmin(fmax(x, 0), 1)', to)} }}"
    return i.write(f"({to if to_float or to[0] == 's' else UNSIGNED[BYTES[to]]}){x}", to)
