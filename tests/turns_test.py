#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The turns of long tests."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

import turns

EVERY = {name for row in turns.UNITS for name, _ in row}


class Turns(unittest.TestCase):
    def test_each_unit_has_one_in_eight_landings(self):
        for first in range(100, 120):
            self.assertEqual(sorted(unit for number in range(first, first + 8) for unit in turns.due(number, [])), sorted(EVERY))

    def test_a_changed_file_is_reason_enough(self):
        for number in range(8):
            self.assertIn("fuzzing", turns.due(number, ["src/tool/io/sniff.cpp"]))
            self.assertIn("faults", turns.due(number, ["README.md", "tests/mutants/run.py"]))

    def test_without_history_all_run(self):
        self.assertEqual(set(turns.due(None, [])), EVERY)

    def test_some_come_round(self):
        names = list("abcdefg")
        seen = {name for turn in range(4) for name in turns.some(names, 2, 8 * turn)}
        self.assertEqual(seen, set(names))
        self.assertEqual(turns.some(names, 9, 3), names)

    def test_landings_are_steps_of_the_first_parent(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)

            def git(*arguments):
                subprocess.run(["git", "-C", name, "-c", "user.name=a", "-c", "user.email=a@example.org", *arguments], check=True, capture_output=True)

            def commit(file):
                (folder / file).write_text(file)
                git("add", file)
                git("commit", "-m", file)

            git("init", "-b", "main")
            commit("first")
            git("switch", "-c", "work")
            commit("second"), commit("third")
            git("switch", "main")
            git("merge", "--no-ff", "-m", "land", "work")
            self.assertEqual(turns.landing(root=folder), 2)
            (folder / "new").write_text("")
            self.assertEqual(turns.changed(root=folder), ["new", "second", "third"])
            (folder / "first.py").write_text("a = 1  # one\n")
            (folder / "second.sh").write_text("echo 1  # one\n")
            (folder / "picture").write_bytes(b"\xff\x00")
            git("add", "."), git("commit", "-m", "code")
            (folder / "first.py").write_text("a = 1  # the first\n")
            (folder / "second.sh").write_text("echo 2  # one\n")
            (folder / "picture").write_bytes(b"\xff\x01")
            (folder / "second.cpp").write_text("#include \"first.hpp\"\nint second;\n" + "int more;\n" * 9)
            git("add", "."), git("commit", "-m", "more")
            (folder / "rooms").mkdir()
            git("mv", "second.cpp", "rooms/")
            (folder / "rooms" / "second.cpp").write_text("#include \"rooms/first.hpp\"\nint second;  // moved\n" + "int more;\n" * 9)
            self.assertEqual(turns.changed("HEAD", root=folder), [])
            (folder / "rooms" / "second.cpp").write_text("#include \"rooms/first.hpp\"\nlong second;\n" + "int more;\n" * 9)
            self.assertEqual(turns.changed("HEAD", root=folder), ["rooms/second.cpp"])
            git("checkout", "."), git("reset", "--hard", "HEAD^")
            clone = folder / "clone"
            git("clone", "--depth", "1", folder.as_uri(), str(clone))
            self.assertIsNone(turns.landing(root=clone))
            self.assertIsNone(turns.landing(root=pathlib.Path("/")))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
