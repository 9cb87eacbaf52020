# SPDX-License-Identifier: BSD-3-Clause
"""The text of one PTX kernel, with the variables of its module, taken apart."""
import re

BYTES = {"b8": 1, "u8": 1, "s8": 1, "b16": 2, "u16": 2, "s16": 2, "f16": 2, "b32": 4, "u32": 4, "s32": 4, "f32": 4,
         "b64": 8, "u64": 8, "s64": 8, "f64": 8, "pred": 1}
UNSIGNED = {1: "u8", 2: "u16", 4: "u32", 8: "u64"}

PARAMETER = re.compile(r"\s*\.param\s+(?:\.align\s+(\d+)\s+)?\.(\w+)\s+(?:\.ptr\s*(?:\.\w+\s*)*(?:\.align\s+\d+\s*)?)?"
                       r"([\w$]+)(?:\[(\d+)\])?")
VARIABLE = re.compile(r"\.(global|const|shared)\s+((?:\.\w+\s+|\.align\s+\d+\s+|\.attribute\([^)]*\)\s+)*)([\w$]+)"
                      r"((?:\[\d*\])*)\s*(?:=\s*([^;]*))?;")


class Unknown(Exception):
    """Something in the PTX that is not translated."""


def rounded_up(n, to):
    return (n + to - 1) // to * to


class Variable:
    """One of the module: `space` is global, const or shared; `size` 0 is dynamic shared memory."""

    def __init__(self, space, attributes, name, dimensions, initial):
        kind = next((word for word in re.findall(r"\.(\w+)", attributes) if word in BYTES), "b8")
        align = re.search(r"\.align\s+(\d+)", attributes)
        self.space, self.name = space, name
        self.align = int(align[1]) if align else BYTES[kind]
        self.size = BYTES[kind]
        for extent in re.findall(r"\[(\d*)\]", dimensions):
            self.size *= int(extent or 0)
        self.initial = self._bytes(kind, initial) if initial else None

    def _bytes(self, kind, text):
        numbers = text.strip().strip("{}").replace(" ", "").split(",")
        if kind[0] == "f" or not all(re.fullmatch(r"-?\d+", number) for number in numbers):
            raise Unknown(f"the initial value of {self.name}: {text[:60]}")
        each = BYTES[kind]
        return b"".join((int(number) % 256 ** each).to_bytes(each, "little") for number in numbers).ljust(self.size, b"\0")


class Entry:
    """A kernel: `parameters` is {name: (offset, bytes)}, `most_threads` the block that it allows."""

    def __init__(self, text):
        found = re.search(r"\.entry\s+([\w$]+)", text)
        begin = text.index("{", found.end())
        head = text[found.end():begin]
        self.name, self.body = found[1], text[begin + 1:text.rindex("}")]
        self.parameters, self.parameter_bytes = {}, 0
        listed = re.match(r"\s*\((.*?)\)", head, re.S)
        for parameter in listed[1].split(",") if listed and listed[1].strip() else []:
            self._add(parameter)
        bound = re.search(r"\.maxntid\s+(\d+)(?:\s*,\s*(\d+))?(?:\s*,\s*(\d+))?", head)
        self.most_threads = int(bound[1]) * int(bound[2] or 1) * int(bound[3] or 1) if bound else 1024

    def _add(self, parameter):
        found = PARAMETER.match(parameter)
        if not found:
            raise Unknown(f"parameter {parameter.strip()}")
        align, kind, name, count = found.groups()
        size = BYTES[kind] * int(count or 1)
        offset = rounded_up(self.parameter_bytes, int(align or BYTES[kind]))
        self.parameters[name] = (offset, size)
        self.parameter_bytes = offset + size


def parse(text):
    """The entry of a text that has one, and the variables before it by name."""
    text = re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)
    head = text[:text.index(".entry")]
    variables = [Variable(*found.groups()) for found in VARIABLE.finditer(head)]
    return Entry(text), {variable.name: variable for variable in variables}


def statements(body):
    """('{' | '}' | 'label' | 'statement', text) of each."""
    at = 0
    while at < len(body):
        if body[at].isspace():
            at += 1
        elif body[at] in "{}":
            yield body[at], ""
            at += 1
        elif label := re.compile(r"([$\w]+):(?!:)").match(body, at):
            yield "label", label[1]
            at = label.end()
        else:
            end = body.index(";", at)
            yield "statement", body[at:end].strip()
            at = end + 1


def operands(text):
    """Returns the parts between the commas that are in no brackets."""
    found, depth, begin = [], 0, 0
    for at, sign in enumerate(text):
        depth += (sign in "{[(") - (sign in "}])")
        if sign == "," and depth == 0:
            found.append(text[begin:at].strip())
            begin = at + 1
    last = text[begin:].strip()
    return found + [last] if last else found
