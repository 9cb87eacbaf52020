# SPDX-License-Identifier: BSD-3-Clause
"""Checkpoints as bytes: the engine's own, behind what this package knows besides, and a sum over all of it."""
from __future__ import annotations

import json
import struct
import zlib
from typing import TYPE_CHECKING, Any, Callable, NamedTuple, TypeVar

from ._box import Box
from ._checks import fail, number, shown
from ._errors import InputError, counted
from ._given import ListOptions, Options, levels_of
from ._host import HostGrid

if TYPE_CHECKING:
    from ._grid import Grid
    from ._verlet import VerletList

_MARK = b"\xffhgridpy2"  # no text; its digit is raised when the layout changes
_KINDS = "Grid", "VerletList"
_T = TypeVar("_T")
_HEAD = struct.Struct("<9sIQ")  # mark, sum over what follows it, length of the facts


def _closed(facts: dict[str, Any], engine: bytes) -> bytes:
    text = json.dumps(facts).encode()
    rest = struct.pack("<Q", len(text)) + text + engine
    return _MARK + struct.pack("<I", zlib.crc32(rest)) + rest


def _refuse(why: str) -> InputError:
    return fail("checkpoint", f"{why}; nothing was restored", code="format")


def _opened(checkpoint: bytes, kind: str) -> tuple[dict[str, Any], bytes]:
    try:
        checkpoint = bytes(memoryview(checkpoint))
    except TypeError:
        raise fail("checkpoint", f"is {shown(checkpoint)}; the bytes are needed that save() gave") from None
    if len(checkpoint) < _HEAD.size or not checkpoint.startswith(_MARK):
        raise _refuse("is none, or of another version")
    _, total, size = _HEAD.unpack_from(checkpoint)
    if zlib.crc32(checkpoint[_HEAD.size - 8:]) != total:
        raise _refuse("is cut off or damaged: its sum is another")
    facts = _whole(lambda: json.loads(checkpoint[_HEAD.size:_HEAD.size + size]))
    if not isinstance(facts, dict) or facts.get("kind") not in _KINDS:
        raise _refuse("is of nothing that is known")
    if facts["kind"] != kind:
        raise _refuse(f"is of a {facts['kind']}, not of a {kind}")
    return facts, checkpoint[_HEAD.size + size:]


def _whole(read: Callable[[], _T]) -> _T:
    """What it reads of facts. Anybody may have written them, so they may be anything that JSON can say."""
    try:
        return read()
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
        why = str(error) if isinstance(error, InputError) else type(error).__name__
        raise _refuse(f"does not hold together: {why[:200]}") from None


class _State(NamedTuple):
    """That of a grid, as this package knows it."""

    skin: float
    box: Box | None
    boxes: list[Box]
    options: dict[str, Any]


_OPTIONS = "rule", "levels", "direction", "keys", "table"  # the others say where and how it works, which a checkpoint leaves open


def _facts_of(grid: Grid) -> dict[str, Any]:
    return {"skin": grid.skin, "box": grid._box and grid._box.facts(), "boxes": [box.facts() for box in grid._boxes],
            **{name: getattr(grid._options, name) for name in _OPTIONS}}


def _state_of(facts: dict[str, Any], engine: bytes, grid: Grid) -> _State:
    """That which the facts tell, if it can be that of the engine's bytes, and of the grid at work."""
    skin, box, boxes, options = _whole(lambda: _read(facts))
    if engine:
        if box is None:
            raise _refuse("has no box")
        dimension = box.dimension if grid._engine is None else grid._engine.dimension
        for given in (box, *boxes):
            if given.dimension != dimension and not given.is_open:
                raise _refuse(f"has {counted(given.dimension, 'dimension')}, not {dimension}")
    return _State(skin, box, boxes, options)


def _read(facts: dict[str, Any]) -> _State:
    box = None if facts["box"] is None else Box.of_facts(facts["box"])
    options = {name: facts[name] for name in _OPTIONS}
    options["levels"] = levels_of(facts["levels"])
    Options(**options).checked()
    return _State(number(facts["skin"], "skin"), box, [Box.of_facts(given) for given in facts["boxes"]], options)


def _list_options(facts: dict[str, Any]) -> ListOptions:
    return ListOptions(*facts["options"]).checked()


def _take(grid: Grid, state: _State, engine: bytes) -> None:
    """When nothing can fail any more. A grid that was never built has no engine."""
    grid.skin, grid._box, grid._boxes, options = state
    grid._options = grid._options._replace(**options)
    if not engine:
        grid._engine = None
    if grid._engine is not None:
        grid._set_boxes_of(grid._engine)


def save_grid(grid: Grid) -> bytes:
    engine = grid._checkpoint if grid._engine is None else grid._engine.save()
    return _closed({"kind": "Grid", **_facts_of(grid)}, engine)


def restore_grid(grid: Grid, checkpoint: bytes) -> None:
    facts, engine = _opened(checkpoint, "Grid")
    state = _state_of(facts, engine, grid)
    if engine:
        (grid._engine or _on_host(state)).restore(engine)
    _take(grid, state, engine)
    grid._checkpoint = engine if grid._engine is None else b""


def save_list(verlet: VerletList) -> bytes:
    engine = verlet._checkpoint if verlet._engine is None else verlet._engine.save()
    return _closed({"kind": "VerletList", "options": list(verlet._options), **_facts_of(verlet.grid)}, engine)


def restore_list(verlet: VerletList, checkpoint: bytes) -> None:
    """The state of the grid is among the engine's bytes."""
    facts, engine = _opened(checkpoint, "VerletList")
    options, state = _whole(lambda: _list_options(facts)), _state_of(facts, engine, verlet.grid)
    if engine:
        (verlet._engine or _on_host(state).make_list(options)).restore(engine)
    else:
        verlet._engine = None
    _take(verlet.grid, state, engine)
    verlet._options, verlet._neighbors, verlet.grid._checkpoint = options, None, b""
    verlet._checkpoint = engine if verlet._engine is None else b""


def _on_host(state: _State) -> HostGrid:
    """An engine that looks at bytes for one that is not there yet."""
    assert state.box is not None
    return HostGrid(state.box, Options(threads=-1))
