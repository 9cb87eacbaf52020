# SPDX-License-Identifier: BSD-3-Clause
"""The progress of a build or a search."""
from __future__ import annotations

import importlib
import sys
import threading
from contextlib import contextmanager
from typing import Any, Callable, Iterator

Show = Callable[[float], Any]


class _Told(threading.local):
    show: Show | None = None


_told = _Told()


def tell(share: float) -> None:
    """The core calls it now and then, in the thread that waits. What it raises ends the work."""
    if _told.show is not None:
        _told.show(share)


class _Line:
    """One line of text, in a terminal or below a notebook's cell."""

    n = 0.0

    def refresh(self) -> None:
        print(f"\rhgrid: {100 * self.n:3.0f} %", end="", file=sys.stderr, flush=True)

    def close(self) -> None:
        print("\r" + 12 * " ", end="\r", file=sys.stderr, flush=True)


def _bar() -> Any:
    try:
        tqdm = importlib.import_module("tqdm.auto").tqdm
    except ImportError:
        return _Line()
    return tqdm(desc="hgrid", total=1.0, leave=False, bar_format="{l_bar}{bar}| {elapsed}")


@contextmanager
def progress(show: Show | None = None) -> Iterator[None]:
    """Within `with hgrid.progress():` builds and searches of this thread on the host show how far they are, each from 0 to 1.

    They do so by tqdm, as a bar in a notebook, or by a line of text where it is not installed. Nothing is shown of work that takes less
    than a twentieth of a second. show: a function of yours instead, called with the share; it cannot use the grid at work, and its exceptions
    end the work, like Ctrl-C and a notebook's stop button.
    """
    bar: Any = None

    def draw(share: float) -> None:
        nonlocal bar
        bar = _bar() if bar is None else bar
        bar.n = share
        bar.refresh()

    before, _told.show = _told.show, draw if show is None else show
    try:
        yield
    finally:
        _told.show = before
        if bar is not None:
            bar.close()
