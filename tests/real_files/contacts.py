# SPDX-License-Identifier: BSD-3-Clause
"""What the tool finds in a file, beside what it must find."""
import json
import os
import re
import subprocess

MARGIN = 1e-4  # no gap of a test's systems is smaller, so that single precision and six digits change no contact


def tool(*arguments):
    done = subprocess.run([os.environ["HGRID_TOOL"], *map(str, arguments)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise AssertionError(f"{arguments}: {done.stderr}")
    return done.stdout


def found(path, *options):
    """The contacts that the tool finds, as `System.contacts` has them, if told what the notes of its report say."""
    report = json.loads(tool("contacts", path, "--count", "--json", *options))
    for note in report["notes"]:
        said = re.search(r"the file says that .*: (?:(--dim) (2) )?(--periodic) (\w+)", note)
        options += tuple(word for word in said.groups() if word) if said else ()
    rows = tool("contacts", path, *options, "--out", "-").splitlines()[1:]
    first = 1 if "id" in report["columns"].split(", ") else 0
    pairs = [(sorted(int(number) - first for number in row.split(",")[:2]), float(row.split(",")[5])) for row in rows]
    return sorted((i, j, overlap) for (i, j), overlap in pairs)


def require_contacts(expected, path, *options):
    """Raises AssertionError unless the tool finds these contacts in the file."""
    got = found(path, *options)
    if [pair[:2] for pair in got] != [tuple(pair[:2]) for pair in expected] or any(abs(a[2] - b[2]) > MARGIN for a, b in zip(got, expected)):
        raise AssertionError(f"{path} with {options}: {len(got)} contacts, not {len(expected)}; the first ones are {got[:3]} and {expected[:3]}")
