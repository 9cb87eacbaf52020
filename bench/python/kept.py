# SPDX-License-Identifier: BSD-3-Clause
"""What the benchmarks of this folder have in common: results are kept in a file, and the picture is drawn from there."""
import json
import sys


def main(measure, draw):
    """As `BENCHMARK.py RESULTS.json PICTURE.png [measure]` says."""
    results, picture = sys.argv[1:3]
    if "measure" in sys.argv[3:]:
        with open(results, "w", encoding="utf-8") as file:
            measured = measure()
            rows = ",\n  ".join(map(json.dumps, measured.pop("rows")))
            file.write(json.dumps(measured)[:-1] + f', "rows": [\n  {rows}\n]}}\n')
    with open(results, encoding="utf-8") as file:
        draw(json.load(file), picture)
