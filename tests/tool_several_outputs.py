#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Several outputs of one run, a series for ParaView among them: all are old or all are new, whenever a signal comes and wherever the disk is
full. HGRID_SIGNALS and HGRID_DISKS say how many are tried, 20 and 6 unless given."""
import os
import random
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "support"))
from tool import ToolCase  # noqa: E402

FRAMES, PARTICLES = 12, 400
ASKED = ["--frames", "all", "--out", "o/s.pvd", "--summary", "o/z.csv", "--particles-out", "o/p.csv", "--overwrite"]
NAMES = ["p.csv", "s.pvd", "z.csv", *(f"s_{k}.vtp" for k in range(FRAMES))]
IN_A_SMALL_FOLDER = """
mount -t tmpfs -o size="$1"k none o || exit 99
for name in {names}; do echo old >o/$name; done
shift
"$@" >/dev/null 2>message
echo $?
ls -A o | wc -l
grep -lx old o/* | wc -l
"""


class SeveralOutputs(ToolCase):
    def setUp(self):
        super().setUp()
        draw = random.Random(3)
        rows = ["".join(f"X {draw.random()} {draw.random()} {draw.random()} 0.04\n" for _ in range(PARTICLES)) for _ in range(FRAMES)]
        self.write("run.xyz", "".join(f"{PARTICLES}\nProperties=species:S:1:pos:R:3:radius:R:1\n{frame}" for frame in rows))
        os.mkdir(self.path("o"))

    def ages(self):
        """Which of the old files are there, and which are new; asserts that nothing else is."""
        self.assertEqual(sorted(os.listdir(self.path("o"))), sorted(NAMES))
        return {self.read("o/" + name) == b"old\n" for name in NAMES}

    def test_signals(self):
        draw, counts = random.Random(os.environ.get("HGRID_SEED", "7")), {}
        start = time.monotonic()
        self.run_tool("contacts", "run.xyz", *ASKED)
        took = time.monotonic() - start
        for _ in range(int(os.environ.get("HGRID_SIGNALS", "20"))):
            for name in NAMES:
                self.write("o/" + name, "old\n")
            job = subprocess.Popen(self.command("contacts", "run.xyz", *ASKED), cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(draw.uniform(0.02, 1.2 * took))
            number = draw.choice((signal.SIGINT, signal.SIGTERM, signal.SIGHUP))
            job.send_signal(number)
            code = job.wait()
            ages = self.ages()
            self.assertEqual(len(ages), 1, code)
            self.assertIn(code, (0, 128 + number, -number))  # -number: before the tool had its handlers
            self.assertTrue(code != 0 or ages == {False})
            counts[code != 0, ages == {True}] = counts.get((code != 0, ages == {True}), 0) + 1
        print("signals (ended by it, old files):", counts)

    def test_full_disks(self):
        way = ["unshare", "-m"] if os.geteuid() == 0 else ["unshare", "-rm"]
        script = IN_A_SMALL_FOLDER.format(names=" ".join(NAMES))
        if subprocess.run([*way, "mount", "-t", "tmpfs", "none", self.path("o")], check=False, capture_output=True).returncode != 0:
            self.skipTest("no folder of a size can be mounted here")
        draw, counts = random.Random(os.environ.get("HGRID_SEED", "7")), {}
        needed = 1500  # KiB, a little more than the outputs take
        for _ in range(int(os.environ.get("HGRID_DISKS", "6"))):
            size = draw.randrange(4 * (len(NAMES) + 2), needed, 4)
            done = subprocess.run([*way, "sh", "-c", script, "sh", str(size), *self.command("contacts", "run.xyz", *ASKED)], cwd=self.folder, check=True,
                                  capture_output=True, text=True)
            code, there, old = map(int, done.stdout.split())
            message = self.read("message").decode()
            self.assertEqual(there, len(NAMES), (size, message))
            self.assertEqual((code, old), (0, 0) if code == 0 else (4, len(NAMES)), (size, message))
            self.assertTrue(code == 0 or "No space left on device" in message, message)
            counts[code] = counts.get(code, 0) + 1
        print("full disks (exit codes):", counts)


if __name__ == "__main__":
    unittest.main()
