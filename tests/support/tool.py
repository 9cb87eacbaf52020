# SPDX-License-Identifier: BSD-3-Clause
"""Helpers of the tests of the command-line tool. The environment names it: HGRID_TOOL."""
import json
import os
import struct
import subprocess
import tempfile
import unittest

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SHARED = os.environ.get("HGRID_SHARED_DIR") or os.path.join(SOURCE, "..", "shared")


def shared_data(name):
    return os.path.join(SHARED, "data", name)


needs_shared_data = unittest.skipUnless(os.path.isdir(shared_data("")), "the shared data are not here")


def read_npy(path):
    """The dtype's text and the rows of a .npy of pairs, without NumPy."""
    with open(path, "rb") as file:
        content = file.read()
    size = struct.unpack_from("<H", content, 8)[0]
    header = eval(content[10:10 + size], {})  # pylint: disable=eval-used
    return header["descr"], list(struct.iter_unpack("<qqiiid", content[10 + size:]))


def read_csv(text):
    lines = text.splitlines()
    return lines[0], [tuple(map(float, line.split(","))) for line in lines[1:]]


class ToolCase(unittest.TestCase):
    """Each test runs the tool in an empty folder of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, content):
        with open(self.path(name), "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())
        return name

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def command(self, *arguments):
        return [os.environ["HGRID_TOOL"], *map(str, arguments)]

    def run_tool(self, *arguments, code=0, environment=None, **options):
        """Runs the tool, asserts its exit code, and returns its output."""
        done = subprocess.run(self.command(*arguments), cwd=self.folder, capture_output=True, check=False, text=True,
                              errors="replace", env={**os.environ, **(environment or {})}, **options)
        self.assertEqual(done.returncode, code, f"{arguments}\n{done.stdout}{done.stderr}")
        return done

    def report(self, *arguments, **options):
        """The --json report of contacts."""
        return json.loads(self.run_tool("contacts", *arguments, "--json", **options).stdout)

    def fails(self, code, message, *arguments, **options):
        """Asserts exit code and message, and that the folder is as before; returns the message."""
        before = sorted(os.listdir(self.folder))
        done = self.run_tool(*arguments, code=code, **options)
        self.assertIn(message, done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertEqual(sorted(os.listdir(self.folder)), before)
        return done.stderr
