# SPDX-License-Identifier: BSD-3-Clause
"""The C function of one kernel: its registers, variables and labels; instructions are translated elsewhere."""
import re

from basic_blocks import BasicBlocks
from instruction import Instruction
from ptx import BYTES, UNSIGNED, Unknown, rounded_up, statements

SPECIAL = {"%laneid": "t->lane", "%warpid": "t->warp", "WARP_SZ": "32u", "%smid": "0u",
           "%lanemask_eq": "(1u << t->lane)", "%lanemask_lt": "((1u << t->lane) - 1)", "%lanemask_le": "((2u << t->lane) - 1)",
           "%lanemask_gt": "(~((2u << t->lane) - 1))", "%lanemask_ge": "(~((1u << t->lane) - 1))"}
SPECIAL |= {f"%{name}.{axis}": f"t->{name}[{k}]" for name in ("tid", "ntid", "ctaid", "nctaid") for k, axis in enumerate("xyz")}


class Translation:
    def __init__(self, entry, variables, fault=None, counts=False):
        self.entry, self.variables, self.fault = entry, variables, fault
        self.lines, self.scopes = [], [{}]  # names in a scope, {name of a register, or of a family with '<': C type}
        self.shared, self.shared_bytes, self.dynamic = {}, 0, False
        self.local, self.used = set(), set()
        self.branch_targets, self.statement = {}, 0
        self.blocks = BasicBlocks() if counts else None
        self._targets()
        self._body()

    # ---- names
    def register_type(self, name):
        family = re.match(r"(%[a-zA-Z_]+)\d+$", name)
        for scope in reversed(self.scopes):
            if name in scope:
                return scope[name]
            if family and family[1] + "<" in scope:
                return scope[family[1] + "<"]
        return None

    @staticmethod
    def in_c(name):
        return ("R_" + name[1:] if name[0] == "%" else "V_" + name).replace("$", "_S_")

    @staticmethod
    def label(name):
        return "L_" + name.replace("$", "_S_")

    def symbol(self, name):
        """The address of a variable, as a C expression."""
        if name in self.entry.parameters:
            return f"((u64)P + {self.entry.parameters[name][0]})"
        if name in self.local:
            return f"((u64){self.in_c(name)})"
        variable = self.variables.get(name)
        if name not in self.shared and variable and variable.space == "shared":
            self._share(name, variable.align, variable.size)
        if name in self.shared:
            return self.shared[name]
        if not variable:
            raise Unknown(f"symbol {name}")
        self.used.add(name)
        return self.in_c(name)

    def _share(self, name, align, size):
        if size == 0:
            self.dynamic, self.shared[name] = True, "EMU_DYNAMIC"
            return
        at = rounded_up(self.shared_bytes, align)
        self.shared[name], self.shared_bytes = f"{at}u", at + size

    # ---- operands
    def bits(self, operand):
        """An operand as unsigned bits."""
        if self.register_type(operand):
            return self.in_c(operand)
        if operand in SPECIAL:
            return SPECIAL[operand]
        if re.fullmatch(r"0[fF][0-9a-fA-F]{8}", operand):
            return f"0x{operand[2:]}u"
        if re.fullmatch(r"0[dD][0-9a-fA-F]{16}", operand):
            return f"0x{operand[2:]}ull"
        if re.fullmatch(r"-?(0[xX][0-9a-fA-F]+|\d+)U?", operand):
            return f"((u64){int(operand.rstrip('U'), 0) % 2 ** 64}ull)"
        if found := re.fullmatch(r"([\w$]+)\s*\+\s*(-?\d+)", operand):
            return f"({self.symbol(found[1])} + ({found[2]}))"
        if operand[0] == "%":
            raise Unknown(f"register {operand}")
        return self.symbol(operand)

    def read(self, operand, kind):
        if kind == "pred":
            return f"(!{self.read(operand[1:], kind)})" if operand[0] == "!" else f"({self.bits(operand)} != 0)"
        if kind in ("f32", "f64"):
            return f"emu_as_{kind}({self.bits(operand)})"
        return f"(({UNSIGNED[BYTES[kind]] if kind[0] == 'b' else kind}){self.bits(operand)})"

    def write(self, register, expression, kind):
        if register == "_":
            return f"(void)({expression});"
        c_type = self.register_type(register)
        if not c_type:
            raise Unknown(f"register {register}")
        if kind == "pred":
            return f"{self.in_c(register)} = ({expression}) != 0;"
        if kind in ("f32", "f64"):
            return f"{self.in_c(register)} = emu_of_{kind}({expression});"
        return f"{self.in_c(register)} = ({c_type})({UNSIGNED[BYTES[kind]] if kind[0] == 'b' else kind})({expression});"

    def address(self, operand):
        found = re.fullmatch(r"\[\s*([%\w$]+)\s*(?:\+\s*(-?\d+))?\s*\]", operand)
        if not found:
            raise Unknown(f"address {operand}")
        return f"((u64){self.bits(found[1])} + ({found[2] or 0}))"

    # ---- the body
    def _targets(self):
        for found in re.finditer(r"([$\w]+):\s*\.branchtargets\s*([^;]*);", self.entry.body):
            self.branch_targets[found[1]] = [name.strip() for name in found[2].split(",")]

    def _body(self):
        for kind, text in statements(self.entry.body):
            self.statement += 1
            if kind == "{":
                self.scopes.append({})
                self.lines.append("{")
            elif kind == "}":
                self.scopes.pop()
                self.lines.append(";}")
            elif kind == "label":
                self.lines.append(f"{self.label(text)}:;")
                if self.blocks:
                    self.blocks.label(text)
            elif text.startswith("."):
                self._directive(text)
            else:
                self._instruction(text)

    def _instruction(self, text):
        guard = re.match(r"@(!?)\s*(%?\w+)\s+(.*)$", text, re.S)
        instruction = Instruction(self, guard[3] if guard else text, self.statement)
        c = instruction.translated()
        if self.blocks:
            self.lines += self.blocks.entered_before(instruction, guard is not None)
        if self.fault:
            c = self.fault.applied(instruction, c)
        self.lines.append(f"if ({guard[1]}{self.in_c(guard[2])}) {{ {c} }}" if guard else c)

    def _directive(self, text):
        if found := re.match(r"\.reg\s+\.(\w+)\s+(.*)$", text, re.S):
            for name in found[2].split(","):
                self._register(UNSIGNED[BYTES[found[1]]], name.strip())
        elif found := re.match(r"\.(shared|local|param)\s+(?:\.align\s+(\d+)\s+)?\.(\w+)\s+([\w$]+)((?:\[\d+\])*)", text):
            space, align, kind, name, extents = found.groups()
            size = BYTES[kind]
            for extent in re.findall(r"\d+", extents):
                size *= int(extent)
            if space == "shared":
                self._share(name, int(align or BYTES[kind]), size)
            else:
                self.local.add(name)
                self.lines.append(f"u8 {self.in_c(name)}[{size}] __attribute__((aligned(16)));")
        elif not re.match(r"\.(branchtargets|pragma|loc|file)\b", text):
            raise Unknown(f"directive {text}")

    def _register(self, c_type, name):
        family = re.fullmatch(r"(%\w+)<(\d+)>", name)
        self.scopes[-1][family[1] + "<" if family else name] = c_type
        names = [self.in_c(f"{family[1]}{k}") for k in range(int(family[2]))] if family else [self.in_c(name)]
        # A jump into a scope may not pass an initial value.
        self.lines.append(f"{c_type} {', '.join(n + (' = 0' if len(self.scopes) == 1 else '') for n in names)};")

    def c(self):
        """The whole file."""
        static = rounded_up(self.shared_bytes, 16)
        parameters = list(self.entry.parameters.values())
        numbers = lambda values: ", ".join(map(str, values)) or "0"
        lines = ['#include "kernel.h"', f"#define EMU_DYNAMIC {static}u"]
        calls = []
        for name in sorted(self.used):
            variable, c = self.variables[name], self.in_c(name)
            lines.append(f"static u64 {c};")
            initial = "0"
            if variable.initial is not None:
                initial = c + "_initial"
                lines.append(f"static const u8 {initial}[] = {{{numbers(variable.initial)}}};")
            calls.append(f'{c} = emu_variable("{name}", {variable.size}, {initial});')
        return "\n".join(lines + [
            f"void emu_variables(void) {{ {' '.join(calls)} }}",
            f"const u32 emu_shared_bytes = {static if self.dynamic else self.shared_bytes};",
            f"const u32 emu_most_threads = {self.entry.most_threads};",
            f"const u32 emu_parameter_bytes = {self.entry.parameter_bytes};",
            f"const u32 emu_parameters = {len(parameters)};",
            f"const u32 emu_offset[] = {{{numbers(offset for offset, _ in parameters)}}};",
            f"const u32 emu_bytes[] = {{{numbers(size for _, size in parameters)}}};",
            *(self.blocks.c() if self.blocks else []),
            "void emu_kernel(Thread* t, const char* P) {", "u8 carry = 0;", "(void)carry;", *self.lines, "}", ""])
