#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""hgrid contacts: every option, the report, the outputs, and the contacts of real data."""
import itertools
import json
import math
import os
import random
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "support"))
from tool import ToolCase, needs_shared_data, read_csv, read_npy, shared_data  # noqa: E402


def add(a, b):
    return a + b


def touching(particles, periods=(0, 0, 0), skin=0.0, rule=add):
    """All (i, j, ix, iy, iz), by trying them all."""
    images = [(-1, 0, 1) if period else (0,) for period in periods]
    found = []
    for (i, a), (j, b) in itertools.combinations(enumerate(particles), 2):
        for m in itertools.product(*images):
            d2 = sum((a[k] - b[k] - m[k] * periods[k]) ** 2 for k in range(3))
            if d2 <= (rule(a[3], b[3]) + skin) ** 2:
                found.append((i, j, *m))
    return sorted(found)


class SmallSystems(ToolCase):
    def setUp(self):
        super().setUp()
        draw = random.Random(7)
        self.particles = [[draw.random() for _ in range(3)] + [draw.choice((0.02, 0.05, 0.12))] for _ in range(150)]
        rows = "".join("{},{},{},{}\n".format(*p) for p in self.particles)
        self.write("p.csv", "# box 0 0 0 1 1 1\nx,y,z,r\n" + rows)

    def pairs(self, *arguments):
        _, rows = read_csv(self.run_tool("contacts", "p.csv", *arguments, "--out", "-").stdout)
        return [tuple(map(int, row[:5])) for row in rows]

    def test_open_and_periodic(self):
        self.assertEqual(self.pairs(), touching(self.particles))
        for letters in ("x", "yz", "xyz"):
            periods = [1.0 if k in letters else 0 for k in "xyz"]
            self.assertEqual(self.pairs("--periodic", letters), touching(self.particles, periods))
        self.assertEqual(self.pairs("--periodic", "x", "--box", "-1,0,0,1,1,1"), touching(self.particles, (2, 0, 0)))

    def test_skin(self):
        self.assertEqual(self.pairs("--skin", 0.03), touching(self.particles, skin=0.03))

    def test_two_dimensions(self):
        flat = [[x, y, 0, r] for x, y, _, r in self.particles]
        self.assertEqual(self.pairs("--dim", 2), touching(flat))
        self.assertEqual(self.pairs("--dim", 2, "--periodic", "xy", "--box", "0,0,1,1"), touching(flat, (1, 1, 0)))

    def test_worlds(self):
        draw = random.Random(9)
        world = [draw.choice((-3, 7, 2**40)) for _ in self.particles]
        expected = [c for c in touching(self.particles, (1, 1, 1)) if world[c[0]] == world[c[1]]]
        self.assertLess(0, len(expected))
        dump = "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n150\nITEM: BOX BOUNDS pp pp pp\n0 1\n0 1\n0 1\n"
        for name, column, head, row in (
                ("w.csv", "sample_id", "# box 0 0 0 1 1 1\nx,y,Sample ID,z,r\n", "{0},{1},{4},{2},{3}\n"),
                ("w.xyz", "mol", '150\nLattice="1 0 0 0 1 0 0 0 1" Properties=pos:R:3:radius:R:1:mol:I:1\n', "{} {} {} {} {}\n"),
                ("w.dump", "mol", dump + "ITEM: ATOMS mol x y z radius\n", "{4} {0} {1} {2} {3}\n")):
            self.write(name, head + "".join(row.format(*p, w) for p, w in zip(self.particles, world)))
            _, rows = read_csv(self.run_tool("contacts", name, "--periodic", "xyz", "--world", column, "--out", "-").stdout)
            self.assertEqual([tuple(map(int, row[:5])) for row in rows], expected)
            self.assertEqual(self.report(name, "--periodic", "xyz", "--world", column)["worlds"], 3)

    def test_exclusions(self):
        expected = touching(self.particles, (1, 1, 1))
        gone = {pair[:2] for pair in expected[::3]}
        rest = [pair for pair in expected if pair[:2] not in gone]
        either = [(j, i) if i % 2 else (i, j) for i, j in gone]
        self.assertGreater(len(rest), 50)
        for name, text in (("e.csv", "".join(f"{i},{j}\n" for i, j in either)),
                           ("e.txt", "# bonds\nkind j i\n" + "".join(f"harmonic {j} {i}\n" for i, j in sorted(either)))):
            self.write(name, text)
            for how in ([], ["--keys", "morton"], ["--backend", "serial", "--skin", 0]):
                self.assertEqual(self.pairs("--periodic", "xyz", "--exclude", name, *how), rest)
            self.assertEqual(self.report("p.csv", "--periodic", "xyz", "--exclude", name)["pairs"], len(rest))
        self.assertEqual(self.report("p.csv", "--exclude", "e.csv")["excluded"], len(gone))
        self.assertIn("excluded", self.run_tool("contacts", "p.csv", "--exclude", "e.csv").stdout)
        self.assertNotIn("excluded", self.report("p.csv"))

    def test_contacts_found_are_exclusions(self):
        self.run_tool("contacts", "p.csv", "--out", "c.csv")
        self.assertEqual(self.pairs("--exclude", "c.csv"), [])
        wide = touching(self.particles, skin=0.05)
        self.assertEqual(self.pairs("--exclude", "c.csv", "--skin", 0.05), sorted(set(wide) - set(touching(self.particles))))
        self.write("none.csv", "i,j\n")
        self.assertEqual(self.pairs("--exclude", "none.csv"), touching(self.particles))

    def test_rules(self):
        largest = touching(self.particles, (1, 1, 1), 0.04, max)
        self.assertEqual(self.pairs("--periodic", "xyz", "--rule", "max", "--skin", 0.04), largest)
        self.assertLess(len(largest), len(touching(self.particles, (1, 1, 1), 0.04)))
        both = largest + [(j, i, *(-k for k in m)) for i, j, *m in largest]
        entries = []
        for i, j, *m in both:
            d2 = sum((self.particles[i][k] - self.particles[j][k] - m[k]) ** 2 for k in range(3))
            if d2 <= (self.particles[i][3] + 0.04) ** 2:
                entries.append((i, j, *m))
        self.assertTrue(len(largest) < len(entries) < len(both))
        gather = "--periodic", "xyz", "--skin", 0.04, "--rule", "gather"
        self.assertEqual(self.pairs(*gather), sorted(entries))
        self.assertEqual(self.pairs(*gather, "--backend", "serial", "--keys", "morton"), sorted(entries))
        self.assertEqual(self.report("p.csv", *gather)["pairs"], len(entries))
        self.assertEqual(self.report("p.csv", *gather)["rule"], "gather")
        self.assertEqual(self.report("p.csv")["rule"], "sum")
        self.assertIn("gather", self.run_tool("contacts", "p.csv", *gather).stdout)
        for rule, own in (("max", max), ("gather", lambda a, _: a)):
            header, rows = read_csv(self.run_tool("contacts", "p.csv", "--rule", rule, "--out", "-").stdout)
            for row in rows:
                a, b = (self.particles[int(k)] for k in row[:2])
                self.assertAlmostEqual(float(row[header.split(",").index("overlap")]), own(a[3], b[3]) - math.dist(a[:3], b[:3]))

    def test_levels_change_nothing(self):
        expected = touching(self.particles)
        self.write("plan.json", json.dumps({"levels": [{"radius_max": 0.05, "cell_size": [0.2, 0.1, 0.1]},
                                                       {"radius_max": 0.12, "cell_size": [0.3, 0.3, 0.3]}],
                                            "direction": "bottom-up", "keys": "morton"}))
        self.assertEqual(self.pairs("--plan", "plan.json"), expected)
        report = self.report("p.csv", "--plan", "plan.json")
        self.assertEqual((report["direction"], report["keys"], report["level_count"]), ("bottom-up", "morton", 2))
        self.assertEqual(self.report("p.csv", "--plan", "plan.json", "--direction", "top-down")["direction"], "top-down")
        self.assertEqual(self.pairs("--cells", "0.04,0.1,0.24"), expected)
        levels = self.report("p.csv", "--cells", "0.04,0.1")["levels"]
        self.assertEqual([level["cell_size"] for level in levels], [[0.04] * 3, [0.1] * 3])
        self.assertEqual(levels[1]["radius_max"], 0.12)

    def test_a_report_is_a_plan(self):
        self.write("plan.json", self.run_tool("contacts", "p.csv", "--json").stdout)
        self.assertEqual(self.report("p.csv", "--plan", "plan.json")["levels"], self.report("p.csv")["levels"])

    def test_tilted_boxes(self):
        def tilted(tilt):
            found = []
            for (i, a), (j, b) in itertools.combinations(enumerate(self.particles), 2):
                for m in itertools.product(range(-4, 5), (-1, 0, 1), (-1, 0, 1)):
                    by = (m[0] + m[1] * tilt[0] + m[2] * tilt[1], m[1] + m[2] * tilt[2], m[2])
                    if sum((a[k] - b[k] - by[k]) ** 2 for k in range(3)) <= (a[3] + b[3]) ** 2:
                        found.append((i, j, *m))
            return sorted(found)

        self.assertEqual(self.pairs("--periodic", "xyz", "--tilt", "0.3,-1.4,0.25"), tilted((0.3, -1.4, 0.25)))
        self.fails(2, "xy,xz,yz", "contacts", "p.csv", "--periodic", "xyz", "--tilt", "0.3")
        rows = "".join(f"{i} {x} {y} {z} {r}\n" for i, (x, y, z, r) in enumerate(self.particles))
        self.write("t.dump", "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n150\nITEM: BOX BOUNDS xy xz yz pp pp pp\n"
                             "0 1.25 0.25\n0 1 0\n0 1 0\nITEM: ATOMS id x y z radius\n" + rows)
        _, found = read_csv(self.run_tool("contacts", "t.dump", "--periodic", "xyz", "--out", "-").stdout)
        self.assertEqual([tuple(map(int, row[:5])) for row in found], tilted((0.25, 0, 0)))

    def test_boxes_of_any_vectors(self):
        cell = ((0.2, 1.1, 0.3), (1, 0.1, 0), (0.1, 0.2, -1.2))  # left-handed
        expected = []
        for (i, a), (j, b) in itertools.combinations(enumerate(self.particles), 2):
            for m in itertools.product(range(-3, 4), repeat=3):
                by = [sum(m[v] * cell[v][k] for v in range(3)) for k in range(3)]
                if sum((a[k] - b[k] - by[k]) ** 2 for k in range(3)) <= (a[3] + b[3]) ** 2:
                    expected.append((i, j, *m))
        numbers = ",".join(str(c) for vector in cell for c in vector)
        self.assertEqual(self.pairs("--periodic", "xyz", "--cell", numbers), sorted(expected))
        self.fails(2, "--cell has 3 numbers", "contacts", "p.csv", "--periodic", "xyz", "--cell", "1,2,3")
        self.fails(2, "--cell is the whole box", "contacts", "p.csv", "--periodic", "xyz", "--cell", numbers, "--tilt", "0,0,0")
        self.fails(2, "flat", "contacts", "p.csv", "--periodic", "xyz", "--cell", "1,0,0,1,0,0,0,0,1")
        self.write("p.xyz", f'150\nLattice="{numbers.replace(",", " ")}" Properties=species:S:1:pos:R:3:radius:R:1\n' +
                   "".join(f"H {x} {y} {z} {r}\n" for x, y, z, r in self.particles))
        _, found = read_csv(self.run_tool("contacts", "p.xyz", "--periodic", "xyz", "--out", "-").stdout)
        self.assertEqual([tuple(map(int, row[:5])) for row in found], sorted(expected))
        self.write("plane.csv", "x,y,r\n0,0,0.5\n")
        self.assertEqual(self.report("plane.csv", "--periodic", "xy", "--cell", "0,1,1,0")["pairs"], 2)
        self.assertEqual(self.report("plane.csv", "--periodic", "x", "--cell", "0.6,0.6,0,0")["pairs"], 1)
        self.fails(2, "no z axis", "contacts", "p.csv", "--dim", 2, "--periodic", "xy", "--cell", numbers)

    def test_a_periodic_file_is_noticed(self):
        self.write("d.dump", "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n2\nITEM: BOX BOUNDS pp pp ff\n0 10\n0 10\n0 10\n"
                             "ITEM: ATOMS id x y z radius\n1 0.2 5 5 0.5\n2 9.8 5 5 0.5\n")
        open_box = self.report("d.dump")
        self.assertEqual(open_box["pairs"], 0)
        self.assertIn("--periodic xy", open_box["notes"][0])
        periodic = self.report("d.dump", "--periodic", "xy")
        self.assertEqual((periodic["pairs"], "periodic" in " ".join(periodic["notes"])), (1, False))

    def test_a_report_under_a_skin_is_a_plan(self):
        self.run_tool("generate", "--n", 3000, "--size-ratio", 20, "--exponent", -3, "--packing", 0.5, "--out", "many.npy")
        self.write("plan.json", self.run_tool("contacts", "many.npy", "--skin", 0.6, "--json").stdout)
        levels = json.loads(self.read("plan.json"))["levels"]
        self.assertGreater(len(levels), 1)
        self.assertEqual(self.report("many.npy", "--skin", 0.6, "--plan", "plan.json")["levels"], levels)

    def test_outputs_agree(self):
        for order in ("fixed", "sorted"):
            for name in ("c.csv", "c.npy", "c.vtp"):
                self.run_tool("contacts", "p.csv", "--periodic", "xyz", "--order", order, "--out", name, "--overwrite")
        header, rows = read_csv(self.read("c.csv").decode())
        descr, npy = read_npy(self.path("c.npy"))
        self.assertEqual(header, "i,j,ix,iy,iz,overlap")
        self.assertEqual(descr, [("i", "<i8"), ("j", "<i8"), ("ix", "<i4"), ("iy", "<i4"), ("iz", "<i4"),
                                 ("overlap", "<f8")])
        self.assertEqual(npy, rows)
        for i, j, *m, overlap in rows:
            a, b = self.particles[int(i)], self.particles[int(j)]
            self.assertAlmostEqual(overlap, a[3] + b[3] - math.dist(a[:3], [b[k] + m[k] for k in range(3)]), delta=1e-14)
        self.assertIn(b'NumberOfLines="%d"' % len(rows), self.read("c.vtp"))

    def test_radius(self):
        self.write("xyz.txt", "".join("{} {} {}\n".format(*p) for p in self.particles))
        equal = [[*p[:3], 0.06] for p in self.particles]
        self.assertEqual(self.report("xyz.txt", "--radius", 0.06)["pairs"], len(touching(equal)))

    def test_standard_input(self):
        report = json.loads(self.run_tool("contacts", "-", "--json", input=self.read("p.csv").decode()).stdout)
        self.assertEqual(report["pairs"], len(touching(self.particles)))

    def test_frames(self):
        frame = "{} {} 0 0 0 1 1 1\n" + "0.5 0.5 0.5 0 0 0 0.1 0 0 0 0 0 0 0\n" * 2
        self.write("f.data", frame.format(2, 0) + frame.format(2, 1).replace("0.5", "0.1", 1))
        self.assertEqual(self.report("f.data")["pairs"], 0)
        self.assertEqual(self.report("f.data", "--frames", 0)["pairs"], 1)

    def test_report(self):
        report = self.report("p.csv")
        for key, kind in {"particles": int, "pairs": int, "levels": list, "level_count": int, "direction": str,
                          "keys": str, "backend": str, "threads": int, "bytes": int, "skipped_rows": int,
                          "seconds": dict}.items():
            self.assertIsInstance(report[key], kind, key)
        self.assertLessEqual({"read", "plan", "build", "search", "total"}, set(report["seconds"]))
        self.assertEqual(report["level_count"], len(report["levels"]))
        self.assertEqual(sum(level["particles"] for level in report["levels"]), report["particles"])
        self.assertEqual({len(level["cell_size"]) for level in report["levels"]}, {3})
        text = self.run_tool("contacts", "p.csv").stdout
        self.assertIn("ns per particle", text)
        self.assertTrue(text.splitlines()[-1].startswith("next "))

    def test_no_particles(self):
        self.write("none.data", "0 0 0 0 0 1 1 1\n")
        report = self.report("none.data", "--out", "c.csv")
        self.assertEqual((report["particles"], report["pairs"]), (0, 0))
        self.assertEqual(self.read("c.csv"), b"i,j,ix,iy,iz,overlap\n")

    def test_demo(self):
        self.assertGreater(self.report("--demo", "--periodic", "xyz")["pairs"], 10000)

    def test_threads(self):
        expected = len(touching(self.particles))
        for value in ("0", "-1", "abc", "1000000", "1e6", ""):
            report = self.report("p.csv", environment={"OMP_NUM_THREADS": value})
            self.assertEqual(report["pairs"], expected)
            self.assertLessEqual(1, report["threads"])
            self.assertLessEqual(report["threads"], max(64, 4 * os.cpu_count()))
        self.assertEqual(self.report("p.csv", "--threads", 3)["threads"], 3)
        self.assertEqual(self.report("p.csv", "--threads", 3, "--backend", "serial")["threads"], 1)


