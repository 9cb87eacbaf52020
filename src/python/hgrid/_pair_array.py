# SPDX-License-Identifier: BSD-3-Clause
"""Values that follow their pairs."""
from __future__ import annotations

from typing import Any

import numpy as np

from ._arrays import described
from ._checks import fail, whole
from ._engine import Followed
from ._errors import StateError, counted


class PairArray:
    """A value for each entry of a VerletList or of the contacts of a Mesh, such as a spring; `followers=[...]` brings them from list to list.

    shape, dtype: of one value, such as (3,) and "float64". fresh: the value of a pair that is new; on a device one number.
    values: the values of the present list, ``[entries, *shape]``, such as from a file. They are an array where the list works.
    """

    __slots__ = ("shape", "dtype", "fresh", "_values", "_list", "_builds")

    def __init__(self, shape: Any = (), dtype: Any = "float64", fresh: Any = 0, values: Any = None) -> None:
        try:
            self.shape = tuple(whole(n, "shape", 0, 1 << 31) for n in ((shape,) if isinstance(shape, int) else shape))
        except TypeError:
            raise fail("shape", f"is {shape!r}; a tuple of whole numbers is needed") from None
        self.dtype, self.fresh = dtype, fresh
        self._values = values
        self._list: Followed[Any] | None = None  # that they follow
        self._builds = 0  # of it, when they did

    @property
    def values(self) -> Any:
        """The values of the present list, ``[entries, *shape]``; None before the first update. Write into them, or assign others."""
        return self._values

    @values.setter
    def values(self, given: Any) -> None:
        if given is not self._values:
            self._values, self._list = given, None  # the next update asks how many they are

    def __len__(self) -> int:
        return 0 if self._values is None else int(self._values.shape[0])

    def __getitem__(self, k: Any) -> Any:
        """The value of entry k; of a slice, ids or flags the values of these."""
        return (() if self._values is None else self._values)[k]

    def _require(self, entries: int) -> None:
        if len(self) != entries:
            raise fail("followers", f"have {counted(len(self), 'value')}; the list has {counted(entries, 'entry', 'entries')}", -1,
                       len(self), "size_mismatch")

    def follow(self, engine: Followed[Any]) -> None:
        """Brings the values to the present list. Raises InputError ("size_mismatch") if their number is not the size of the list that they
        follow, StateError ("stale") if this is neither the present list nor the previous one."""
        builds = engine.builds()
        if builds == 0:
            return
        now, before = engine.sizes()
        missed = builds - self._builds
        if self._list is None and self._values is not None:
            self._require(now)
        elif self._list is None:
            self._values = engine.full(now, self.shape, self.dtype, self.fresh)
        elif self._list is not engine or missed > 1:
            raise StateError("followers were left out where the list was built, or follow another one; set their values", "stale",
                             "followers", -1, missed)
        elif missed == 1:
            self._require(before)
            self._values = engine.carry(self._values, self.fresh)
        else:
            self._require(now)
        self._list, self._builds = engine, builds

    def __repr__(self) -> str:
        held = "no values" if self._values is None else counted(len(self), "value")
        return f"<hgrid.PairArray: {held} of shape {self.shape}, {np.dtype(self.dtype) if self._values is None else described(self._values)}>"

    def __reduce__(self) -> tuple[object, ...]:
        return PairArray, (self.shape, self.dtype, self.fresh, self._values)
