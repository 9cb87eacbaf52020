# SPDX-License-Identifier: BSD-3-Clause
"""Each argument of each public call with values that make no sense: errors are hgrid's, and name the argument."""
import re

import numpy as np
import pytest
from odd_values import BOX, VESIN, Bfloat16, Frame, R, Sparse, X, atoms_call, built, carry, masked, set_boxes, update

import hgrid

TEXT = ["", "one", b"one", {}, {"x": 1}, object(), Sparse(), lambda: 0]
ODD = [*TEXT, 1j, [[1, 2], [3]], [], np.zeros((2, 2, 2)), np.array(1j), np.zeros(3, complex), np.array(["a"]), Bfloat16(10, 3),
       masked(X)]
NUMBERS = [*ODD, None, np.nan, -1.0, -1, np.inf, 10**400, 2**70, True, "1", [1.0], np.zeros(2), np.array(True),
           np.datetime64("2026-01-01")]
WHOLE = [*ODD, None, np.nan, 1.5, -5, 2**70, -2**70, True, "1", [1], np.array([1, 2]), np.float64(1)]
FLAGS = [*ODD, None, np.nan, 0.5, 2, -1, "no", [True], np.array([True, False])]
NAMES = [*ODD, None, 1, True, ["a"], np.array(["fixed", "sum"])]


def reals(good):
    """Values for an array of that shape: of other types and shapes, and with an entry that is not finite or negative."""
    def bad(value):
        array = np.array(good, float)
        array.flat[1] = value
        return array
    return [*ODD, None, good.astype(complex), good.astype(bool), good.astype(object) + 1j, good.astype(str), good[:3],
            good[None],
            masked(good), Bfloat16(*good.shape), bad(np.nan), bad(np.inf), bad(1e16), np.full(good.shape, 2**70, object),
            np.where(np.arange(good.size).reshape(good.shape) == 1, None, good), Frame(good.astype(str)),
            good.tolist()[:-1] + [None],
            np.longdouble(good), good.astype("M8[s]")]


def whole(good):
    return [*ODD, good.astype(float), good.astype(complex), good.astype(bool), good[:3], good[None], good - 2**40, good + 2**40,
            good.astype(object) + 0.5, good.astype(str), masked(good), Bfloat16(*good.shape),
            np.where(good == good[1], None, good),
            good.tolist()[:-1] + ["a"], 3, -1, 2**70]


IDS = np.arange(10)
PARTICLES = {
    "x": (X, reals(X)), "r": (R, [*reals(R), -R, -1.0, np.nan, 1e16, np.inf, "1", 2**70]), "extra": (R, [*reals(R), -R]),
    "group": (IDS, whole(IDS)), "active": (IDS, whole(IDS)[:-3]), "owned": (3, WHOLE[:-2]), "nonfinite": ("error", NAMES),
    "radius_scale": (1.0, [*NUMBERS, 0.0]), "exclude": (np.array([[0, 1], [2, 3]]), whole(np.array([[0, 1], [2, 3]]))),
    "world": (IDS, [*whole(IDS), -IDS - 1, IDS + 2**21]), "active_bits": (3, [*WHOLE, 0, 256]),
    "worlds": (10, [*WHOLE, 0, 2**21]),
}
NEEDS = {"active_bits": {"active": IDS.astype(np.uint8)}, "worlds": {"world": IDS}}
PERIODIC = [*ODD, np.nan, 0.5, [0.5, 0, 0], "xx", "w", [1, 0], [True, "a", False], np.array([1, 2, 0]), 2]
CORNERS = [*ODD, 0.1, (1, 1, 1), ((0, 0, 0), (1, 1)), ((0, 0, 0), (1, 1, -1)), ((0, 0, 0), (1, 1, np.nan)), ((0,), (1,)),
           ((0, 0, 0), None), ((0, 0, 0), ("a", "b", "c")), np.zeros((3, 3)), masked(np.array(BOX)), ((0, 0, 0), (1, 1, 1j))]
CELL = [*[value for value in reals(np.eye(3)) if not isinstance(value, list) or value], np.zeros((3, 3)), np.ones((3, 3)), 1.0,
        [1, 1, 1], np.full((3, 3), np.inf), np.eye(4)]


