#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""bench/gpu.sh without a device, with programs that stand for a kit's: gpu_script.py SOURCE_FOLDER"""
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
SCRIPT, TABLE = SOURCE / "bench/gpu.sh", SOURCE / "bench/gpu/table.py"
KIT, STAGES_SCRIPT, PARTS = (SOURCE / "bench/gpu" / name for name in ("kit.sh", "stages.sh", "parts.sh"))
BASH = shutil.which("bash")
OWN_ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("HGRID_")}
FILES = {"summary.txt", "log.txt", "device.jsonl", "python.jsonl", "host.jsonl", "details.jsonl", "counters.csv"}

STEP = {"what": "step", "packing": "random", "ratio": 1, "n": 1000, "min_ms": 1, "median_ms": 2, "max_ms": 3, "ns_per_entry": 4,
        "build_ms": 1, "list_ms": 1, "levels": 1, "cells": 10, "pairs": 2000, "bytes": 70000}
STAGES = {"what": "stages", "packing": "random", "ratio": 1, "n": 1000, "hgrid::inspect": 0.5, "hgrid::search_slots": 1, "levels": 1,
          "cells": 10, "pairs": 2000, "candidates": 12000, "rows": 3000}
HOST = [{"what": what, "workers": workers, "ratio": 1, "n": 1000, "min_ms": 7 / workers, "median_ms": 8 / workers, "max_ms": 9 / workers,
         "build_ms": 5 / workers, "list_ms": 3 / workers, "pairs": 2000} for what, workers in (("threads", 1), ("threads", 2), ("ranks", 1))]
