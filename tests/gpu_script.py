#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""bench/gpu.sh without a device, with programs that stand for those of a kit: gpu_script.py SOURCE_FOLDER"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

SOURCE = pathlib.Path(sys.argv.pop(1)).resolve()
SCRIPT, PARTS, TABLE = SOURCE / "bench/gpu.sh", SOURCE / "bench/gpu/kit.sh", SOURCE / "bench/gpu/table.py"
BASH = shutil.which("bash")
OWN_ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("HGRID_")}
FILES = {"summary.txt", "log.txt", "times.jsonl", "peers.jsonl", "stages.jsonl", "ceilings.jsonl", "variants.jsonl", "counters.csv"}

STEP = {"what": "step", "packing": "random", "ratio": 1, "n": 1000, "min_ms": 1, "median_ms": 2, "max_ms": 3, "ns_per_entry": 4,
        "build_ms": 1, "list_ms": 1, "levels": 1, "cells": 10, "pairs": 2000, "bytes": 70000}
STAGES = {**STEP, "what": "stages", "hgrid::inspect": 0.5, "hgrid::search_slots": 1, "candidates": 12000, "rows": 3000}
CEILINGS = [{"what": "copy_float4", "n": 1000, "median_ms": 0.1, "GB_per_s": 3000},
            {"what": "filter_tests", "n": 1000, "median_ms": 0.1, "G_per_s": 100}]
COUNTERS = ['==PROF== Connected', '"ID","Kernel Name","Metric Name","Metric Unit","Metric Value"',
            '"0","run_blocks<SearchSlots<int>>","dram__bytes.sum","byte","12"', '==WARNING== no such metric',
            '"ID","Kernel Name","Metric Name","Metric Unit","Metric Value"',
            '"0","run_blocks<QueueStrips>","smsp__inst_executed.sum","inst","34"']

GRID = f"""case "$*" in
  device) echo "a device" ;;
  *" write "*) echo particles > "$1" ;;
  *" times "*) echo '{json.dumps(STEP)}' >> "$1" ;;
  *" once "*) exit 0 ;;
  *" stages "*) echo '{json.dumps(STAGES)}' >> "$1"; exit 1 ;;
  *" variants "*) echo '{{"what": "cut' >> "$1"; sleep 60 ;;
esac"""


