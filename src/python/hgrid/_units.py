# SPDX-License-Identifier: BSD-3-Clause
"""Arrays and numbers that say more than numbers: units and masks. Neither is dropped in silence."""
from __future__ import annotations

from typing import Any

import numpy as np

from ._errors import InputError

_NO_UNIT = "", "1", "dimensionless", "(dimensionless)"


def unit_of(given: Any) -> str:
    """That of astropy, pint or unyt; "" without one, and for what is dimensionless."""
    try:
        unit = getattr(given, "units", None)
        unit = getattr(given, "unit", None) if unit is None else unit
    except Exception:  # of classes of others
        return ""
    text = "" if unit is None or isinstance(unit, str) else str(unit)  # texts are those of xarray and pandas
    return "" if text in _NO_UNIT else text


def require_no_unit(given: Any, argument: str) -> None:
    """Raises InputError for what has one, with the line that gives its numbers."""
    unit = unit_of(given)
    if unit:
        call = "m_as" if hasattr(given, "m_as") else "to_value" if hasattr(given, "to_value") else "to"
        raise InputError(f"{argument} has the unit {unit}, and hgrid knows none; give all lengths in one, such as {argument}.{call}({unit!r})",
                         argument=argument.partition("[")[0])


def require_no_mask(given: Any, argument: str) -> None:
    """Raises InputError where an array of numpy.ma or astropy hides an entry."""
    mask = np.ma.getmaskarray(given) if isinstance(given, np.ma.MaskedArray) else getattr(given, "mask", None)
    hidden = np.argwhere(np.asarray(mask if isinstance(mask, (bool, np.bool_, np.ndarray)) else False, bool))
    if len(hidden) == 0:
        return
    place = ", ".join(map(str, hidden[0].tolist()))
    shown = f"{argument}[{place}]" if place else argument
    below = f"{argument}.unmasked" if hasattr(given, "unmasked") else f"{argument}.filled(...)"
    raise InputError(f"{shown} is masked; leave particles out by active, or give the numbers below the mask by {below}",
                     argument=argument.partition("[")[0], index=int(hidden[0][0]) if place else -1)


def require_same_units(**arrays: Any) -> None:
    """Raises InputError where two arrays of xarray state units that differ."""
    stated: dict[str, str] = {}
    for name, given in arrays.items():
        attributes = getattr(given, "attrs", None)
        unit = attributes.get("units") if isinstance(attributes, dict) else None
        if isinstance(unit, str) and unit not in _NO_UNIT:
            stated[name] = unit
    if len(set(stated.values())) > 1:
        (first, one), (second, other) = list(stated.items())[0], next(item for item in stated.items() if item[1] != list(stated.values())[0])
        raise InputError(f"{second} is in {other} and {first} in {one}, by their attrs['units']; convert one of them", argument=second)