@needs_shared_data
class RealData(ToolCase):
    def test_counts(self):
        for name, real, particles, pairs in (("drum-38k.txt", "double", 38000, 80316),
                                             ("drum-38k.txt", "float", 38000, 80299),
                                             ("penetration-25k-intruder.csv", "double", 25001, 53876),
                                             ("penetration-25k-intruder.csv", "float", 25001, 53869)):
            report = self.report(shared_data(name), "--real", real)
            self.assertEqual((report["particles"], report["pairs"]), (particles, pairs), (name, real))

    def test_counts_do_not_depend_on_how(self):
        ways = [("serial", 1)] + [("openmp", threads) for threads in (1, 2, 7)]
        for name, pairs in (("drum-38k.txt", 80316), ("penetration-25k-intruder.csv", 53876)):
            for (backend, threads), direction, keys in itertools.product(ways, ("top-down", "bottom-up"),
                                                                         ("row", "morton")):
                report = self.report(shared_data(name), "--backend", backend, "--threads", threads, "--direction",
                                     direction, "--keys", keys)
                self.assertEqual((report["pairs"], report["backend"], report["threads"], report["direction"],
                                  report["keys"]), (pairs, backend, threads, direction, keys))

    def test_bytes_do_not_depend_on_how(self):
        contents = set()
        for more in (["--backend", "serial"], ["--threads", 7, "--keys", "morton"], ["--cells", "0.003,0.004"]):
            self.run_tool("contacts", shared_data("drum-38k.txt"), "--out", "c.csv", "--overwrite", *more)
            contents.add(self.read("c.csv"))
        self.assertEqual(len(contents), 1)

    def test_bad_row(self):
        self.fails(3, "line 25002", "contacts", shared_data("penetration-25k.txt"), "--out", "c.csv")
        done = self.run_tool("contacts", shared_data("penetration-25k.txt"), "--bad-rows", "skip")
        self.assertIn("1 bad row was", done.stdout)
        report = self.report(shared_data("penetration-25k.txt"), "--bad-rows", "skip")
        self.assertEqual((report["particles"], report["skipped_rows"], report["pairs"]), (25000, 1, 53876))

    def test_mercury_data(self):
        report = self.report(shared_data("insertion.data"), "--periodic", "xyz")
        self.assertGreater(report["pairs"], 0)


if __name__ == "__main__":
    unittest.main()
