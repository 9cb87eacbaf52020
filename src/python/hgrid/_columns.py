# SPDX-License-Identifier: BSD-3-Clause
"""The names of columns, as the tool has them (src/tool/io/column_names.cpp; a test holds both lists equal)."""
from __future__ import annotations

from typing import Collection, Mapping

from ._checks import fail, shown

_AXES = "pos{0} {0}pos position{0} {0}position centre{0} center{0} {0}centre {0}center {0}coordinate coordinate{0} {0}coord coord{0} " \
        "points{1} position{1} positions{1} pos{1} coordinates{1} coords{1}"
ALIASES = {
    **{axis: [axis, *_AXES.format(axis, k).split()] for k, axis in enumerate("xyz")},
    "radius": "r rad radius radii particleradius sphereradius".split(),
    "diameter": "diameter diameters diam particlediameter spherediameter".split(),
    **{f"h{axis}": f"h{axis} half{axis} halfextent{axis}".split() for axis in "xyz"},
    "id": "id particleid particleidentifier atomid".split(),
}
POSITIONS = "pos position positions coordinate coordinates coord coords points".split()
UNITS = "km m dm cm mm um µm nm".split()
_ROLES = {name: role for role, names in ALIASES.items() for name in names}
_LOWER = {capital: capital + 32 for capital in range(ord("A"), ord("Z") + 1)}


def _normalised(name: str) -> str:
    """The name without case, separators, quotes and a unit in brackets."""
    name = name[:min([name.find(bracket) for bracket in "[(" if bracket in name], default=len(name))]
    return "".join(c for c in name.translate(_LOWER) if "a" <= c <= "z" or "0" <= c <= "9" or c >= "\x80")


def _suffix(name: str) -> int:
    """Where the separator before a unit at the end stands; -1 without one."""
    at = max(name.rfind(separator) for separator in "_ ./-:")
    return at if at > 0 and name[at + 1:] in UNITS else -1


def unit_of(name: str) -> str:
    """The unit that a name states, as in `x [mm]` and `x_mm`; "" without one."""
    start, end = min([name.find(b) for b in "[(" if b in name], default=-1), max(name.rfind("]"), name.rfind(")"))
    if 0 <= start < end:
        return name[start + 1:end].strip()
    at = _suffix(name)
    return name[at + 1:] if at >= 0 else ""


def meaning_of(name: str) -> tuple[str, int]:
    """(its role or "", its rank): names of rank 1 are plain; names of rank 2 count if there are none of rank 1."""
    role = _ROLES.get(_normalised(name), "")
    if role:
        return role, 1
    if _suffix(name) >= 0:
        return _ROLES.get(_normalised(name[:_suffix(name)]), ""), 2
    if len(name) > 2 and name[1] == "_" and name[0] in "cdfv":  # of LAMMPS; forces are f_x, so sizes alone have such names
        role = _ROLES.get(_normalised(name[2:]), "")
        return (role, 2) if role in ("radius", "diameter") else ("", 0)
    return "", 0


def names_positions(name: str) -> bool:
    """Whether several columns of this one name are positions."""
    return _normalised(name) in POSITIONS


def roles_of(widths: Mapping[str, int], given: Mapping[str, str] | None = None) -> dict[str, tuple[str, int]]:
    """Which column has which role: {role: (name, k)}, for number k of each of its rows.

    widths: how many numbers a row of each column has. given: meanings of some columns, in place of their names'; "" for none. Raises
    InputError where two columns have one meaning, but for half extents, which none of them has then.
    """
    given = given or {}
    for name, meaning in given.items():
        if name not in widths:
            raise fail("columns", f"names {shown(name)}; the columns found are: {listed(widths)}")
        if not isinstance(meaning, str) or meaning and not names_positions(meaning) and not meaning_of(meaning)[0]:
            raise fail("columns", f"has {shown(meaning)} for {shown(name)}; it must be position, x, y, z, radius, diameter, hx, hy, hz, id, or '' for none")
    flat: list[tuple[str, int, str, int]] = []  # role, rank, name, k
    for name, width in widths.items():
        meaning = given.get(name, name)
        if width in (2, 3) and names_positions(meaning):
            flat += [("xyz"[k], 0 if name in given else 1, name, k) for k in range(width)]
        elif width == 1 and meaning:
            role, rank = meaning_of(meaning)
            flat.append((role, 0 if name in given else rank, name, 0))
    roles: dict[str, tuple[str, int]] = {}
    for rank in range(3):
        before = set(roles)
        for role, own, name, k in flat:
            if not role or own != rank or role in before:
                continue
            if role in roles and not role.startswith("h"):
                raise fail("columns", f"must be given, because two columns mean the same: {shown(roles[role][0])} and {shown(name)}; "
                                      f"columns={{{roles[role][0]!r}: ''}} leaves one out")
            roles[role] = (name, k) if role not in roles else ("", 0)
    return {role: place for role, place in roles.items() if place[0]}


def listed(names: Collection[str]) -> str:
    """Names, as a message lists them."""
    some = [shown(name)[1:-1] for name in list(names)[:24]]
    return ", ".join(some) + (f", ... ({len(names)} in all)" if len(names) > 24 else "") if some else "none"
