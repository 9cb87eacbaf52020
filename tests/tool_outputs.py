#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Outputs of the tool: whole or not at all, none in the place of another file, and how the tool ends when it cannot write."""
import os
import signal
import stat
import subprocess
import sys
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "support"))
from tool import ToolCase  # noqa: E402

USAGE, IO = 2, 4
PACKING = ["--n", 10, "--mono", "--packing", 0.5]
ENDINGS = (signal.SIGHUP, signal.SIGINT, signal.SIGPIPE, signal.SIGQUIT, signal.SIGTERM, signal.SIGXCPU)


def usual_signals():
    """Restores a terminal's signals; the program that runs the tests may ignore some."""
    for number in ENDINGS:
        signal.signal(number, signal.SIG_DFL)


class Outputs(ToolCase):
    def setUp(self):
        super().setUp()
        self.write("p.csv", "x,y,z,r\n0,0,0,1\n1,0,0,1\n")
        self.write("w.csv", "-9,-9,0,9,-9,0,0,9,0\n")

    def start(self, *arguments, **options):
        """The tool in the background, once its temporary is there."""
        before = sorted(os.listdir(self.folder))
        job = subprocess.Popen(self.command(*arguments), cwd=self.folder, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, text=True, **options)
        self.addCleanup(lambda: (job.kill(), job.communicate()))
        while sorted(os.listdir(self.folder)) == before and job.poll() is None:
            time.sleep(0.01)
        return job

    def start_waiting(self, *arguments, **options):
        """One that waits for its input."""
        return self.start("contacts", "-", "--out", "c.csv", *arguments, **options)

    def test_existing(self):
        self.write("c.csv", "precious")
        self.fails(USAGE, "--overwrite", "contacts", "p.csv", "--out", "c.csv")
        self.fails(USAGE, "exists", "contacts", "p.csv", "--walls", "w.csv", "--walls-out", "c.csv")
        self.fails(USAGE, "exists", "generate", *PACKING, "--out", "c.csv")
        self.fails(USAGE, "exists", "calibrate", "--n", 1000, "--out", "c.csv")
        self.assertEqual(self.read("c.csv"), b"precious")
        self.run_tool("contacts", "p.csv", "--out", "c.csv", "--overwrite")
        self.assertTrue(self.read("c.csv").startswith(b"i,j,"))

    def test_two_outputs_are_two_files(self):
        os.mkdir(self.path("d"))
        os.symlink("d", self.path("e"))
        self.write("old.csv", "old")
        os.symlink("old.csv", self.path("link.csv"))
        os.link(self.path("old.csv"), self.path("hard.csv"))
        for a, b in (("a.csv", "a.csv"), ("a.csv", "./a.csv"), ("d/a.csv", "e/a.csv"), ("d/../a.csv", "a.csv"), ("-", "-"),
                     ("old.csv", "link.csv"), ("old.csv", "hard.csv"), (self.path("a.csv"), "a.csv")):
            self.fails(USAGE, "one file", "contacts", "missing.csv", "--walls", "w.csv", "--out", a, "--walls-out", b, "--overwrite")
        self.assertEqual(self.read("old.csv"), b"old")
        with open(self.path("old.csv"), "wb") as out:  # standard output is a file, too
            done = subprocess.run(self.command("contacts", "p.csv", "--walls", "w.csv", "--out", "-", "--walls-out", "old.csv",
                                               "--overwrite"), cwd=self.folder, stdout=out, stderr=subprocess.PIPE, check=False)
        self.assertEqual((done.returncode, self.read("old.csv")), (USAGE, b""))
        self.run_tool("contacts", "p.csv", "--walls", "w.csv", "--out", "/dev/null", "--walls-out", "/dev/null")
        self.run_tool("contacts", "p.csv", "--walls", "w.csv", "--out", "d/a.csv", "--walls-out", "a.csv")
        self.assertTrue(self.read("d/a.csv").startswith(b"i,j,"))
        self.assertTrue(self.read("a.csv").startswith(b"ball,facet,"))

    def test_output_is_no_input(self):
        self.write("plan.csv", self.run_tool("plan", "--mono", "--json").stdout)
        os.symlink("p.csv", self.path("link.csv"))
        inputs = ["p.csv", "--walls", "w.csv", "--plan", "plan.csv", "--overwrite"]
        before = {name: self.read(name) for name in ("p.csv", "w.csv", "plan.csv")}
        for output in ("--out", "--walls-out"):
            for name in ("p.csv", "./p.csv", "link.csv", "w.csv", "plan.csv"):
                self.fails(USAGE, "is the input", "contacts", *inputs, output, name)
        with open(self.path("p.csv"), "rb") as file:
            self.fails(USAGE, "is the input", "contacts", "-", "--out", "p.csv", "--overwrite", stdin=file)
        self.assertEqual({name: self.read(name) for name in before}, before)
        self.run_tool("contacts", "--demo", "--threads", 1, "--out", "p.csv", "--overwrite")  # not an input of this one
        with open("/dev/null", "r+b") as null:
            done = subprocess.run(self.command("contacts", "-", "--out", "-"), stdin=null, stdout=null, check=False,
                                  stderr=subprocess.PIPE)
        self.assertIn(b"no particles", done.stderr)  # a device, such as a terminal, may be both

    def mode(self, name):
        return stat.S_IMODE(os.stat(self.path(name)).st_mode)

    def test_overwriting_keeps_permissions(self):
        for command in (["contacts", "p.csv"], ["generate", *PACKING], ["calibrate", "--n", 1000, "--threads", 1]):
            for mode in (0o600, 0o640, 0o666, 0o200):
                self.write("c.csv", "old")
                os.chmod(self.path("c.csv"), mode)
                self.run_tool(*command, "--out", "c.csv", "--overwrite", umask=0o022)
                self.assertEqual(self.mode("c.csv"), mode, command)
            os.remove(self.path("c.csv"))
            for umask in (0o022, 0o077):
                self.run_tool(*command, "--out", "c.csv", "--overwrite", umask=umask)
                self.assertEqual(self.mode("c.csv"), 0o666 & ~umask, command)
                os.remove(self.path("c.csv"))

    def test_the_temporary_is_not_wider(self):
        self.write("c.csv", "old")
        os.chmod(self.path("c.csv"), 0o600)
        job = self.start_waiting("--overwrite", umask=0)
        modes = {self.mode(name) for name in os.listdir(self.folder) if name.endswith(".tmp")}
        job.terminate()
        self.assertEqual(job.wait(), 143)
        self.assertEqual(modes, {0o600})

    def test_read_only_files_stay(self):
        self.write("c.csv", "precious")
        os.chmod(self.path("c.csv"), 0o444)
        for command in (["contacts", "p.csv"], ["generate", *PACKING], ["calibrate", "--n", 1000]):
            self.fails(IO, "c.csv: cannot replace: it is read-only", *command, "--out", "c.csv", "--overwrite")
        self.assertEqual((self.read("c.csv"), self.mode("c.csv")), (b"precious", 0o444))

    @unittest.skipUnless(os.path.exists("/dev/full"), "there is no /dev/full")
    def test_full_disk(self):
        self.fails(IO, "/dev/full", "contacts", "p.csv", "--out", "/dev/full")
        for command in (["contacts", "p.csv", "--out", "c.csv"], ["plan", "--mono"], ["info"], ["--help"], ["calibrate", "--n", 1000]):
            with open("/dev/full", "w", encoding="ascii") as full:
                done = subprocess.run(self.command(*command), cwd=self.folder, stdout=full, stderr=subprocess.PIPE, check=False)
            self.assertEqual(done.returncode, IO)
            self.assertIn(b"standard output: cannot write: No space left on device", done.stderr)
        self.assertFalse(os.path.exists(self.path("c.csv")))

    def test_closed_pipe(self):
        """The tool ends like other tools: silent, by SIGPIPE; where the caller ignores that signal, an error like any other."""
        for command in (["generate", *PACKING, "--out", "-"], ["contacts", "p.csv", "--out", "-"], ["info"], ["--help"],
                        ["contacts", "p.csv", "--out", "c.csv"], ["plan", "--mono"], ["calibrate", "--n", 1000]):
            for ignored in (False, True):
                reader, writer = os.pipe()
                os.close(reader)
                done = subprocess.run(self.command(*command), cwd=self.folder, stdout=writer, stderr=subprocess.PIPE, check=False,
                                      text=True, restore_signals=not ignored)
                os.close(writer)
                if ignored:
                    self.assertEqual(done.returncode, IO, command)
                    self.assertIn("standard output: cannot write: Broken pipe", done.stderr)
                else:
                    self.assertEqual((done.returncode, done.stderr), (128 + signal.SIGPIPE, ""), command)
        self.assertEqual(sorted(os.listdir(self.folder)), ["p.csv", "w.csv"])

    def test_closed_standard_streams(self):
        """The first file that is opened must not take the place of standard output, and the report end in it."""
        whole = self.run_tool("contacts", "p.csv", "--out", "-").stdout
        for closing, code in ((">&-", IO), ("2>&-", 0), ("<&-", 0), ("<&- 2>&-", 0), ("<&- >&- 2>&-", IO)):
            command = ["/bin/sh", "-c", f'exec "$0" "$@" {closing}', *self.command("contacts", "p.csv", "--out", "c.csv")]
            done = subprocess.run(command, cwd=self.folder, capture_output=True, check=False)
            self.assertEqual(done.returncode, code, closing)
            self.assertEqual(os.path.exists(self.path("c.csv")), code == 0, closing)
            if code == 0:
                self.assertEqual(self.read("c.csv").decode(), whole, closing)
                os.remove(self.path("c.csv"))

    def test_standard_output_by_another_name(self):
        """The report does not go where a table goes."""
        for command in (["contacts", "p.csv"], ["generate", *PACKING]):
            done = self.run_tool(*command, "--out", "/dev/stdout")
            self.assertEqual(done.stdout, self.run_tool(*command, "--out", "-").stdout)
            self.assertIn("particles  ", done.stderr)

    def test_signals(self):
        before = sorted(os.listdir(self.folder))
        for number in ENDINGS:
            job = self.start_waiting(preexec_fn=usual_signals)
            job.send_signal(number)
            self.assertEqual((job.wait(), job.stderr.read()), (128 + number, ""))
            self.assertEqual(sorted(os.listdir(self.folder)), before)

    def test_signals_during_work(self):
        before = sorted(os.listdir(self.folder))
        for number in (signal.SIGINT, signal.SIGTERM):
            job = self.start("generate", "--n", 300000, "--mono", "--packing", 0.63, "--relaxed", "--out", "g.csv",
                             preexec_fn=usual_signals)
            time.sleep(0.3)
            job.send_signal(number)
            self.assertEqual(job.wait(), 128 + number)
            self.assertEqual(sorted(os.listdir(self.folder)), before)

    def test_ignored_signals_stay_ignored(self):
        """nohup, and a shell's jobs in the background."""
        ignored = (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT)
        job = self.start_waiting(preexec_fn=lambda: [signal.signal(number, signal.SIG_IGN) for number in ignored])
        for number in ignored:
            job.send_signal(number)
        job.communicate("0 0 0 1\n1 0 0 1\n")
        self.assertEqual(job.returncode, 0)
        self.assertTrue(self.read("c.csv").startswith(b"i,j,"))

    def test_two_writers_of_one_new_file(self):
        late = self.start_waiting()
        self.run_tool("contacts", "p.csv", "--out", "c.csv")
        first = self.read("c.csv")
        _, message = late.communicate("0 0 0 1\n0 0 0 1\n")
        self.assertEqual(late.returncode, IO)
        self.assertIn("c.csv: cannot take its name: it came into being during the work, and stays as it is", message)
        self.assertIn("--overwrite", message)
        self.assertEqual(self.read("c.csv"), first)
        self.assertEqual(sorted(os.listdir(self.folder)), ["c.csv", "p.csv", "w.csv"])
        later = self.start_waiting("--overwrite")
        self.run_tool("contacts", "p.csv", "--skin", 1, "--out", "c.csv", "--overwrite")
        later.communicate("0 0 0 1\n")
        self.assertEqual((later.returncode, self.read("c.csv")), (0, b"i,j,ix,iy,iz,overlap\n"))  # the last one's, whole


if __name__ == "__main__":
    unittest.main()
