# SPDX-License-Identifier: BSD-3-Clause
"""Operations of torch: entries against numpy's, derivatives against finite differences, and compiled functions."""
import numpy as np
import pytest
from conftest import keys

import hgrid

torch = pytest.importorskip("torch")
import hgrid.torch  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore:`torch.jit", "ignore:.*deprecated:DeprecationWarning")
ROOM = torch.tensor([[1, 0, 0], [0.3, 1.1, 0], [-0.2, 0.1, 0.9]], dtype=torch.float64)
ALL = torch.tensor([True, True, True])


def points(rng, n, dimension=3, dtype=torch.float64):
    return torch.tensor(3 * rng.random((n, dimension)) - 1, dtype=dtype)


def require_same(found, x, cutoff, **more):
    """The entries of one system equal numpy's, and D and d belong to them."""
    i, j, S, D, d = hgrid.neighbor_list("ijSDd", positions=x.detach().numpy(), cutoff=cutoff, **more)
    assert len(i) > 0 and found.edge_index.dtype == found.S.dtype == torch.int64 and found.D.dtype == found.d.dtype == x.dtype
    assert np.array_equal(found.edge_index, [i, j]) and np.array_equal(found.S, S)
    tolerance = 1e-13 if x.dtype == torch.float64 else 2e-6
    np.testing.assert_allclose(found.D.detach(), D, atol=tolerance)
    np.testing.assert_allclose(found.d.detach(), d, atol=tolerance)


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
@pytest.mark.parametrize("dimension, pbc", [(3, [True] * 3), (3, [True, False, True]), (3, None), (2, [True] * 2), (2, [False, True])])
def test_lists_are_those_of_numpy(rng, dtype, dimension, pbc):
    x, cell = points(rng, 60, dimension, dtype), ROOM[:dimension, :dimension].to(dtype)
    for itself in (False, True):
        found = hgrid.torch.neighbor_list(x, 0.4, cell, None if pbc is None else torch.tensor(pbc), self_interaction=itself)
        require_same(found, x, 0.4, cell=cell.numpy(), pbc=pbc, self_interaction=itself)
    assert np.array_equal(hgrid.torch.radius_graph(x, 0.4, loop=True), hgrid.radius_graph(x.numpy(), 0.4, loop=True))


def test_numbers_of_python_are_taken_too(rng):
    x = points(rng, 40)
    require_same(hgrid.torch.neighbor_list(x, 0.4, ROOM.numpy(), True), x, 0.4, cell=ROOM.numpy(), pbc=True)
    assert hgrid.torch.neighbor_list(x[:0], 0.4, ROOM, ALL).D.shape == (0, 3)
    assert hgrid.torch.neighbor_list(x[:0], 0.4, ROOM[None], ALL, torch.zeros(0, dtype=torch.int64)).D.shape == (0, 3)


@pytest.mark.parametrize("small", [False, True])
def test_a_batch_is_one_list_after_the_other(rng, small):
    """Cells of their own, some open axes, systems in any order; small: one cell has more images than a grid takes."""
    n = 40 if small else 80
    cells = ROOM * torch.tensor(rng.uniform(0.9, 1.4, (5, 1, 1)))
    cells[3] *= 0.07 if small else 1.0
    pbc = torch.tensor(rng.random((5, 3)) < 0.7)
    pbc[3] = True
    batch = torch.tensor(rng.integers(0, 5, n))
    x = points(rng, n).requires_grad_()
    leaf = cells.clone().requires_grad_()
    for itself in (False, True):
        found = hgrid.torch.neighbor_list(x, 0.5, leaf, pbc, batch, itself)
        i, j = found.edge_index
        assert (i.diff() >= 0).all() and (batch[i] == batch[j]).all()
        energy = ((0.25 - found.d**2) ** 3).sum()
        slope_x, slope_cell = torch.autograd.grad(energy, (x, leaf))
        for k in range(5):
            ids, own = (batch == k).nonzero()[:, 0], batch[i] == k
            alone, vectors = x[ids].detach().requires_grad_(), cells[k].clone().requires_grad_()
            one = hgrid.torch.neighbor_list(alone, 0.5, vectors, pbc[k], None, itself)
            require_same(one, alone, 0.5, cell=cells[k].numpy(), pbc=pbc[k].numpy(), self_interaction=itself)
            assert keys(*ids[one.edge_index], *one.S.T) == keys(i[own], j[own], *found.S[own].T)
            forces = torch.autograd.grad(((0.25 - one.d**2) ** 3).sum(), (alone, vectors))
            torch.testing.assert_close(slope_x[ids], forces[0])
            torch.testing.assert_close(slope_cell[k], forces[1])


def test_one_cell_for_a_batch(rng):
    x, batch = points(rng, 60), torch.tensor(rng.integers(0, 3, 60))
    for cell, pbc in ((ROOM, ALL), (None, None)):
        found = hgrid.torch.neighbor_list(x, 0.5, cell, pbc, batch)
        cells, flags = (None, None) if cell is None else (cell.expand(3, 3, 3), pbc.expand(3, 3))
        for other in (hgrid.torch.neighbor_list(x, 0.5, cells, flags, batch), hgrid.torch.neighbor_list(x, 0.5, cell, flags, batch)):
            assert found.edge_index.shape[1] > 20 and all(torch.equal(a, b) for a, b in zip(found, other))
    edges = hgrid.torch.radius_graph(x, 0.5, batch)
    assert keys(*edges.flip(0)) == keys(*found.edge_index)


def test_pairs_at_the_cutoff_are_none(rng):
    """The distance decides as it is measured, however the grid rounds."""
    batch = torch.zeros(2, dtype=torch.int64)
    for x in torch.tensor(10 * rng.random((100, 2, 3))):
        d = hgrid.torch.neighbor_list(x, 0.9, ROOM[None], ALL, batch).d.max().item()
        for cutoff, entries in ((d, 0), (np.nextafter(d, 1), 1)):
            found = hgrid.torch.neighbor_list(x, cutoff, ROOM[None], ALL, batch)
            assert int((found.d == d).sum()) >= entries and (found.d < cutoff).all()


def test_derivatives(rng):
    """Derivatives of D and d by positions and cell, first and second."""
    x, cell = torch.tensor(rng.random((6, 3)), requires_grad=True), ROOM.clone().requires_grad_()
    batch = torch.tensor([0, 0, 0, 1, 1, 1])
    for given, more in (((x, cell), ()), ((x, torch.stack([cell, 1.1 * cell]).detach().requires_grad_()), (batch,))):
        def measured(x, cell):
            found = hgrid.torch.neighbor_list(x, 0.7, cell, ALL, *more)
            return found.D, found.d
        assert len(measured(*given)[1]) > 10
        assert torch.autograd.gradcheck(measured, given) and torch.autograd.gradgradcheck(measured, given)


def test_derivatives_at_distance_zero_are_zero():
    x = torch.zeros(2, 3, dtype=torch.float64, requires_grad=True)
    d = hgrid.torch.neighbor_list(x, 1.0, self_interaction=True).d
    slope, = torch.autograd.grad(d.sum(), x, create_graph=True)
    assert len(d) == 4 and (d == 0).all() and (slope == 0).all() and (torch.autograd.grad(slope.sum() + d.sum(), x)[0] == 0).all()


def test_operations_are_registered_well(rng):
    x, batch = points(rng, 20).requires_grad_(), torch.tensor(rng.integers(0, 2, 20))
    for operation, given in ((torch.ops.hgrid.radius_graph, (x, 0.5, batch)), (torch.ops.hgrid.neighbor_list, (x, 0.5, ROOM, ALL, batch))):
        assert set(torch.library.opcheck(operation.default, given).values()) == {"SUCCESS"}


def energy(x, cell, pbc, batch):
    found = hgrid.torch.neighbor_list(x, 0.5, cell, pbc, batch)
    edges = hgrid.torch.radius_graph(x, 0.5, batch)
    return ((0.25 - found.d**2) ** 2).sum() + (x[edges[0]] - x[edges[1]]).square().sum()


@pytest.mark.parametrize("how, backend", [*((how, backend) for how in ({"fullgraph": True}, {}, {"fullgraph": True, "dynamic": True})
                                            for backend in ("eager", "aot_eager")), ({"dynamic": True}, "inductor")], ids=str)
@torch._dynamo.config.patch(capture_dynamic_output_shape_ops=True)  # fullgraph=True asks for it, up to torch 2.8
def test_a_program_is_compiled(rng, backend, how):
    """The default mode too, where torch looks into all calls of the program. The compiler of inductor takes ten seconds for one."""
    torch._dynamo.reset()
    program = torch.compile(energy, backend=backend, **how)
    for n in (30, 40):  # with another number of particles and of entries
        x, batch = points(rng, n).requires_grad_(), torch.tensor(rng.integers(0, 2, n))
        ours, plain = program(x, ROOM, ALL, batch), energy(x, ROOM, ALL, batch)
        torch.testing.assert_close(ours, plain)
        torch.testing.assert_close(*(torch.autograd.grad(e, x)[0] for e in (ours, plain)))
        assert plain > 1


@pytest.mark.parametrize("call", [
    lambda x: hgrid.radius_graph(x, 0.5), lambda x: hgrid.neighbor_list("ijd", positions=x, cutoff=0.5)[0], lambda x: hgrid.Grid().build(x, 0.2).neighbors().indices,
    lambda x: hgrid.neighbor_lists("ij", positions=x, offsets=[0, len(x)], cutoff=0.5).arrays[0]])
def test_what_is_no_operation_of_torch_is_left_out_of_a_graph(rng, call):
    torch._dynamo.reset()
    x = points(rng, 30)
    found = torch.compile(lambda x: call(2 * x), backend="eager")(x)
    assert np.array_equal(found, call(2 * x))


def test_a_program_is_exported(rng):
    class Energy(torch.nn.Module):
        def forward(self, *given):
            return energy(*given)

    given = points(rng, 30), ROOM, ALL, torch.tensor(rng.integers(0, 2, 30))
    assert torch.export.export(Energy(), given).module()(*given) == energy(*given) > 1


def test_scripts(rng):
    """Calls PyG's radius_graph, and compares our lists."""
    square = torch.tensor([[-1.0, -1], [-1, 1], [1, -1], [1, 1]])
    graph, lists = torch.jit.script(hgrid.torch.radius_graph), torch.jit.script(hgrid.torch.neighbor_list)
    for edges in (graph(square, 2.5, flow="target_to_source"), graph(square, 2.5)):
        assert keys(*edges) == [(0, 1), (0, 2), (1, 0), (1, 3), (2, 0), (2, 3), (3, 1), (3, 2)]
    assert graph(square, 2.5, torch.tensor([0, 0, 1, 1]), loop=True).shape == (2, 8)
    x, batch = points(rng, 40).requires_grad_(), torch.tensor(rng.integers(0, 2, 40))
    for more in ((), (ROOM, ALL), (torch.stack([ROOM, ROOM]), ALL, batch)):
        ours, plain = lists(x, 0.5, *more), hgrid.torch.neighbor_list(x, 0.5, *more)
        assert len(plain.d) > 20 and all(torch.equal(a, b) for a, b in zip(ours, plain))
        assert torch.equal(*(torch.autograd.grad(found.d.sum(), x)[0] for found in (ours, plain)))
    with pytest.raises(RuntimeError, match="max_num_neighbors is 1; point 0 has 2 neighbors"):
        graph(square, 2.5, max_num_neighbors=1)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_precision_is_widened(rng, dtype):
    x = points(rng, 40).to(dtype).requires_grad_()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        found = hgrid.torch.neighbor_list(x, 0.5, ROOM, ALL)
    require_same(found, x.detach().float(), 0.5, cell=ROOM.float().numpy(), pbc=True)
    assert np.array_equal(hgrid.torch.radius_graph(x, 0.5), hgrid.radius_graph(x.detach().float().numpy(), 0.5))
    assert torch.autograd.grad(found.d.sum(), x)[0].dtype == dtype


X = torch.zeros(3, 3)


@pytest.mark.parametrize("call, message", [
    (lambda: hgrid.torch.radius_graph(X.long(), 1.0), "x is a tensor of torch.int64"),
    (lambda: hgrid.torch.radius_graph(X[:, :1], 1.0), "x has shape (3, 1)"),
    (lambda: hgrid.torch.radius_graph(X, 1.0, torch.tensor([0])), "batch has shape (1,)"),
    (lambda: hgrid.torch.radius_graph(X, 1.0, flow="up"), "flow is 'up'"),
    (lambda: hgrid.torch.neighbor_list(X * torch.nan, 1.0), "positions[0] is nan"),
    (lambda: hgrid.torch.neighbor_list(X.long(), 1.0), "positions is a tensor of torch.int64"),
    (lambda: hgrid.torch.neighbor_list(X, -1.0), "cutoff is -1.0"),
    (lambda: hgrid.torch.neighbor_list(X, 1.0, None, ALL), "pbc needs a cell"),
    (lambda: hgrid.torch.neighbor_list(X, 1.0, torch.eye(2)), "cell has 2 vectors"),
    (lambda: hgrid.torch.neighbor_list(X, 1.0, torch.zeros(3, 3), ALL), "cell"),
    (lambda: hgrid.torch.neighbor_list(X, 1.0, torch.eye(3).expand(2, 3, 3)), "batch is needed with 2 cells"),
    (lambda: hgrid.torch.neighbor_list(X, 1.0, torch.eye(2).expand(2, 2, 2), ALL, torch.tensor([0, 1, 1])), "cell has shape (2, 2, 2)"),
    (lambda: hgrid.torch.neighbor_list(X, 1.0, torch.stack([torch.eye(3), X]), ALL, torch.tensor([0, 1, 1])), "cell[1]"),
    (lambda: hgrid.torch.neighbor_list(X, 1.0, torch.eye(3).expand(2, 3, 3), ALL.expand(3, 3), torch.tensor([0, 1, 1])), "pbc has shape (3, 3)"),
    (lambda: hgrid.torch.neighbor_list(X, 1.0, None, ALL, torch.tensor([0, 1, 1])), "pbc needs a cell"),
    (lambda: hgrid.torch.neighbor_list(X, 1.0, torch.eye(3).expand(2, 3, 3), None, torch.tensor([0, 1, 2])), "batch[2] is 2"),
    (lambda: hgrid.torch.neighbor_list(X, 1.0, batch=torch.tensor([0, -1, 0])), "batch[1] is -1"),
    (lambda: hgrid.torch.neighbor_list(X, 1.0, batch=torch.tensor([0, 1 << 40, 0])), "batch[1] is 1099511627776"),
    (lambda: hgrid.torch.neighbor_list(X, 1.0, batch=torch.tensor([0, 1])), "batch is torch.int64 of shape (2,)"),
    (lambda: hgrid.torch.neighbor_list(X * torch.nan, 1.0, batch=torch.tensor([0, 1, 1])), "positions[0] is nan"),
    (lambda: hgrid.torch.neighbor_list(X[:, :1], 1.0, batch=torch.tensor([0, 1, 1])), "positions has shape (3, 1)"),
])
def test_errors_name_the_argument(call, message):
    with pytest.raises(hgrid.InputError) as caught:
        call()
    assert message in str(caught.value)
