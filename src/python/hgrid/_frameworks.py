# SPDX-License-Identifier: BSD-3-Clause
"""What hgrid must know of a framework of arrays on a device: its stream, how it takes and copies memory, and its types."""
from __future__ import annotations

import importlib
from typing import Any


class Framework:
    """The framework of an array."""

    def __init__(self, array: Any) -> None:
        self._name = type(array).__module__.partition(".")[0]
        self._device = getattr(array, "device", None)
        self._module = array.__array_namespace__() if hasattr(array, "__array_namespace__") else importlib.import_module(self._name)

    def _stream(self) -> Any:
        if self._name == "torch":
            return self._module.cuda.current_stream(self._device)
        if self._name == "hgrid":  # arrays of hgrid.warp
            return self._module.stream_of(self._device)
        return importlib.import_module("cupy").cuda.get_current_stream() if self._name == "cupy" else None

    @property
    def stream(self) -> int | None:
        """The address of the CUDA stream on which it works now, 0 for the default one; None if it does not tell."""
        now = self._stream()
        return None if now is None else int(now.ptr if self._name == "cupy" else now.cuda_stream or 0)

    def taken(self, memory: Any, copied: bool) -> Any:
        """An array over memory that speaks DLPack; or a copy of its own, which is there when this returns, so that the memory may be
        written to on another stream."""
        view = self._module.from_dlpack(memory)
        if not copied:
            return view
        copy = view.clone() if hasattr(view, "clone") else view.copy()
        if hasattr(copy, "block_until_ready"):  # jax
            copy.block_until_ready()
        elif (now := self._stream()) is not None:
            now.synchronize()
        return copy

    def converted(self, array: Any, name: str) -> Any:
        """The numbers in a type of that name, such as "int32"."""
        kind = getattr(self._module, name)
        return array.to(kind) if hasattr(array, "to") else array.astype(kind)

    def seen_as(self, array: Any, name: str) -> Any:
        """The memory as numbers of another type of equal size."""
        return array.view(getattr(self._module, name))

    def most(self, array: Any) -> float:
        """The largest number; 0 of none."""
        return float(self._module.max(array)) if array.shape[0] > 0 else 0.0

    def least(self, array: Any) -> float:
        return float(self._module.min(array)) if array.shape[0] > 0 else 0.0

    def index_of_most(self, array: Any) -> int:
        return int(self._module.argmax(array))
