# SPDX-License-Identifier: BSD-3-Clause
"""A fault for a translated kernel: the tests see whether it is noticed."""


class PlantedFault:
    """`barrier:2` takes the third barrier of the kernel away, `mask:0` the upper half of the first collective's mask."""

    def __init__(self, text):
        self.text = text
        self.kind, number = text.split(":")
        self.left = int(number)

    @property
    def is_planted(self):
        return self.left < 0

    def applied(self, instruction, c):
        is_barrier = instruction.name in ("bar", "barrier") and not instruction.has("warp")
        is_collective = "emu_collective(" in c
        if not (is_barrier if self.kind == "barrier" else is_collective):
            return c
        self.left -= 1
        if self.left != -1:
            return c
        if is_barrier:
            return ";"
        head, tail = c.split("emu_collective(t, ", 1)
        kind, rest = tail.split(", ", 1)
        return f"{head}emu_collective(t, {kind}, 0xffffu & {rest}"