class Script(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.kit, self.out, self.tools = (self.folder / name for name in ("kit", "out", "tools"))
        self.tools.mkdir()

    def program(self, path, text):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!{BASH}\n{text}\n")
        path.chmod(0o755)

    def run_script(self, *arguments, path=None, **environment):
        path = f"{self.tools}:{os.environ['PATH']}" if path is None else path
        return subprocess.run([BASH, SCRIPT, "--kit", self.kit, "--out", self.out, "--sizes", "1000", *arguments], text=True,
                              capture_output=True, check=False, env={**OWN_ENVIRONMENT, "PATH": str(path), **environment})

    def test_syntax(self):
        for script in (SCRIPT, PARTS):
            subprocess.run([BASH, "-n", script], check=True)
            if shutil.which("shellcheck"):
                subprocess.run(["shellcheck", "--severity=warning", script], check=True)

    def test_the_limits_are_less_than_ten_minutes(self):
        body = re.search(r"^measure\(\) \{\n(.*?)^\}", SCRIPT.read_text(), re.M | re.S).group(1)
        limits = [int(limit) for limit in re.findall(r'\b(?:stage|grid) "[^"]*" (\d+)', body)]
        self.assertEqual(len(limits), 12)
        for function, calls in (("peers", 1), ("sanitizers", 4), ("counters", 2)):
            limits.append(calls * int(re.search(rf"^  {function} (\d+)$", body, re.M).group(1)))
        self.assertEqual(sum(limits), 570)

    def test_without_a_device_it_stops_at_once(self):
        for reason in ("nvidia-smi is not here, .+", r"nvidia-smi shows none \(No devices were found\)"):
            if "shows" in reason:
                self.program(self.tools / "nvidia-smi", "echo 'No devices were found'; exit 6")
            ended = self.run_script(path=self.tools)  # not even a tool to make a folder with
            self.assertEqual(ended.returncode, 3, ended.stderr)
            self.assertRegex(ended.stderr, f"^no CUDA device: {reason}\n$")
            self.assertEqual(len(ended.stderr.splitlines()), 1)
            self.assertFalse(self.out.exists())

    def test_the_kit_knows_why_there_is_no_device(self):
        self.program(self.kit / "bin/gpu_grid", "echo 'no CUDA device: the driver is too old'; exit 3")
        self.program(self.tools / "nvidia-smi", "echo 'GPU 0: there is one'")
        ended = self.run_script()
        self.assertEqual((ended.returncode, ended.stderr), (3, "no CUDA device: the driver is too old\n"))

    def test_wrong_arguments(self):
        for arguments in (["somewhere"], ["--sizes", "1M"], ["--sizes"], ["--sizes", "20000000"]):
            self.assertEqual(self.run_script(*arguments).returncode, 2)
        ended = subprocess.run([BASH, SCRIPT, "prepare", "--kit", self.kit, "--peer", "tree=/no/such"], text=True,
                               capture_output=True, check=False)
        self.assertEqual(ended.returncode, 2)
        self.assertIn("tree=/no/such names no program", ended.stderr)
        self.assertFalse(self.kit.exists())

    def fill_kit(self):
        self.program(self.kit / "bin/gpu_grid", GRID)
        self.program(self.kit / "bin/gpu_ceilings", "\n".join(f"echo '{json.dumps(row)}' >> \"$1\"" for row in CEILINGS))
        self.program(self.kit / "bin/test_cuda_lists", "echo '[  PASSED  ] 3 tests.'")
        self.program(self.kit / "bin/test_cuda_grid", "kill -SEGV $$")
        self.program(self.kit / "peers/tree", """[[ -s $1 ]] && echo '{"median_ms": 8, "pairs": 1998}'""")
        self.program(self.kit / "peers/mute", "echo nothing")
        self.program(self.tools / "compute-sanitizer", "case $2 in racecheck) exit 9 ;; memcheck) exit 0 ;; *) exit 255 ;; esac")
        self.program(self.tools / "ncu", "while [[ $1 != --log-file ]]; do shift; done\ncat > $2 << 'END'\n" + "\n".join(COUNTERS) + "\nEND")

    def test_stages(self):
        self.fill_kit()
        sources = subprocess.run([BASH, PARTS, "sources"], text=True, capture_output=True, check=True).stdout
        (self.kit / "sources").write_text(sources)
        begin = time.monotonic()
        ended = self.run_script(HGRID_SECONDS="8")
        self.assertLess(time.monotonic() - begin, 15)
        self.assertEqual(ended.returncode, 1)
        self.assertEqual({file.name for file in self.out.iterdir()}, FILES)
        summary = (self.out / "summary.txt").read_text()
        self.assertTrue(ended.stdout.endswith(summary))
        for line in (r"a device", r"tests: lists: passed, \d s", r"tests: grid: FAILED \(139\), see log.txt", r"times: 1000: passed, .*",
                     r"tests: random systems: test_cuda_random_systems is not here", r"sanitizer: memcheck: passed, .*",
                     r"sanitizer: racecheck: FAILED \(9\), see log.txt", r"stages: FAILED \(1\), see log.txt",
                     r"sanitizer: initcheck: did not run through \(255\), see log.txt", r"counters: .*: passed, .*",
                     r"peer tree, ratio 100, 1000: passed, .*", r"peer mute, ratio 1, 1000: FAILED \(1\), see log.txt",
                     r"variants: stopped after \d s", r"times: other ratios: no time left", r"\[  PASSED  \] 3 tests.",
                     r" +1000 +random +1 +step +2.000 \[1.000, 3.000\] .* ns/entry  4.000 .*",
                     r" +1000 +1 +tree +8.000 .* 4.00 x hgrid, -2 of 2000 pairs", r" +inspect +0.5000 ms +0 % of the roofline",
                     r" +1000 +copy_float4 .* 3000 GB/s", r" +0 SearchSlots", r" +dram__bytes 12 byte", r" +0 QueueStrips",
                     r"1 line\(s\) of variants.jsonl cannot be read"):
            self.assertRegex(summary, re.compile(f"^{line}$", re.M))
        self.assertNotIn("ends here", summary)

    def test_a_kit_of_other_sources_is_not_used(self):
        self.fill_kit()
        (self.kit / "sources").write_text("of another day")
        self.program(self.tools / "cmake", "exit 1")
        ended = self.run_script()
        self.assertEqual(ended.returncode, 1)
        self.assertIn("build (the kit has no programs of these sources): FAILED (1), see log.txt", ended.stdout)
        self.assertIn("tests: lists: test_cuda_lists is not here", ended.stdout)
        self.assertEqual((self.out / "log.txt").read_text().count("[  PASSED  ]"), 0)

    def test_tables_of_files_that_were_cut(self):
        files = {"times.jsonl": [STEP, {**STEP, "ratio": 100}, {"what": "step", "n": 5, "error": "a reason"}, {**STEP, "n": 0}, 7],
                 "variants.jsonl": [{**STEP, "what": "search", "search": "merged", "contacts": 5}, {**STEP, "pairs": None}],
                 "stages.jsonl": [STAGES, {**STAGES, "cells": -1}], "ceilings.jsonl": CEILINGS,
                 "peers.jsonl": [{"peer": "tree", "n": 1000, "ratio": 1, "result": {"median_ms": 1, "pairs": 5}}]}
        whole = {name: "".join(json.dumps(row) + "\n" for row in rows) for name, rows in files.items()}
        whole["counters.csv"] = "\n".join(COUNTERS) + "\n"
        for keep in (1, 0.97, 0.8, 0.5, 0.2, 0):
            for name, text in whole.items():
                (self.folder / name).write_text(text[:int(keep * len(text))])
            ended = subprocess.run([sys.executable, TABLE, self.folder], text=True, capture_output=True, check=False)
            self.assertEqual((ended.returncode, ended.stderr), (0, ""), keep)
            self.assertEqual(ended.stdout.count("ns/entry  4.000") >= 1, keep >= 0.5)
            self.assertEqual("ERROR a reason" in ended.stdout, keep >= 0.8, keep)
        for name in whole:
            (self.folder / name).unlink()
        ended = subprocess.run([sys.executable, TABLE, self.folder], text=True, capture_output=True, check=True)
        self.assertEqual(ended.stdout, "")


unittest.main()
