# SPDX-License-Identifier: BSD-3-Clause
"""The basic blocks of a kernel, for counting: each thread says which it enters, and tables have the instructions of each, and the
block blocks where lanes meet that part at its end."""
import itertools

# Instructions of the machine for one of PTX, as far as PTX tells: values that become operands of others cost nothing, and 64-bit
# numbers take two registers. A model that uses the counts multiplies them by the kernel's machine instructions over the sum of
# these (bench/gpu/model.py); so only their proportions matter.
NOTHING = {"mov", "cvta", "ret", "call", "membar", "fence"}
SLOW = {"div": 24, "rem": 24, "sqrt": 16, "rcp": 16}
LEAVES = {"bra", "brx", "ret", "exit", "trap"}
OF_TWO_REGISTERS = {"add", "sub", "neg", "min", "max", "and", "or", "xor", "not", "shl", "shr", "selp", "setp"}


def machine_instructions(i):
    if i.name in NOTHING or i.name == "ld" and i.has("param"):
        return 0
    wide = bool(i.types) and i.type in ("s64", "u64", "b64")
    if i.name in SLOW:
        return SLOW[i.name] * (4 if wide else 2 if i.type == "f64" else 1)
    if i.name in OF_TWO_REGISTERS and wide:
        return 2
    return 4 if i.name in ("mul", "mad") and wide and not i.has("wide") else 1


def passed_on_all_paths(after, start):
    """{node: the nodes on every path from it to `start`}, for a graph {node: nodes that follow}."""
    passed = {node: set(after) | {start} for node in after} | {start: {start}}
    changed = True
    while changed:
        changed = False
        for node in sorted(after, reverse=True):
            now = set.intersection(*(passed[b] for b in after[node])) | {node}
            changed |= now != passed[node]
            passed[node] = now
    return passed


def nearest_passed(after, end):
    """{node: the nearest other one that all paths to the end pass} (its immediate postdominator)."""
    passed = passed_on_all_paths(after, end)
    return {node: max(passed[node] - {node}, key=lambda b: len(passed[b])) for node in after}


def loops_of(after):
    """Returns {head: the blocks of its loop}, from the successors of each block."""
    before = {node: set() for node in range(len(after))}
    for node, following in enumerate(after):
        for b in following - {len(after)}:
            before[b].add(node)
    before[0].add(-1)
    dominators = passed_on_all_paths({node: found or {-1} for node, found in before.items()}, -1)
    loops = {}
    for node, following in enumerate(after):
        for head in following & dominators[node]:
            inside, left = loops.setdefault(head, {head}), [node]
            while left:
                if (now := left.pop()) not in inside:
                    inside.add(now)
                    left += before[now]
    return loops


class Block:
    def __init__(self):
        self.instructions, self.labels, self.goes_on = 0, [], True


class BasicBlocks:
    def __init__(self):
        self.blocks, self.at_label, self.inside = [], {}, False

    def label(self, name):
        self.at_label[name], self.inside = len(self.blocks), False

    def entered_before(self, instruction, is_guarded):
        """C statements for where `instruction` begins a block."""
        lines = [] if self.inside else [f"emu_enter(t, {len(self.blocks)});"]
        if not self.inside:
            self.blocks.append(Block())
        block = self.blocks[-1]
        block.instructions += machine_instructions(instruction)
        self.inside = instruction.name not in LEAVES
        if not self.inside:
            block.goes_on = is_guarded
            if instruction.name == "bra":
                block.labels = instruction.operands[:1]
            elif instruction.name == "brx":
                block.labels = instruction.kernel.branch_targets[instruction.operands[1]]
        return lines

    def successors(self):
        """Returns the blocks that may follow each block; the number of blocks stands for the end."""
        end = len(self.blocks)
        return [({min(self.at_label[name], end) for name in block.labels} | ({k + 1} if block.goes_on else set())) or {end}
                for k, block in enumerate(self.blocks)]

    def meeting_points(self):
        """Returns for each block the blocks where lanes meet that part at its end: within each loop around it, innermost first, the nearest
        that all paths pass which stay in the loop, or its head; then the nearest that all paths pass."""
        after, end = self.successors(), len(self.blocks)
        loops = loops_of(after)
        found = [[] for _ in self.blocks]
        for head, inside in sorted(loops.items(), key=lambda loop: len(loop[1])):
            staying = {k: {end if b == head else b for b in after[k] & inside} or {end} for k in inside}
            for k, meeting in nearest_passed(staying, end).items():
                found[k].append(head if meeting == end else meeting)
        for k, meeting in nearest_passed(dict(enumerate(after)), end).items():
            found[k].append(meeting)
        return [list(dict.fromkeys(points)) for points in found]

    def c(self):
        meetings = self.meeting_points()
        table = lambda name, numbers: f"const u32 {name}[] = {{{', '.join(map(str, numbers))}}};"
        return [table("emu_instructions", (block.instructions for block in self.blocks)),
                table("emu_meeting_points", [point for points in meetings for point in points]),
                table("emu_first_meeting_point", itertools.accumulate((len(points) for points in meetings), initial=0)),
                f"const u32 emu_all_instructions = {sum(block.instructions for block in self.blocks)};"]
