# SPDX-License-Identifier: BSD-3-Clause
"""Arrays and numbers that say more than numbers: units and masks. Neither is dropped in silence."""
from __future__ import annotations

import re
from typing import Any

import numpy as np

from ._errors import InputError

_NO_UNIT = "", "1", "dimensionless", "(dimensionless)"
# Ways to the numbers of an object, {0}, in its unit, {1}, by the attribute that its library has: pint, astropy and unyt, quantities, openmm,
# columns of astropy, scipp, astropy's NDData.
_WAYS = {"m_as": "{0}.m_as({1!r})", "to_value": "{0}.to_value({1!r})", "rescale": "{0}.rescale({1!r}).magnitude",
         "value_in_unit": "{0}.value_in_unit({0}.unit)", "quantity": "{0}.quantity.to_value({1!r})", "values": "{0}.to(unit={1!r}).values", "data": "{0}.data"}
_PLAIN = frozenset((int, float, bool, np.float64, np.float32, np.ndarray))


def unit_of(given: Any) -> str:
    """The unit of an object of astropy, pint, unyt, quantities, openmm or scipp; "" without one, and if it is dimensionless."""
    try:
        unit = getattr(given, "units", None)
        unit = getattr(given, "unit", None) if unit is None else unit
    except Exception:  # of classes of others
        return ""
    text = "" if unit is None or isinstance(unit, str) else str(unit).removeprefix("1.0 ")  # xarray and pandas have texts
    return "" if text in _NO_UNIT else text


def require_no_unit(given: Any, argument: str) -> None:
    """Raises InputError for an object that has one, with the line that gives its numbers."""
    unit = unit_of(given)
    if unit:
        way = next((way for name, way in _WAYS.items() if hasattr(given, name)), "np.asarray({0})").format(argument, unit)
        raise InputError(f"{argument} has the unit {unit}, and hgrid knows none; give all lengths in one, such as {way}", argument=re.split(r"\W", argument)[0])


def numbers_alone(given: Any, argument: str) -> Any:
    """What numpy is to read. Raises InputError where the object, or an entry of a list, has a unit or a mask that hides a number."""
    if isinstance(given, (list, tuple)):
        if not _PLAIN.issuperset(map(type, given)):
            for k, one in enumerate(given):
                numbers_alone(one, f"{argument}[{k}]")
        return given
    library, way = type(given).__module__.partition(".")[0], argument
    require_no_unit(given, argument)
    if library == "xarray" and type(given.data) is not np.ndarray:
        numbers_alone(given.data, f"{argument}.data")
    if library == "dask" and isinstance(given._meta, np.ma.MaskedArray):
        given, way = given.compute(), f"{argument}.compute()"  # numpy would read the numbers below the mask
    elif library == "netCDF4":
        given, way = given[...], f"{argument}[...]"
    require_no_mask(given, argument, way)
    return given


def require_no_mask(given: Any, argument: str, way: str) -> None:
    """Raises InputError where an array of numpy.ma or astropy, which is `way` in the message, hides an entry."""
    mask = np.ma.getmaskarray(given) if isinstance(given, np.ma.MaskedArray) else getattr(given, "mask", None)
    hidden = np.argwhere(np.asarray(mask if isinstance(mask, (np.bool_, np.ndarray)) else False, bool))
    if len(hidden) == 0:
        return
    place = ", ".join(map(str, hidden[0].tolist()))
    shown = f"{argument}[{place}]" if place else argument
    below = way + (".unmasked" if hasattr(given, "unmasked") else ".filled(...)" if hasattr(given, "filled") else ".data")
    raise InputError(f"{shown} is masked; give the numbers below the mask by {below}, or leave such particles out",
                     argument=re.split(r"\W", argument)[0], index=int(hidden[0][0]) if place else -1)


def require_same_units(**arrays: Any) -> None:
    """Raises InputError where two arrays, as xarray, pandas, h5py and netCDF4 have them, state units that differ."""
    stated: dict[str, str] = {}
    for name, given in arrays.items():
        get = getattr(getattr(given, "attrs", None), "get", None)
        unit = get("units") if callable(get) else getattr(given, "units", None)
        if isinstance(unit, str) and unit not in _NO_UNIT:
            stated[name] = unit
    if len(set(stated.values())) > 1:
        (first, one), (second, other) = list(stated.items())[0], next(item for item in stated.items() if item[1] != list(stated.values())[0])
        raise InputError(f"{second} is in {other} and {first} in {one}, by their units; convert one of them", argument=second)