# (a call by keywords, the argument, values that it must refuse or take without another error)
TABLE = [
    *((lambda _name=name, **given: hgrid.Grid().build(**{"x": X, "r": R, **NEEDS.get(_name, {}), **given}), name, values)
      for name, (_, values) in PARTICLES.items()),
    *((lambda _name=name, **given: update(**{**NEEDS.get(_name, {}), **given}), name, values) for name,
      (_, values) in PARTICLES.items()),
    *((lambda _name=name, **given: built().valid(**{"x": X, "r": R, **NEEDS.get(_name, {}), **given}), name, values)
      for name, (_, values) in PARTICLES.items()),
    (lambda skin: hgrid.Grid().build(X, R, skin=skin), "skin", NUMBERS),
    (lambda skin: hgrid.Grid(skin=skin), "skin", NUMBERS),
    (lambda skin: hgrid.VerletList(hgrid.Grid(), skin=skin), "skin", NUMBERS),
    (lambda box: hgrid.Grid(box, periodic=True), "box", CORNERS), (lambda box: hgrid.Box(box, periodic=True), "box", CORNERS),
    (lambda box: hgrid.Grid().set_box(box, periodic=True), "box", CORNERS),
    (lambda periodic: hgrid.Grid(BOX, periodic=periodic), "periodic", PERIODIC),
    (lambda cell: hgrid.Grid(cell=cell), "cell", CELL),
    (lambda periodic: hgrid.Grid(hgrid.Box(BOX, periodic=True), periodic=periodic), "periodic", [True, "xy"]),
    (lambda tilt: hgrid.Grid(hgrid.Box(BOX, periodic=True), tilt=tilt), "tilt", [(0, 0, 0)]),
    (lambda tilt: hgrid.Box(BOX, periodic=True, tilt=tilt), "tilt", [*ODD, 1.0, (1, 2), (np.nan, 0, 0), (0, 1e300, 0), masked(np.zeros(3))]),
    (lambda dimension: hgrid.Box(dimension=dimension), "dimension", [v for v in WHOLE if v is not None]),
    (lambda rule: hgrid.Grid(rule=rule), "rule", NAMES), (lambda keys: hgrid.Grid(keys=keys), "keys", NAMES),
    (lambda table: hgrid.Grid(table=table), "table", NAMES),
    (lambda direction: hgrid.Grid(direction=direction), "direction", NAMES),
    (lambda threads: hgrid.Grid(threads=threads), "threads", [v for v in WHOLE if v is not None]),
    (lambda stream: hgrid.Grid(stream=stream), "stream", [v for v in WHOLE if v is not None]),
    (lambda levels: hgrid.Grid(levels=levels).build(X, R), "levels",
     [*ODD, 1.0, None, [1.0], [()], [(0.1,)], [("a", 1, 1, 1)], [(-1, 0.2, 0.2, 0.2)], [(np.nan, 1, 1, 1)], [(1, 1, 1, 1, 1)]]),
    (lambda boxes: set_boxes(boxes), "boxes", [1.0, None, hgrid.Box(BOX, periodic=True), [1.0], [None], [hgrid.Box(BOX, periodic=True), (1, 2)], BOX, ["a"], "ab"]),
    (lambda quantities: built().pairs(quantities), "quantities", [*TEXT[1:], 1, None, ["i", "j"], "ijk", 1j]),
    (lambda order: built().pairs(order=order), "order", NAMES), (lambda full: built().neighbors(full=full), "full", FLAGS),
    (lambda max_neighbors: built().matrix(max_neighbors), "max_neighbors", [*(v for v in WHOLE if v is not None), 2**62]),
    (lambda padding: built().matrix(padding=padding), "padding", WHOLE),
    (lambda shifts: built().matrix(shifts=shifts), "shifts", FLAGS), (lambda full: built().matrix(full=full), "full", FLAGS),
    (lambda x: built().touches(x, R), "x", reals(X)), (lambda x: built().insert(x, R), "x", reals(X)),
    (lambda r: built().touches(X, r), "r", [*reals(R), -R, -1.0, np.nan, 1e16, np.inf, "1"]),
    (lambda r: built().insert(X, r), "r", [*reals(R), -R, -1.0, np.nan, 1e16, np.inf, "1"]),
    (lambda world: built().touches(X, R, world=world), "world", whole(IDS)),
    (lambda world: built().insert(X, R, world=world), "world", whole(IDS)),
    (lambda if_free: built().insert(X, R, if_free=if_free), "if_free", FLAGS),
    (lambda points: built().nearest(points), "points", [v for v in reals(X) if v is not None]),
    (lambda k: built().nearest(k=k), "k", [*WHOLE, 0, -1]), (lambda world: built().nearest(X, world=world), "world", whole(IDS)),
    (lambda points: built().query(points), "points", [v for v in reals(X) if v is not None]),
    (lambda lo: built().query(lo=lo, hi=X), "lo", [v for v in reals(X) if v is not None]),
    (lambda hi: built().query(lo=X, hi=hi), "hi", [v for v in reals(X) if v is not None]),
    (lambda radius: built().query(X, radius=radius), "radius", [*(v for v in reals(R) if v is not None), -1.0, np.nan, -R]),
    (lambda world: built().query(X, world=world), "world", whole(IDS)),
    (lambda take: built().query(X, take=take), "take", NAMES),
    (lambda radius_scale: built().query(X, radius_scale=radius_scale), "radius_scale", NUMBERS),
    (lambda grid: hgrid.VerletList(grid), "grid", [*ODD, None, 1, hgrid.Box(BOX, periodic=True)]),
    *((lambda _name=name, **given: hgrid.VerletList(hgrid.Grid(), skin=0.1, **given), name, FLAGS) for name in ("full",
                                                                                                                "choose_skin",
                                                                                                                "rebuild")),
    (lambda check_every: hgrid.VerletList(hgrid.Grid(), check_every=check_every), "check_every", [*WHOLE, 0]),
    (lambda margin: update(margin=margin), "margin", [*(v for v in reals(R) if v is not None), -R, -1.0, "1"]),
    (lambda values: carry(values), "values",
     [v for v in ODD if not isinstance(v, (np.ndarray, list))] + [R[:2], 3.0, masked(R)]),
    (lambda fresh: carry(None, fresh), "fresh", ["a", 1j, [1, 2], object(), None, {}]),
    (lambda checkpoint: hgrid.Grid().restore(checkpoint), "checkpoint", ["a", 5, None, b"", b"text", [1], object(), 1j]),
    (lambda checkpoint: hgrid.VerletList(hgrid.Grid()).restore(checkpoint), "checkpoint", ["a", 5, None, b"", [1], object()]),
    (lambda result: hgrid.verify(result, X, R), "result", [*TEXT, None, 1, X]),
    (lambda x: hgrid.verify(built().pairs(), x, R), "x",
     [v for v in reals(X)[:-2] if not isinstance(v, np.ndarray) or v.dtype != float]),
    (lambda r: hgrid.verify(built().pairs(), X, r), "r", [*ODD, None, R[:3], masked(R), R[None]]),
    (lambda extra: hgrid.verify(built().pairs(), X, R, extra=extra), "extra", [*ODD, None, R[:3], masked(R), R[None]]),
    (lambda group: hgrid.verify(built().pairs(), X, R, group=group), "group", [*ODD, IDS[:3], masked(IDS), R]),
    (lambda world: hgrid.verify(built().pairs(), X, R, world=world), "world", [*ODD, IDS[:3], masked(IDS), R]),
    (lambda extents: hgrid.Grid().build(X, extents=extents), "extents", [*(v for v in reals(X) if v is not None), -X, -1.0, np.nan, 1e16]),
    (lambda extents: hgrid.verify(built().pairs(), X, extents=extents), "extents", [*ODD, R, X[:3], masked(X), X[None]]),
    (lambda extents: hgrid.plot(X[:, :2], extents=extents), "extents", [*ODD, R, X, masked(X[:, :2])]),
    (lambda x: hgrid.plot(x, R), "x", [*ODD, None, X[:, :1], masked(X[:, :2])]),
    (lambda r: hgrid.plot(X[:, :2], r), "r", [*ODD, None, R[:3], masked(R)]),
    (lambda pairs: hgrid.plot(X[:, :2], R, pairs=pairs), "pairs", [*TEXT, 1, X]),
    (lambda grid: hgrid.plot(X[:, :2], R, grid=grid), "grid", [*TEXT, 1, X]),
    (lambda positions: atoms_call(positions=positions), "positions", [v for v in reals(X) if v is not None]),
    (lambda positions: hgrid.primitive_neighbor_list("ij", True, np.eye(3), positions, 0.2), "positions", reals(X)),
    (lambda cutoff: atoms_call(cutoff=cutoff), "cutoff",
     [*reals(R), -R, -1.0, np.nan, np.inf, 1e16, "1", {(1, 2, 3): 1.0}, {(1, 1): "a"}, {(1, 1): -1.0}, {1: 1.0},
      {("Xx", 1.5): 1}]),
    (lambda cell: atoms_call(cell=cell), "cell", [v for v in CELL if v is not None]),
    (lambda pbc: atoms_call(pbc=pbc), "pbc", [v for v in PERIODIC if not isinstance(v, str)]),
    (lambda pbc: atoms_call(pbc=pbc, cell=None), "pbc", [True, 0.5, [0.5, 0, 0], 1j]),
    (lambda numbers: atoms_call(cutoff={(1, 1): 0.2}, numbers=numbers), "numbers", [*whole(IDS)[:-6], None]),
    (lambda atoms: hgrid.neighbor_list("ij", atoms, 0.2), "atoms", [*TEXT, None, X, 1]),
    (lambda self_interaction: atoms_call(self_interaction=self_interaction), "self_interaction", FLAGS),
    (lambda threads: atoms_call(threads=threads), "threads", [v for v in WHOLE if v is not None]),
    (lambda quantities: hgrid.neighbor_list(quantities, positions=X, cutoff=0.2), "quantities", [*TEXT, 1, None, ["i"], "ijk"]),
    (lambda use_scaled_positions: hgrid.primitive_neighbor_list("i", True, np.eye(3), X, 0.2, None, False,
                                                                use_scaled_positions),
     "use_scaled_positions", FLAGS),
    *((lambda _name=name, **given: hgrid.NeighborList(**{**VESIN, **given}), name, FLAGS) for name in ("full_list", "sorted")),
    (lambda cutoff: hgrid.NeighborList(cutoff=cutoff, full_list=True).compute(X, np.eye(3), True), "cutoff",
     [*reals(R), -1.0, np.nan, "1"]),
    (lambda skin: hgrid.NeighborList(**VESIN, skin=skin), "skin", NUMBERS),
    (lambda n_threads: hgrid.NeighborList(**VESIN, n_threads=n_threads), "n_threads", WHOLE),
    (lambda algorithm: hgrid.NeighborList(**VESIN, algorithm=algorithm), "algorithm", NAMES),
    *((lambda _skin=skin, **given: hgrid.NeighborList(**VESIN, skin=_skin).compute(
        **{"points": X, "box": np.eye(3), "periodic": True, **given}), name, values)
      for skin in (0.0, 0.1) for name,
      values in (("points", reals(X)), ("periodic", [v for v in PERIODIC if not isinstance(v, str)]),
                                                  ("box", [v for v in CELL if v is not None]),
                                                  ("quantities", [*TEXT, 1, None, ["i"], "ijk"]))),
    (lambda x: hgrid.radius_graph(x, 0.2), "x", reals(X)),
    (lambda r: hgrid.radius_graph(X, r), "r", [*reals(R), -R, -1.0, np.nan, 1e16, "1"]),
    (lambda batch: hgrid.radius_graph(X, 0.2, batch), "batch", [*whole(IDS), -np.ones(10, int), -IDS, IDS + 2**21]),
    (lambda batch: hgrid.radius_graph(X, 0.2, batch, batch_size=3), "batch", [IDS, -IDS]),
    (lambda batch_size: hgrid.radius_graph(X, 0.2, IDS, batch_size=batch_size), "batch_size",
     [*(v for v in WHOLE if v is not None), 0, 2**21]),
    (lambda loop: hgrid.radius_graph(X, 0.2, loop=loop), "loop", FLAGS),
    (lambda flow: hgrid.radius_graph(X, 0.2, flow=flow), "flow", NAMES),
    (lambda max_num_neighbors: hgrid.radius_graph(X, 0.2, max_num_neighbors=max_num_neighbors), "max_num_neighbors",
     [v for v in WHOLE if v is not None]),
    *((lambda _name=name, **given: hgrid.capped_distance(**{"reference": X, "configuration": X, "max_cutoff": 0.2, **given}), name, values)
      for name, values in (("reference", reals(X)), ("configuration", reals(X)), ("max_cutoff", NUMBERS),
                           ("min_cutoff", [v for v in NUMBERS if v is not None]), ("box", [v for v in CELL if v is not None]),
                           ("return_distances", [v for v in FLAGS if v is not None]))),
    (lambda index: built().pairs().take(index), "index", [*TEXT, None, 1.5, 1j, np.nan, 10**6, -10**6, [0.5], np.zeros(3)]),
    (lambda index: built().neighbors()[index], "index", [*TEXT, None, 1.5, 1j, [0], 10, -11, 2**70]),
]


# Another argument that may be to blame, such as one of another length.
ALSO = {"x": ["r"], "lo": ["hi"], "cutoff": ["numbers"]}


@pytest.mark.parametrize("row", range(len(TABLE)))
def test_errors_name_the_argument(row):
    call, argument, values = TABLE[row]
    if "plot" in call.__code__.co_names:
        pytest.importorskip("matplotlib").use("Agg")
    for value in values:
        try:
            call(**{argument: value})
        except hgrid.Error as error:
            text = str(error)
            if error.argument in ALSO.get(argument, ()):
                continue
            assert re.match(rf"{argument}\b", text) or f"{argument} " in text, (value, text)
            assert error.argument.partition("[")[0] == argument, (value, error.argument, text)
            assert len(text) < 400 and "\n" not in text, text
        except Exception as error:
            raise AssertionError(f"{argument}={value!r}: {type(error).__name__}: {error}") from error
