# SPDX-License-Identifier: BSD-3-Clause
"""Threads, forks and signals."""
import multiprocessing
import os
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from conftest import keys, system

import hgrid


def test_other_threads_run_meanwhile(rng):
    x = rng.random((300_000, 3))
    ticks, done = [0], threading.Event()

    def tick():
        while not done.is_set():
            ticks[0] += 1
            time.sleep(0)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1000)  # nobody has to hand over Python's lock: only who sleeps, or calls hgrid, does
    thread = threading.Thread(target=tick)
    try:
        thread.start()
        g = hgrid.Grid()
        for call in (lambda: g.build(x, 0.004), lambda: g.pairs(), lambda: g.neighbors(), lambda: g.count()):
            before = ticks[0]
            for _ in range(200):  # a busy machine may not get to the other thread during a short call
                call()
                if ticks[0] > before:
                    break
            assert ticks[0] > before
    finally:
        done.set()
        sys.setswitchinterval(interval)
        thread.join()


def test_a_grid_for_each_thread_and_one_for_all(rng):
    systems = [system(rng, 3000) for _ in range(8)]
    alone = [keys(*hgrid.Grid().build(x, r).pairs("ij")) for x, r in systems]
    with ThreadPoolExecutor(8) as pool:
        for _ in range(3):
            assert list(pool.map(lambda s: keys(*hgrid.Grid(threads=2).build(*s).pairs("ij")), systems)) == alone
        g = hgrid.Grid(threads=2).build(*systems[0])
        assert set(pool.map(lambda k: g.count() if k % 2 else g.pairs("d").size, range(40))) == {len(alone[0])}
        v = hgrid.VerletList(hgrid.Grid(), skin=0.01)
        list(pool.map(lambda k: v.update(*systems[0]), range(20)))
        assert v.counters.steps == 20 and v.counters.builds == 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_forked_child_has_threads_of_its_own():
    code = """
import os, sys, numpy as np, hgrid
x = np.random.default_rng(1).random((50000, 3))
g = hgrid.Grid(threads=2).build(x, .01)
expected = g.pairs(order="sorted").ij.copy()
for _ in range(2):
    child = os.fork()
    if child == 0:
        same = np.array_equal(g.pairs(order="sorted").ij, expected)
        same &= np.array_equal(hgrid.Grid(threads=2).build(x, .01).pairs(order="sorted").ij, expected)
        os._exit(0 if same and g.plan.threads == 2 else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
assert g.plan.threads == 2 and np.array_equal(g.build(x, .01).pairs(order="sorted").ij, expected)
"""
    subprocess.run([sys.executable, "-W", "ignore", "-c", code], check=True)


WORK = """
import hashlib, multiprocessing, sys, numpy as np, hgrid

def work(seed):
    digest = hashlib.sha256()
    for n in (10, 1000, 20000):
        x = np.random.default_rng(seed).random((n, 3)) * n ** (1 / 3)
        for column in hgrid.neighbor_list("ijSd", positions=x, cutoff=1.2, threads=THREADS):
            digest.update(column.tobytes())
    return digest.hexdigest()

def works(method):
    with multiprocessing.get_context(method).Pool(4) as pool:
        return pool.map(work, [1] * 4, chunksize=1)
"""


def test_four_processes_give_equal_results(tmp_path):
    """Forked, spawned and started from a shell: each has threads of its own."""
    for name, threads in (("serial", "'serial'"), ("several", "2")):
        (tmp_path / f"{name}.py").write_text(WORK.replace("THREADS", threads))
    (tmp_path / "main.py").write_text("""
import sys, serial, several
if __name__ == "__main__":
    expected = serial.work(1)
    assert several.work(1) == expected  # the parent of forks has used threads
    for method in sys.argv[1:]:
        assert several.works(method) == [expected] * 4, method
    print(expected)
""")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    methods = [method for method in ("fork", "spawn") if method in multiprocessing.get_all_start_methods()]
    done = subprocess.run([sys.executable, "-W", "ignore", "main.py", *methods], check=True, capture_output=True, text=True, cwd=tmp_path,
                          env=environment)
    shell = [subprocess.Popen([sys.executable, "-c", "import several; print(several.work(1))"], stdout=subprocess.PIPE, text=True,
                              cwd=tmp_path, env=environment) for _ in range(4)]
    assert [process.communicate()[0] for process in shell] == [done.stdout] * 4


@pytest.mark.parametrize("given", ["99999999", "1", "2", "0", "many"])
def test_the_environment_says_how_many_threads(given):
    code = "import hgrid, numpy as np; g = hgrid.Grid().build(np.random.default_rng(1).random((50000, 3)), .01); print(g.plan.threads, g.count())"

    def answer(environment):
        done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, env=environment)
        return [int(word) for word in done.stdout.split()]

    plain = {name: value for name, value in os.environ.items() if name != "OMP_NUM_THREADS"}
    (usual, count), (threads, again) = answer(plain), answer({**plain, "OMP_NUM_THREADS": given})
    assert again == count
    assert threads == (int(given) if given in "12" else usual if given in ("0", "many") else max(64, 4 * len(os.sched_getaffinity(0))))


def test_ctrl_c_ends_a_search():
    """All pairs of four million particles would take hours."""
    code = """
import os, signal, threading, numpy as np, hgrid
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's jobs in the background ignore it
g = hgrid.Grid().build(np.random.default_rng(1).random((4_000_000, 3)), 1.0)
threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    g.count()
except KeyboardInterrupt:
    assert g.build(np.zeros((2, 3)), 1.0).count() == 1
    print("stopped")
"""
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout == "stopped\n"


def test_an_exception_of_a_handler_arrives():
    code = """
import os, signal, threading, numpy as np, hgrid
class Stop(Exception): pass
def stop(*_): raise Stop("enough")
signal.signal(signal.SIGUSR1, stop)
g = hgrid.Grid().build(np.random.default_rng(1).random((4_000_000, 3)), 1.0)
threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGUSR1)).start()
try:
    g.pairs()
except Stop as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout == "enough\n"


def test_the_wheel_has_vector_code():
    code = "import hgrid; print(hgrid.Grid().build([[0, 0]], 1.0).plan.instructions)"

    def instructions(wanted):
        done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True,
                              env={**os.environ, "HGRID_SIMD": wanted})
        return done.stdout.strip()

    assert instructions("baseline") != "none"  # which is the name of the plain loops
    with open("/proc/cpuinfo", encoding="utf-8") as facts:
        if " avx2 " in facts.read():
            assert instructions("avx2") == "AVX2"