PYTHON = {"framework": "torch", "version": "2", "passed": 3, "failed": 0, "skipped": 1, "seconds": 2.5, "reasons": ["test: no reason"]}
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
        for script in (SCRIPT, KIT, STAGES_SCRIPT, PARTS):
            subprocess.run([BASH, "-n", script], check=True)
            if shutil.which("shellcheck"):
                subprocess.run(["shellcheck", "--severity=warning", script], check=True)

    def test_the_limits_of_each_part_are_less_than_ten_minutes(self):
        script = PARTS.read_text()
        for part, stages in (("device", 12), ("details", 5)):
            body = re.search(rf"^part_{part}\(\) \{{\n(.*?)^\}}", script, re.M | re.S).group(1)
            limits = [int(limit) for limit in re.findall(r'\b(?:stage|grid|tests) (?:"[^"]*"|\w+) (\d+)', body)]
            self.assertEqual(len(limits), stages)
            for function, calls in (("peers", 1), ("sanitizers", 4), ("counters", 2)) if part == "details" else ():
                limits.append(calls * int(re.search(rf"^  {function} (\d+)$", body, re.M).group(1)))
            self.assertLessEqual(sum(limits), 570)
        self.assertIn('stage "python: $framework" 180 ', script)  # three of them
        self.assertRegex(script, r"\(n > 1000000 \? 250 : 60\)")  # the sizes up to 10^7 that are told by default, and
        self.assertRegex(script, r'tool "host: \$number rank\(s\)" 50 ')  # five numbers of ranks

    def test_every_test_is_of_a_stage(self):
        """The last stage of tests takes the tests that no other names."""
        filters = [quoted for name, quoted in re.findall(r"""^  tests ("[^"]*"|\w+) \d+ '([^']*)'$""", PARTS.read_text(), re.M)]
        self.assertEqual(sorted(filters[-1].removeprefix("-").split(":")), sorted(suite for quoted in filters[:-1] for suite in quoted.split(":")))

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
        for arguments in (["somewhere"], ["--sizes", "1M"], ["--sizes"], ["--sizes", "20000000"], ["--part", "device,some"]):
            self.assertEqual(self.run_script(*arguments).returncode, 2)
        ended = subprocess.run([BASH, SCRIPT, "prepare", "--kit", self.kit, "--peer", "tree=/no/such"], text=True,
                               capture_output=True, check=False)
        self.assertEqual(ended.returncode, 2)
        self.assertIn("tree=/no/such names no program", ended.stderr)
        self.assertFalse(self.kit.exists())

    def fill_kit(self):
        self.program(self.kit / "bin/gpu_grid", GRID)
        self.program(self.kit / "bin/gpu_ceilings", "\n".join(f"echo '{json.dumps(row)}' >> \"$1\"" for row in CEILINGS))
        self.program(self.kit / "bin/gpu_host", "\n".join(f"echo '{json.dumps(row)}' >> \"$1\"" for row in HOST[:2]))
        self.program(self.kit / "bin/gpu_ranks", f"echo '{json.dumps(HOST[2])}' >> \"$1\"")
        self.program(self.kit / "bin/gpu_tests", "case $1 in *=CudaLists*) echo '[  PASSED  ] 3 tests.' ;; *=CudaGrid*) kill -SEGV $$ ;; esac")
        for module in ("pytest", "hgrid", "torch", "cupy"):
            self.program(self.kit / f"python/{module}/__init__.py", "raise OSError('too old')" if module == "cupy" else "")
        self.program(self.kit / "python/pytest/__main__.py", f"import os\nopen(os.environ['HGRID_RESULTS'], 'a').write({json.dumps(PYTHON)!r})")
        self.program(self.tools / "mpirun", "[[ $1 == -n && $2 == 1 ]] && \"${@:3}\"")
        self.program(self.kit / "peers/tree", """[[ -s $1 ]] && echo '{"median_ms": 8, "pairs": 1998}'""")
        self.program(self.kit / "peers/mute", "echo nothing")
        self.program(self.tools / "compute-sanitizer", "case $2 in racecheck) exit 9 ;; memcheck) exit 0 ;; *) exit 255 ;; esac")
        self.program(self.tools / "ncu", "while [[ $1 != --log-file ]]; do shift; done\ncat > $2 << 'END'\n" + "\n".join(COUNTERS) + "\nEND")

    def summary_of(self, lines, *arguments, **environment):
        """Returns the log of a run, in which these lines stand."""
        self.fill_kit()
        sources = subprocess.run([BASH, KIT, "sources"], text=True, capture_output=True, check=True).stdout
        (self.kit / "sources").write_text(sources)
        begin = time.monotonic()
        ended = self.run_script(*arguments, **environment)
        self.assertLess(time.monotonic() - begin, 25)
        summary = (self.out / "summary.txt").read_text()
        self.assertTrue(ended.stdout.endswith(summary))
        for line in lines:
            self.assertRegex(summary, re.compile(f"^{line}$", re.M))
        self.assertNotIn("ends here", summary)
        self.assertEqual(ended.returncode, 1 if "FAILED" in summary or "is not here" in summary else 0)
        return summary

    DEVICE = (r"-- device", r"tests: lists: passed, \d s", r"tests: grid: FAILED \(139\), see log.txt", r"times: 1000: passed, .*",
              r"tests: random systems: passed, .*", r"-- device: left out nothing", r"\[  PASSED  \] 3 tests.",
              r" +1000 +random +1 +step +2.000 \[1.000, 3.000\] .* ns/entry  4.000 .*")
    PYTHON = (r"python: torch: passed, .*", r"python: cupy: left out, python3 says OSError: too old",
              r"python: jax: left out, python3 says ModuleNotFoundError: .*", r"-- python: left out python: cupy, python: jax, python: warp, python: newton",
              r"python: torch 2: 3 passed, 0 failed, 1 skipped, 2.5 s", r" +skipped: test: no reason")
    HOST = (r"host: threads, 1000: passed, .*", r"host: 1 rank\(s\): passed, .*", r"-- host: left out .*",
            r" +1000 +1 +host, threads +2 +4.000 \[3.500, 4.500\] .* 2.00 x one, +100 % of ideal", r" +1000 +1 +host, ranks +1 .*")
    DETAILS = (r"sanitizer: memcheck: passed, .*", r"sanitizer: racecheck: FAILED \(9\), see log.txt", r"stages: FAILED \(1\), see log.txt",
               r"sanitizer: initcheck: did not run through \(255\), see log.txt", r"counters: .*: passed, .*",
               r"peer tree, ratio 100, 1000: passed, .*", r"peer mute, ratio 1, 1000: FAILED \(1\), see log.txt",
               r"variants: stopped after \d+ s", r"times: other ratios: left out, no time left",
               r"-- details: left out sanitizer: initcheck, sanitizer: synccheck, the rest of variants, times: other ratios",
               r" +1000 +1 +tree +8.000 .* 4.00 x hgrid, -2 of 2000 pairs", r" +inspect +0.5000 ms +0 % of the roofline",
               r" +1000 +copy_float4 .* 3000 GB/s", r" +0 SearchSlots", r" +dram__bytes 12 byte", r" +0 QueueStrips",
               r"1 line\(s\) of details.jsonl cannot be read")

    def test_all_parts(self):
        summary = self.summary_of((r"a device", *self.DEVICE, *self.PYTHON, *self.HOST, *self.DETAILS), HGRID_SECONDS="8")
        self.assertEqual({file.name for file in self.out.iterdir()}, FILES)
        self.assertNotIn("beside the peers", summary)

    def test_each_part_alone(self):
        """Others' rows stay."""
        self.summary_of(self.HOST, "--part", "host")
        self.summary_of((*self.HOST[3:], *self.PYTHON), "--part", "python")
        self.summary_of((*self.HOST[3:], *self.DEVICE), "--part", "device")
        self.assertEqual({file.name for file in self.out.iterdir()}, FILES - {"details.jsonl", "counters.csv"})
        shutil.rmtree(self.out)
        self.summary_of((r"times: 1000, beside the peers: passed, .*", *self.DETAILS), "--part", "details", HGRID_SECONDS="5")

    def test_what_is_missing_is_said(self):
        self.fill_kit()
        for gone in ("bin/gpu_ranks", "bin/gpu_tests", "peers", "python"):
            path = self.kit / gone
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        sources = subprocess.run([BASH, KIT, "sources"], text=True, capture_output=True, check=True).stdout
        (self.kit / "sources").write_text(sources)
        summary = self.run_script(HGRID_SECONDS="5").stdout
        for line in (r"tests: lists: left out, gpu_tests is not here", r"python: left out, the kit has no Python door of these sources",
                     r"host: ranks: left out, gpu_ranks is not here, .*", r"peers: left out, none are in the kit"):
            self.assertRegex(summary, re.compile(f"^{line}$", re.M))

    def test_a_kit_that_is_too_large(self):
        self.kit.mkdir()
        (self.kit / "kernels").touch()
        for mebibytes, code in ((49, 0), (51, 1)):
            os.truncate(self.kit / "kernels", mebibytes << 20)
            ended = subprocess.run([BASH, KIT, "size", self.kit], text=True, capture_output=True, check=False)
            self.assertEqual((ended.returncode, "more than 50 MiB" in ended.stderr), (code, bool(code)))

    def test_a_kit_of_other_sources_is_not_used(self):
        self.fill_kit()
        (self.kit / "sources").write_text("of another day")
        self.program(self.tools / "cmake", "exit 1")
        ended = self.run_script()
        self.assertEqual(ended.returncode, 1)
        self.assertIn("build (the kit has no programs of these sources): FAILED (1), see log.txt", ended.stdout)
        self.assertIn("tests: lists: left out, gpu_tests is not here", ended.stdout)
        self.assertEqual((self.out / "log.txt").read_text().count("[  PASSED  ]"), 0)

    def test_tables_of_files_that_were_cut(self):
        files = {"device.jsonl": [STEP, {**STEP, "ratio": 100}, {"what": "step", "n": 5, "error": "a reason"}, {**STEP, "n": 0}, 7],
                 "details.jsonl": [{"peer": "tree", "n": 1000, "ratio": 1, "result": {"median_ms": 1, "pairs": 5}}, *CEILINGS, STAGES,
                                   {**STAGES, "cells": -1}, {**STEP, "what": "search", "search": "merged", "contacts": 5},
                                   {**STEP, "pairs": None}],
                 "host.jsonl": [*HOST, {**HOST[0], "median_ms": 0}], "python.jsonl": [PYTHON, {**PYTHON, "seconds": "long"}]}
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
