# SPDX-License-Identifier: BSD-3-Clause
"""Moves, loads, stores and atomics."""
from instruction import translates
from ptx import BYTES, UNSIGNED, operands

SPACES = ("global", "shared", "local", "param", "const", "shared::cta", "param::entry", "param::func")
# Hints for caches, and the order and scope of an access: all threads see all accesses at once.
HINTS = "ca cg cs cv lu wb wt nc volatile relaxed acquire release acq_rel weak mmio cta gpu sys cluster " \
        "L1::no_allocate L1::evict_last L1::evict_first L1::evict_normal L2::64B L2::128B L2::256B"
# Accesses by which threads wait for one another: another thread has its turn.
SEEN_BY_OTHERS = {"volatile", "relaxed", "acquire", "release", "mmio"}


def space_of(i):
    return (i.one_of(*SPACES) or "generic").split("::")[0]


def listed(operand):
    return operands(operand[1:-1]) if operand[0] == "{" else [operand]


@translates("mov")
def move(i):
    to, source = i.operands
    if to[0] == "{":  # into parts
        parts = listed(to)
        width = i.bytes // len(parts)
        return f"{{ u64 x = {i.kernel.bits(source)}; " + " ".join(
            i.kernel.write(part, f"x >> {8 * width * k}", UNSIGNED[width]) for k, part in enumerate(parts) if part != "_") + " }"
    if source[0] == "{":  # from parts
        parts = listed(source)
        width = i.bytes // len(parts)
        return i.write(" | ".join(f"(u64){i.kernel.read(part, UNSIGNED[width])} << {8 * width * k}"
                                  for k, part in enumerate(parts)), i.unsigned)
    kind = "pred" if i.type == "pred" else i.unsigned
    return i.write(i.read(1, kind), kind)


@translates("cvta", "to global shared local const param shared::cta")
def convert_address(i):
    if space_of(i) == "shared":
        return i.write(f"{i.read(1, 'u64')} {'-' if i.has('to') else '+'} EMU_SHARED", "u64")
    return i.write(i.read(1, "u64"), "u64")


@translates("isspacep", " ".join(SPACES))
def is_space(i):
    ranges = {"shared": ("EMU_SHARED", "EMU_SHARED_SIZE"), "global": ("EMU_BASE", "EMU_SIZE"),
              "local": ("EMU_STACKS", "EMU_STACKS_SIZE")}
    if space_of(i) not in ranges:
        i.unknown()
    first, size = ranges[space_of(i)]
    return i.write(f"{i.read(1, 'u64')} - {first} < {size}", "pred")


def access(i, is_load):
    kind = UNSIGNED[i.bytes] if i.type[0] in "bf" else i.type
    parts = listed(i.operands[0 if is_load else 1])
    if len(parts) != int((i.one_of("v2", "v4", "v8") or "v1")[1:]):
        i.unknown()
    space = space_of(i)
    own = space in ("param", "local") or i.operands[1 if is_load else 0].lstrip("[ ").split("+")[0].strip() in i.kernel.local
    where = "own" if own else "shared" if space == "shared" else "generic"
    context = "" if own else "t, "
    number = "" if own else f", {i.number}"
    c = f"{{ u64 a = {i.address(1 if is_load else 0)}; "
    if len(parts) > 1 and not own:
        c += f"emu_aligned(t, a, {i.bytes * len(parts)}, {i.number}); "
    turn = f"emu_yield(t, {i.number}); " if where == "generic" and SEEN_BY_OTHERS.intersection(i.modifiers) else ""
    if where == "generic" and i.kernel.blocks:
        c += f"emu_touch(t, a, {i.bytes * len(parts)}, {'EMU_READ' if is_load else 'EMU_WRITE'}, {i.number}); "
    at = [f"{context}a + {i.bytes * k}" for k in range(len(parts))]
    if is_load:
        c += turn + "".join(f"{kind} x{k} = emu_load_{where}_{kind}({at[k]}{number}); " for k in range(len(parts)))
        return c + " ".join(i.kernel.write(part, f"x{k}", kind) for k, part in enumerate(parts) if part != "_") + " }"
    c += "".join(f"emu_store_{where}_{kind}({at[k]}, {i.kernel.read(part, kind)}{number}); " for k, part in enumerate(parts))
    return c + turn + "}"


@translates("ld ldu", f"{HINTS} {' '.join(SPACES)} v2 v4 v8")
def load(i):
    return access(i, True)


@translates("st", f"{HINTS} {' '.join(SPACES)} v2 v4 v8")
def store(i):
    return access(i, False)


OPERATIONS = ("add", "min", "max", "exch", "cas", "and", "or", "xor", "inc", "dec")


@translates("atom red", f"{HINTS} {' '.join(SPACES)} {' '.join(OPERATIONS)}")
def atomic(i):
    operation, first = i.one_of(*OPERATIONS), 0 if i.name == "red" else 1
    if BYTES[i.type] < 4:
        i.unknown()
    kind = i.plain_type
    last = i.read(first + 2, kind) if len(i.operands) > first + 2 else "0"
    where = "shared" if space_of(i) == "shared" else "generic"
    c = f"emu_atom_{where}_{operation}_{kind}(t, {i.address(first)}, {i.read(first + 1, kind)}, {last}, {i.number})"
    touch = f"emu_touch(t, {i.address(first)}, {i.bytes}, EMU_ATOMIC, {i.number}); " if where == "generic" and i.kernel.blocks else ""
    return touch + (f"(void){c};" if i.name == "red" else i.write(c, kind))


@translates("prefetch prefetchu discard applypriority", f"{HINTS} {' '.join(SPACES)} L1 L2 L2::evict_last L2::evict_normal")
def hint(_):
    return ";"
