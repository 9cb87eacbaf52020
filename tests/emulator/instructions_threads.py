# SPDX-License-Identifier: BSD-3-Clause
"""Branches, barriers, and collectives of the lanes of a warp."""
import re

from instruction import translates


@translates("ret exit")
def leave(_):
    return "return;"


@translates("trap brkpt")
def trap(i):
    return f'emu_fault(t, "trap", 0, 0, {i.number});'


@translates("bra", "uni")
def branch(i):
    return f"goto {i.kernel.label(i.operands[0])};"


@translates("brx", "idx uni")
def branch_by_index(i):
    cases = " ".join(f"case {k}: goto {i.kernel.label(name)};" for k, name in enumerate(i.kernel.branch_targets[i.operands[1]]))
    return f"switch ({i.read(0, 'u32')}) {{ {cases} }}"


@translates("call", "uni")
def call(i):
    """Translates a call of a function that the driver provides. Its arguments were stored to parameters before."""
    if "cudaGraphSetConditional" in i.text:
        handle, value = (f"emu_load_own_{kind}((u64){i.kernel.in_c(name)})" for kind, name in
                         zip(("u64", "u32"), re.findall(r"\w+", i.operands[-1])))
        return f"emu_set_condition(t, {handle}, {value}, {i.number});"
    if "__assertfail" not in i.text:
        i.unknown()
    return f'emu_fault(t, "device assert", 0, 0, {i.number});'


@translates("membar fence griddepcontrol", "sc acq_rel acquire release cta gl gpu sys cluster wait launch_dependents")
def fence(_):  # every store is seen at once, and no kernel begins before the one before it has ended
    return ";"


@translates("nanosleep")
def sleep(i):
    return f"emu_yield(t, {i.number});"


@translates("bar barrier", "sync arrive red cta warp and or popc aligned")
def barrier(i):
    if i.has("arrive"):
        i.unknown()
    if i.has("warp"):
        return f"emu_collective(t, EMU_SYNC, {i.read(0, 'u32')}, 0, 0, 0, 0, {i.number});"
    bar, last = i.read(0 if i.has("sync") else 1, "u32"), i.operands[-1]
    if i.has("sync"):
        count = i.read(1, "u32") if len(i.operands) > 1 else "0"
        return f"(void)emu_barrier(t, {bar}, {count}, EMU_BAR_OR, 0, {i.number});"
    kind = i.one_of("and", "or", "popc")
    count = i.read(2, "u32") if len(i.operands) > 3 else "0"
    c = f"emu_barrier(t, {bar}, {count}, EMU_BAR_{kind.upper()}, {i.kernel.read(last, 'pred')}, {i.number})"
    return i.write(c, "u32" if kind == "popc" else "pred")


@translates("activemask")
def active_mask(i):
    return i.write(f"emu_active_mask(t, {i.number})", "u32")


def with_predicate(i, kind, mask, value, b="0", c="0"):
    """A collective whose first operand may be register|predicate."""
    to = [name.strip() for name in i.operands[0].split("|")]
    text = f"{{ u32 p = 0; u32 v = (u32)emu_collective(t, {kind}, {mask}, {value}, {b}, {c}, &p, {i.number}); "
    text += i.kernel.write(to[0], "v", "u32")
    return text + (" " + i.kernel.write(to[1], "p", "pred") if len(to) > 1 else "") + " }"


@translates("shfl", "sync up down bfly idx")
def shuffle(i):
    kind = "EMU_SHFL_" + i.one_of("up", "down", "bfly", "idx").upper()
    return with_predicate(i, kind, i.read(4, "u32"), i.read(1, "u32"), i.read(2, "u32"), i.read(3, "u32"))


@translates("match", "any all sync")
def match(i):
    kind = "EMU_MATCH_" + i.one_of("any", "all").upper()
    return with_predicate(i, kind, i.read(2, "u32"), i.read(1, i.unsigned))


@translates("vote", "sync all any uni ballot")
def vote(i):
    kind = i.one_of("all", "any", "uni", "ballot")
    c = f"emu_collective(t, EMU_{kind.upper()}, {i.read(2, 'u32')}, {i.read(1, 'pred')}, 0, 0, 0, {i.number})"
    return i.write(c, "u32" if kind == "ballot" else "pred")


@translates("redux", "sync add min max and or xor")
def reduce(i):
    operation = i.one_of("add", "min", "max", "and", "or", "xor")
    sign = ("_S" if i.type == "s32" else "_U") if operation in ("min", "max") else ""
    c = f"emu_collective(t, EMU_{operation.upper()}{sign}, {i.read(2, 'u32')}, {i.read(1, 'u32')}, 0, 0, 0, {i.number})"
    return i.write(c, "u32")
