#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The jobs of .github/workflows/tests.yml run each test once: workflow.py SOURCE BUILD. Each job's command lists the tests that it would run."""
import json
import pathlib
import re
import subprocess
import sys

SOURCE, BUILD = (pathlib.Path(name).resolve() for name in sys.argv[1:])
WORKFLOW = (SOURCE / ".github/workflows/tests.yml").read_text()
sys.path.insert(0, str(SOURCE / "tests"))
import turns  # noqa: E402


def told(command):
    done = subprocess.run(command, cwd=SOURCE, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} fails: {done.stdout}{done.stderr}")
    return done.stdout


def main():
    jobs = re.search(r"^ *job: \[(.*)\]$", WORKFLOW, re.M)[1].split(", ")
    command = re.search(r"^ *- run: (python3 .*)$", WORKFLOW, re.M)[1]
    runs, units = {}, set()
    for job in jobs:
        said = told([*command.replace("${{ matrix.job }}", job).split(), "--dry"])
        units |= set(re.search(r"^long tests that run: (.*?);", said, re.M)[1].split(", "))
        for name in re.findall(r"^ *Test +#\d+: (\S+)", said, re.M):
            runs.setdefault(name, []).append(job)
    every = {test["name"] for test in json.loads(told(["ctest", "--test-dir", str(BUILD), "--show-only=json-v1"]))["tests"]}
    wrong = [f"{name} is run by {runs.get(name, 'no job')}" for name in sorted(every) if name != "install" and len(runs.get(name, [])) != 1]
    wrong += [f"no job runs {unit}" for row in turns.UNITS for unit, _ in row if unit not in units]
    print(*wrong or [f"{len(jobs)} jobs run {len(every)} tests"], sep="\n")
    sys.exit(bool(wrong))


main()
