# SPDX-License-Identifier: BSD-3-Clause
"""Checkpoints as bytes: the core's own, behind what this package knows besides, and a sum over all of it."""
from __future__ import annotations

import json
import struct
import zlib
from typing import Any, Callable, NamedTuple, TypeVar

from ._box import Box
from ._checks import fail, number, shown
from ._engine import Engine
from ._errors import InputError, counted
from ._given import Options, levels_of

_MARK = b"\xffhgridpy2"  # no text; its digit is raised when the layout changes
_KINDS = "Grid", "VerletList"
_T = TypeVar("_T")
_HEAD = struct.Struct("<9sIQ")  # mark, sum over what follows it, length of the facts


def closed(facts: dict[str, Any], core: bytes) -> bytes:
    """Facts that JSON can say, and bytes of the core."""
    text = json.dumps(facts).encode()
    rest = struct.pack("<Q", len(text)) + text + core
    return _MARK + struct.pack("<I", zlib.crc32(rest)) + rest


def _refuse(why: str) -> InputError:
    return fail("checkpoint", f"{why}; nothing was restored", code="format")


def opened(checkpoint: bytes, kind: str) -> tuple[dict[str, Any], bytes]:
    """Facts and bytes, of that kind."""
    try:
        checkpoint = bytes(memoryview(checkpoint))
    except TypeError:
        raise fail("checkpoint", f"is {shown(checkpoint)}; the bytes are needed that save() gave") from None
    if len(checkpoint) < _HEAD.size or not checkpoint.startswith(_MARK):
        raise _refuse("is none, or of another version")
    _, total, size = _HEAD.unpack_from(checkpoint)
    if zlib.crc32(checkpoint[_HEAD.size - 8:]) != total:
        raise _refuse("is cut off or damaged: its sum is another")
    facts = whole(lambda: json.loads(checkpoint[_HEAD.size:_HEAD.size + size]))
    if not isinstance(facts, dict) or facts.get("kind") not in _KINDS:
        raise _refuse("is of nothing that is known")
    if facts["kind"] != kind:
        raise _refuse(f"is of a {facts['kind']}, not of a {kind}")
    return facts, checkpoint[_HEAD.size + size:]


def whole(read: Callable[[], _T]) -> _T:
    """What it reads of facts. Anybody may have written them, so they may be anything that JSON can say."""
    try:
        return read()
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
        why = str(error) if isinstance(error, InputError) else type(error).__name__
        raise _refuse(f"does not hold together: {why[:200]}") from None


_OPTIONS = "rule", "levels", "direction", "keys", "table"  # the others say where and how it works, which a checkpoint leaves open


class State(NamedTuple):
    """The state of a grid in this package."""

    skin: float
    box: Box | None
    boxes: list[Box]
    options: Options

    def facts(self) -> dict[str, Any]:
        return {"skin": self.skin, "box": self.box and self.box.facts(), "boxes": [box.facts() for box in self.boxes],
                **{name: getattr(self.options, name) for name in _OPTIONS}}

    def of(self, facts: dict[str, Any], core: bytes, engine: Engine | None) -> State:
        """The state that the facts tell, if the core's bytes and the engine at work can have it. Where this one works stays. Raises StateError
        ("reentrancy") within a search of the engine."""
        if engine is not None:
            engine.set_boxes(self.boxes)  # the boxes that it has
        told = whole(lambda: self._read(facts))
        if core:
            if told.box is None:
                raise _refuse("has no box")
            dimension = told.box.dimension if engine is None else engine.dimension
            for given in (told.box, *told.boxes):
                if given.dimension != dimension and not given.is_open:
                    raise _refuse(f"has {counted(given.dimension, 'dimension')}, not {dimension}")
        return told

    def _read(self, facts: dict[str, Any]) -> State:
        box = None if facts["box"] is None else Box.of_facts(facts["box"])
        options = {name: facts[name] for name in _OPTIONS}
        options["levels"] = levels_of(facts["levels"])
        Options(**options).checked()
        boxes = [Box.of_facts(given) for given in facts["boxes"]]
        return State(number(facts["skin"], "skin"), box, boxes, self.options._replace(**options))

    def on_host(self) -> Engine:
        """An engine that looks at bytes for one that is not there yet."""
        assert self.box is not None
        return Engine(None, self.box, Options(threads=-1))
