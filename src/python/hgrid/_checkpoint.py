# SPDX-License-Identifier: BSD-3-Clause
"""Checkpoints as bytes: the engine's own, behind what this package knows besides, and a sum over all of it."""
from __future__ import annotations

import json
import struct
import zlib
from typing import TYPE_CHECKING, Any

from ._arrays import fail
from ._box import Box
from ._given import ListOptions, Options
from ._host import HostGrid

if TYPE_CHECKING:
    from ._grid import Grid
    from ._verlet import VerletList

_MARK = b"\xffhgridpy1"  # no text; its digit is raised when the layout changes
_HEAD = struct.Struct("<9sIQ")  # mark, sum over what follows it, length of the facts


def _closed(facts: dict[str, Any], engine: bytes) -> bytes:
    text = json.dumps(facts).encode()
    rest = struct.pack("<Q", len(text)) + text + engine
    return _MARK + struct.pack("<I", zlib.crc32(rest)) + rest


def _opened(checkpoint: bytes, kind: str) -> tuple[dict[str, Any], bytes]:
    def refuse(why: str) -> Exception:
        return fail("checkpoint", f"{why}; nothing was restored", code="format")

    checkpoint = bytes(checkpoint)
    if len(checkpoint) < _HEAD.size or not checkpoint.startswith(_MARK):
        raise refuse("is none, or of another version")
    _, total, size = _HEAD.unpack_from(checkpoint)
    if zlib.crc32(checkpoint[_HEAD.size - 8:]) != total:
        raise refuse("is cut off or damaged: its sum is another")
    facts: dict[str, Any] = json.loads(checkpoint[_HEAD.size:_HEAD.size + size])
    if facts["kind"] != kind:
        raise refuse(f"is of a {facts['kind']}, not of a {kind}")
    return facts, checkpoint[_HEAD.size + size:]


def _facts_of(grid: Grid) -> dict[str, Any]:
    return {"skin": grid.skin, "box": grid._box and grid._box.facts(), "boxes": [box.facts() for box in grid._boxes]}


def _take(grid: Grid, facts: dict[str, Any]) -> None:
    """When nothing can fail any more."""
    grid.skin = facts["skin"]
    grid._box = facts["box"] and Box.of_facts(facts["box"])
    grid._boxes = [Box.of_facts(box) for box in facts["boxes"]]
    if grid._engine is not None and grid._box is not None:
        grid._engine.set_box(grid._box)
        grid._engine.set_boxes(grid._boxes)


def save_grid(grid: Grid) -> bytes:
    engine = grid._checkpoint if grid._engine is None else grid._engine.save()
    return _closed({"kind": "Grid", **_facts_of(grid)}, engine)


def restore_grid(grid: Grid, checkpoint: bytes) -> None:
    facts, engine = _opened(checkpoint, "Grid")
    if grid._engine is not None and engine:
        grid._engine.restore(engine)
    elif engine:
        _on_host(facts).restore(engine)
        grid._checkpoint = engine
    _take(grid, facts)


def save_list(verlet: VerletList) -> bytes:
    engine = verlet._checkpoint if verlet._engine is None else verlet._engine.save()
    return _closed({"kind": "VerletList", "options": list(verlet._options), **_facts_of(verlet.grid)}, engine)


def restore_list(verlet: VerletList, checkpoint: bytes) -> None:
    facts, engine = _opened(checkpoint, "VerletList")
    options = ListOptions(*facts["options"])
    if verlet._engine is not None and engine:
        verlet._engine.restore(engine)
    elif engine:
        _on_host(facts).make_list(options).restore(engine)
        verlet._checkpoint = engine
    verlet._options, verlet._neighbors = options, None
    _take(verlet.grid, facts)


def _on_host(facts: dict[str, Any]) -> Any:
    """An engine that looks at bytes for one that is not there yet."""
    return HostGrid(Box.of_facts(facts["box"]), Options(threads=-1))
