# SPDX-License-Identifier: BSD-3-Clause
"""Lists that live through a time loop."""
from __future__ import annotations

import threading
from typing import Any, Sequence, overload

from ._checkpoint import closed, opened, whole
from ._checks import fail, letters, shown
from ._engine import ListEngine
from ._errors import StateError, counted
from ._given import Given, ListOptions, given_by
from ._grid import Grid
from ._neighbors import Neighbors, columns_of
from ._pair_array import PairArray
from ._results import Counters


class VerletList:
    """A neighbor list that is built again only when it may miss a contact.

    grid: a grid of its own, which says where the list works. full: each contact with both particles. skin: how far two particles may
    move, in sum, before the list is built again; the grid's unless given. choose_skin: find the skin that makes the loop fastest,
    starting there, but with a mean radius at most, or with a tenth of a mean radius if the skin is 0.
    rebuild: False raises StateError ("stale") instead of building again. check_every: steps from check to check.
    wrapped: coordinates may be wrapped at any step, by whole vectors of the present box. Half the skin must then be at most a quarter
    of each period (InputError "unsupported").

    A list can be pickled, and saved: a restored list continues with equal lists at equal steps.
    """

    def __init__(self, grid: Grid, *, full: bool = True, skin: float | None = None, choose_skin: bool = False, rebuild: bool = True,
                 check_every: int = 1, wrapped: bool = False) -> None:
        if not isinstance(grid, Grid):
            raise fail("grid", f"is {shown(grid)}; a hgrid.Grid is needed")
        self.grid = grid
        self._options = ListOptions(full, grid.skin if skin is None else skin, choose_skin, rebuild, check_every, wrapped).checked()
        self._engine: ListEngine | None = None
        self._checkpoint = b""  # of the engine that is not there yet
        self._first = threading.Lock()
        self._neighbors: Neighbors | None = None
        self._now: Given | None = None  # the particles of the last update

    @property
    def full(self) -> bool:
        return self._options.full

    def _engine_for(self, x: Any) -> ListEngine:
        with self._first:
            if self._engine is None or self.grid._engine is None:  # a grid that was restored may have another one
                engine = self.grid._engine_for(x)
                made = ListEngine(engine, self._options)
                if self._checkpoint:
                    made.restore(self._checkpoint)
                    self.grid._set_boxes_of(engine)
                self._engine, self._checkpoint = made, b""
            return self._engine

    def _listed(self) -> ListEngine:
        if self._engine is None or self._engine.counters().builds == 0:
            raise StateError("the list is not built; call update", "not_built")
        return self._engine

    def update(self, x: Any, r: Any = None, *, margin: Any = None, followers: Sequence[PairArray] = (), **more: Any) -> bool:
        """Call it at each step, after particles have moved. Returns True if the list is new.

        margin: [n] distance that each particle may move beyond half the skin, such as more for fast ones. Other arguments are as
        for `Grid.build`. Unless the list is made with wrapped=True, do not wrap coordinates: a wrap counts as a move of one period, and
        `counters.note` says so.
        followers: PairArrays, whose values are brought to the new list. If memory is too short for this, the next call tries again.
        """
        engine = self._with(followers, x)
        now = given_by(x, r, more)
        rebuilt = engine.update(now, margin)
        self._follow(engine, followers, now, rebuilt)
        return rebuilt

    def _with(self, followers: Sequence[PairArray], x: Any) -> ListEngine:
        """The engine, whose list the followers have."""
        for follower in followers:
            if not isinstance(follower, PairArray):
                raise fail("followers", f"have {shown(follower)}; PairArrays are needed")
        engine = self._engine_for(x)
        for follower in followers:
            follower.follow(engine)
        return engine

    def _follow(self, engine: ListEngine, followers: Sequence[PairArray], now: Given, rebuilt: bool) -> None:
        self._now = now
        if rebuilt or self._options.wrapped:
            self._neighbors = None
        for follower in followers if rebuilt else ():
            follower.follow(engine)

    def build(self, x: Any, r: Any = None, *, followers: Sequence[PairArray] = (), **more: Any) -> None:
        """Builds at once, for instance when exclusions have changed, which `update` does not notice."""
        engine = self._with(followers, x)
        now = given_by(x, r, more)
        engine.build(now)
        self._follow(engine, followers, now, True)

    @overload
    def neighbors(self) -> Neighbors: ...
    @overload
    def neighbors(self, quantities: str) -> tuple[Any, ...]: ...
    def neighbors(self, quantities: str = "") -> Any:
        """The list, one object until it is built again. Pairs may have a gap up to the skin. With wrapped=True there is an object for
        each update, with shifts for the positions passed to that update.

        quantities: letters of "ijSdD": gives arrays of the entries instead, as `Grid.neighbors` does. Distances are computed from the
        arrays passed to the last update, as they are now.
        """
        engine, box = self._listed(), self.grid._built()[1]
        if letters(quantities, "ijSdD", 0):
            if self._now is None:
                raise StateError("the list was restored; call update first", "not_built")
            return columns_of(engine.entries(self._now, quantities, nearer=False), quantities)
        if self._neighbors is None:
            self._neighbors = Neighbors(*engine.neighbors(), self.full, box, self.counters.skin)
        return self._neighbors

    @property
    def periods(self) -> Any:
        """By how many vectors of the box each particle was wrapped since the list was made: x + periods @ cell are unwrapped positions.
        [n, D] int32; None unless the list is made with wrapped=True."""
        return self._listed().periods()

    @property
    def origins(self) -> Any:
        """Where each entry of the list was in the previous list, or -1. [m] int64"""
        return self._listed().origins()

    def carry(self, values: Any, fresh: Any = 0) -> Any:
        """Values of the list before, one for each entry, brought to the new list; `fresh` for pairs that are new. PairArrays do it for you.

        values: [entries of the list before, ...]; None or an empty array at the first list. On a device they are an array there.
        Call it each time that `update` returns True.
        """
        return self._listed().carry(values, fresh)

    @property
    def counters(self) -> Counters:
        return self._engine.counters() if self._engine is not None else Counters(0, 0, 0, 0, 0, 0.0, self._options.skin)

    def save(self) -> bytes:
        """The checkpoint of the list and its grid. Lists before it are not in it, so `carry` values first, and save them, too."""
        core = self._checkpoint if self._engine is None else self._engine.save()
        return closed({"kind": "VerletList", "options": list(self._options), **self.grid._state().facts()}, core)

    def restore(self, checkpoint: bytes) -> None:
        """Gives the list, and its grid, the state of a checkpoint. Raises InputError ("format") for bytes that are none, or damaged: the
        list is then as it was. What it holds is there from the next `update` on."""
        facts, core = opened(checkpoint, "VerletList")  # in whose bytes the state of the grid is, too
        options, grid = whole(lambda: ListOptions(*facts["options"]).checked()), self.grid
        state = grid._state().of(facts, core, grid._engine)
        if core:
            (self._engine or ListEngine(state.on_host(), options)).restore(core)
        else:
            self._engine = None
        grid._take(state, core)
        self._options, self._neighbors, self._now, grid._checkpoint = options, None, None, b""
        self._checkpoint = core if self._engine is None else b""

    def __repr__(self) -> str:
        counters = self.counters
        held = f"{counted(counters.builds, 'build')} in {counted(counters.steps, 'step')}" if counters.builds else "not built"
        neighbors = self._neighbors  # which another thread may drop meanwhile
        if neighbors is not None:
            held = f"{counted(int(neighbors.indices.shape[0]), 'entry', 'entries')}, {held}"
        return f"<hgrid.VerletList: {held}, {'full' if self.full else 'half'}, skin {counters.skin:g}, of {self.grid!r}>"

    def __getstate__(self) -> dict[str, Any]:
        is_new = self._engine is None and not self._checkpoint  # whose checkpoint would leave the grid without its plan
        return {"grid": self.grid, "options": self._options, "checkpoint": None if is_new else self.save()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(state["grid"])  # type: ignore[misc]
        self._options = state["options"]
        if state["checkpoint"] is not None:
            self.restore(state["checkpoint"])
