# SPDX-License-Identifier: BSD-3-Clause
"""One PTX instruction: its modifiers and operands, and the table of translated instructions."""
import re

from ptx import BYTES, UNSIGNED, Unknown, operands

TABLE = {}  # name: (function, the modifiers that it knows)
MOVES = ("mov", "ld", "ldu", "st")  # numbers of half precision, as bits
ROUNDINGS = {"rz": 1, "rm": 2, "rp": 3}


def translates(names, modifiers=""):
    """Marks a function of an Instruction as the translation of the instructions `names`, to a C statement. A modifier that is
    not listed makes the instruction unknown."""
    def mark(function):
        for name in names.split():
            TABLE[name] = (function, set(modifiers.split()))
        return function
    return mark


class Instruction:
    def __init__(self, kernel, text, number):
        found = re.match(r"([a-z]\w*(?:(?:\.|::)\w+)*)\s*(.*)$", text, re.S)
        if not found:
            raise Unknown(text)
        words = found[1].split(".")
        self.kernel, self.text, self.number = kernel, text, number
        self.name = words[0]
        self.types = [word for word in words[1:] if word in BYTES]
        self.modifiers = [word for word in words[1:] if word not in BYTES]
        self.operands = operands(found[2])

    def translated(self):
        if self.name not in TABLE:
            self.unknown()
        function, known = TABLE[self.name]
        if not known.issuperset(self.modifiers) or "f16" in self.types and self.name not in MOVES:
            self.unknown()
        return function(self)

    def unknown(self):
        raise Unknown(f"unknown PTX instruction: {self.text}")

    @property
    def type(self):
        """Returns the last of its types: the type that it reads."""
        return self.types[-1] if self.types else self.unknown()

    @property
    def bytes(self):
        return BYTES[self.type]

    @property
    def unsigned(self):
        return UNSIGNED[self.bytes]

    @property
    def plain_type(self):
        """With bits taken as an unsigned number."""
        return self.unsigned if self.type[0] == "b" else self.type

    @property
    def is_float(self):
        return self.type in ("f32", "f64")

    def has(self, modifier):
        return modifier in self.modifiers

    def one_of(self, *modifiers):
        return next((modifier for modifier in self.modifiers if modifier in modifiers), None)

    def read(self, k, kind=None):
        return self.kernel.read(self.operands[k], kind or self.type)

    def write(self, expression, kind=None, k=0):
        return self.kernel.write(self.operands[k], expression, kind or self.type)

    def address(self, k):
        return self.kernel.address(self.operands[k])
