# SPDX-License-Identifier: BSD-3-Clause
"""Forged checkpoints: numbers or facts are changed, and all sums made good. Each is refused, and nothing changes, or gives a state that
can be used. HGRID_FORGERIES says how many of each, HGRID_SEED from which on."""
import copy
import json
import os
import struct
import zlib

import numpy as np
import pytest
from conftest import system

import hgrid
from hgrid import _checkpoint

FORGERIES, SEED = int(os.environ.get("HGRID_FORGERIES", 200)), int(os.environ.get("HGRID_SEED", 1))
HEAD = struct.Struct("<QIIQQ")  # mark, kind, dimension, length of the members, sum
NUMBERS = (0, 1, -1, 2, 2**31 - 1, -2**31, 2**30, 65536)
REALS = (float("nan"), float("inf"), -float("inf"), 0.0, -1.0, 1e300, 1e-300, 1e15, 5e-324)


def mended(engine):
    """The engine's bytes with their length and their sum."""
    if len(engine) < HEAD.size:
        return bytes(engine)
    mark, what, element, _, _ = HEAD.unpack_from(engine)
    members = bytes(engine[HEAD.size:])
    total = 0
    words = np.frombuffer(members + bytes(-len(members) % 8), "<u8").tolist()
    for word in (mark, what, element, len(members), *words):
        total = (total ^ word) * 0x9e3779b97f4a7c15 % 2**64
        total ^= total >> 32
    return HEAD.pack(mark, what, element, len(members), total) + members


def forged_engine(engine, random):
    engine = bytearray(engine)
    for _ in range(random.integers(1, 4)):
        at = int(random.integers(len(engine))) if random.random() < 0.5 else int(random.integers(max(0, len(engine) - 2500), len(engine)))
        kind = random.integers(10)
        if kind < 5:
            new = struct.pack("<i", random.choice(NUMBERS))
        elif kind < 7:
            new = struct.pack("<q", int(random.choice(NUMBERS)) * int(random.choice((1, 2**31))))
        elif kind < 9:
            new = struct.pack("<d", random.choice(REALS))
        else:
            new = random.bytes(1)
        engine[at:at + len(new)] = new[:len(engine) - at]
        if random.random() < 0.1:
            del engine[at:at + int(random.integers(1, 65))]
    return mended(engine)


def forged_fact(fact, random):
    """Returns the checkpoint with one value changed somewhere."""
    if isinstance(fact, dict) and fact and random.random() < 0.95:
        name = list(fact)[random.integers(len(fact))]
        return {**fact, name: forged_fact(fact[name], random)} if random.random() < 0.9 else {k: v for k, v in fact.items() if k != name}
    if isinstance(fact, list) and fact and random.random() < 0.8:
        at = int(random.integers(len(fact)))
        return [*fact[:at], forged_fact(fact[at], random), *fact[at + 1:]] if random.random() < 0.8 else fact[:at] + fact[at + 1:]
    deep = []
    for _ in range(50):
        deep = [deep]
    others = (None, True, -1, 0, 2**31, 10**400, 1e308, float("nan"), float("inf"), "", "row", [], [1], {}, {"x": 1}, deep, [[0.1] * 4] * 70)
    return others[random.integers(len(others))]


def tried(call):
    try:
        return call()
    except hgrid.Error:
        return None


def use(what, x, r):
    """Uses a checkpoint as any client would; typed errors are no faults."""
    grid = getattr(what, "grid", what)
    values = None
    for step in range(3):
        now = x + 0.01 * step
        if what is grid:
            tried(lambda: grid.build(now, r))
        elif tried(lambda: what.update(now, r)):
            values = tried(lambda: what.carry(values))
        neighbors = tried(what.neighbors)
        if neighbors is not None:
            offsets, indices = neighbors.offsets, neighbors.indices
            assert offsets[0] == 0 and offsets[-1] == len(indices) and np.all(np.diff(offsets) >= 0)
            assert len(indices) == 0 or (indices.min() >= 0 and indices.max() < len(offsets) - 1)
        tried(grid.count)
        tried(lambda: grid.query(x[:3], radius=0.1))
    tried(lambda: repr(grid.plan))


@pytest.mark.parametrize("part", ["engine", "facts"])
@pytest.mark.parametrize("kind", ["Grid", "VerletList"])
def test_forgeries_are_refused_or_can_be_used(rng, kind, part):
    x, r = system(rng, 40)
    boxes = {"cell": [[1, 0, 0], [0.2, 1, 0], [0, 0.1, 1]], "periodic": "xy"}, {}, {"box": ((0, 0, 0), (1, 1, 1)), "periodic": True, "keys": "morton", "table": "compacted"}

    def made(**options):
        return hgrid.Grid(skin=0.02, **options) if kind == "Grid" else hgrid.VerletList(hgrid.Grid(skin=0.02, **options), full=len(options) > 1)

    saved = []
    for box in boxes:
        saved.append(made(**box))
        saved[-1].build(x, r)
    saved = [what.save() for what in saved]
    at_work = made(**boxes[0])
    at_work.build(x, r)
    at_work = at_work.save()
    used = 0
    for seed in range(SEED, SEED + FORGERIES):
        random = np.random.default_rng(seed)
        facts, engine = _checkpoint.opened(saved[random.integers(len(saved))], kind)
        if part == "engine":
            engine = forged_engine(engine, random)
        else:
            facts = forged_fact(copy.deepcopy(facts), random)
        what = made()
        if random.random() < 0.7:
            what.build(x, r)
            what.restore(at_work)
        before = what.save()
        try:
            what.restore(_checkpoint.closed(facts, engine))
        except hgrid.InputError as error:
            assert (error.code, error.argument) == ("format", "checkpoint"), seed
            assert what.save() == before, seed
            continue
        used += 1
        use(what, x, r)
        again = made()
        again.restore(what.save())
    print(f"{FORGERIES} forged checkpoints of a {kind}, in its {part}: {used} are used, the others refused")
    assert 0 < used < FORGERIES or FORGERIES < 50


def test_facts_may_be_no_facts(rng):
    x, r = system(rng, 20)
    grid = hgrid.Grid().build(x, r)
    true, engine = _checkpoint.opened(grid.save(), "Grid")
    wrong = [{**true, "levels": [[]]}, {**true, "levels": [[1.0] * 6]}, {**true, "skin": float("nan")}, {**true, "skin": -1}]
    for facts in (*wrong, [], None, 3, "Grid", {"kind": ["Grid"]}, {"kind": "Grid"}, {"kind": "x" * 100000}):
        with pytest.raises(hgrid.InputError) as caught:
            hgrid.Grid().restore(_checkpoint.closed(facts, engine))
        assert caught.value.code == "format" and len(str(caught.value)) < 300
    for text in (b"", b"{", b"\xff", b"[" * 100000, json.dumps({"kind": "Grid"}).encode() + b"!"):
        rest = struct.pack("<Q", len(text)) + text + engine
        with pytest.raises(hgrid.InputError):
            hgrid.Grid().restore(_checkpoint._MARK + struct.pack("<I", zlib.crc32(rest)) + rest)
