# SPDX-License-Identifier: BSD-3-Clause
"""Integer and floating-point arithmetic."""
from instruction import ROUNDINGS, translates
from ptx import UNSIGNED

OPERATIONS = {"add": 0, "sub": 1, "mul": 2, "div": 3, "fma": 4, "mad": 4, "sqrt": 5}
WIDER = {"s16": "s32", "u16": "u32", "s32": "s64", "u32": "u64"}
ROUNDED = "rn rz rm rp"


def rounded(i):
    """The operation in a rounding that is not C's, or None."""
    mode = i.one_of(*ROUNDINGS)
    if not (mode and i.is_float):
        return None
    values = [i.read(k) for k in range(1, len(i.operands))]
    values += ["0"] * (3 - len(values))
    return i.write(f"emu_rounded_{i.type}({ROUNDINGS[mode]}, {OPERATIONS[i.name]}, {', '.join(values)})")


@translates("add sub", f"cc {ROUNDED}")
def add(i):
    if c := rounded(i):
        return c
    sign = "+" if i.name == "add" else "-"
    if i.is_float:
        return i.write(f"{i.read(1)} {sign} {i.read(2)}")
    u = i.unsigned
    if not i.has("cc"):
        return i.write(f"{i.read(1, u)} {sign} {i.read(2, u)}", u)
    overflow = "x < p" if i.name == "add" else "p < q"
    return f"{{ {u} p = {i.read(1, u)}, q = {i.read(2, u)}, x = p {sign} q; carry = {overflow}; {i.write('x', u)} }}"


@translates("addc subc", "cc")
def add_with_carry(i):
    u, sign = i.unsigned, "+" if i.name == "addc" else "-"
    carry = f"carry = x >> {8 * i.bytes} & 1; " if i.has("cc") else ""
    return f"{{ u128 x = (u128){i.read(1, u)} {sign} {i.read(2, u)} {sign} carry; {carry}{i.write('x', u)} }}"


@translates("mul mad", f"lo hi wide {ROUNDED}")
def multiply(i):
    if c := rounded(i):
        return c
    if i.is_float:
        return i.write(f"{i.read(1)} * {i.read(2)}") if i.name == "mul" else fused(i)
    adds = i.name == "mad"
    if i.has("wide"):
        wide = WIDER.get(i.type) or i.unknown()
        u = UNSIGNED[2 * i.bytes]
        product = f"({wide}){i.read(1)} * ({wide}){i.read(2)}"
        return i.write(f"({u})({product})" + (f" + {i.read(3, u)}" if adds else ""), u)
    u = i.unsigned
    if i.has("hi"):
        big = i.type[0] + "128"
        product = f"({u})((({big}){i.read(1)} * ({big}){i.read(2)}) >> {8 * i.bytes})"
    else:
        product = f"({u})((u64){i.read(1, u)} * (u64){i.read(2, u)})"
    return i.write(product + (f" + {i.read(3, u)}" if adds else ""), u)


@translates("fma", ROUNDED)
def fused(i):
    return rounded(i) or i.write(f"{'fma' if i.type == 'f64' else 'fmaf'}({i.read(1)}, {i.read(2)}, {i.read(3)})")


@translates("div", f"{ROUNDED} full approx")
def divide(i):
    if c := rounded(i):
        return c
    if i.is_float:
        return i.write(f"{i.read(1)} / {i.read(2)}")
    quotient = f"q == -1 ? ({i.type})(0 - ({i.unsigned})p) : p / q" if i.type[0] == "s" else "p / q"
    return f"{{ {i.type} p = {i.read(1)}, q = {i.read(2)}; {i.write(f'q == 0 ? ({i.type})-1 : ({quotient})')} }}"


@translates("rem")
def remainder(i):
    rest = "q == -1 ? 0 : p % q" if i.type[0] == "s" else "p % q"
    return f"{{ {i.type} p = {i.read(1)}, q = {i.read(2)}; {i.write(f'q == 0 ? p : ({rest})')} }}"


@translates("min max")
def extreme(i):
    if i.is_float:
        return i.write(f"f{i.name}{'f' if i.type == 'f32' else ''}({i.read(1)}, {i.read(2)})")
    sign = "<" if i.name == "min" else ">"
    return f"{{ {i.type} p = {i.read(1)}, q = {i.read(2)}; {i.write(f'p {sign} q ? p : q')} }}"


@translates("abs")
def absolute(i):
    if i.is_float:
        return i.write(f"fabs{'f' if i.type == 'f32' else ''}({i.read(1)})")
    return f"{{ {i.type} p = {i.read(1)}; {i.write(f'p < 0 ? ({i.type})(0 - ({i.unsigned})p) : p')} }}"


@translates("neg")
def negate(i):
    return i.write(f"-{i.read(1)}" if i.is_float else f"0 - {i.read(1, i.unsigned)}", i.type if i.is_float else i.unsigned)


@translates("sqrt", f"{ROUNDED} approx")
def root(i):
    return rounded(i) or i.write(f"sqrt{'f' if i.type == 'f32' else ''}({i.read(1)})")


@translates("rcp", "rn approx")
def reciprocal(i):
    return i.write(f"1 / {i.read(1)}")


@translates("copysign")
def copy_sign(i):
    return i.write(f"copysign({i.read(2)}, {i.read(1)})")


@translates("testp", "finite infinite number notanumber normal subnormal")
def test_property(i):
    tests = {"finite": "isfinite(x)", "infinite": "isinf(x)", "number": "x == x", "notanumber": "x != x", "normal": "isnormal(x)",
             "subnormal": "x != 0 && !isnormal(x) && isfinite(x)"}
    return f"{{ {i.type} x = {i.read(1)}; {i.write(tests[i.modifiers[0]], 'pred')} }}"
