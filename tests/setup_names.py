#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Without apt, cmake/setup.sh names the packages of the system that it is on: setup_names.py SOURCE_FOLDER
The systems are stand-ins: folders with a package manager that does nothing, and no compiler."""
import pathlib
import shutil
import subprocess
import sys
import tempfile

EXPECTED = {
    "dnf": "setup: sudo dnf install gcc-c++ cmake ninja-build cli11-devel fmt-devel highway-devel json-devel expat-devel zlib-devel",
    "pacman": "setup: sudo pacman -S --needed gcc cmake ninja cli11 fmt highway nlohmann-json expat zlib",
    "brew": "setup: brew install gcc cmake ninja cli11 fmt highway nlohmann-json expat zlib",
    "": "setup: on Debian the packages are: g++ cmake ninja-build libcli11-dev libfmt-dev libhwy-dev nlohmann-json3-dev libexpat1-dev zlib1g-dev",
}


def said(root, manager, *arguments, there=()):
    """The exit code and the lines of setup.sh where these commands are there, too."""
    with tempfile.TemporaryDirectory() as folder:
        for name in ("dirname", "cat"):
            (pathlib.Path(folder) / name).symlink_to(shutil.which(name))
        for name in filter(None, (manager, *there)):
            (pathlib.Path(folder) / name).symlink_to(shutil.which("false"))
        done = subprocess.run([shutil.which("bash"), root / "cmake/setup.sh", *arguments], env={"PATH": folder}, capture_output=True, text=True, check=False)
        return done.returncode, done.stderr.splitlines()


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    faults = []
    for manager, expected in EXPECTED.items():
        for arguments in ((), ("tool",)):
            code, lines = said(root, manager, *arguments)
            names = lines[1] if len(lines) == 3 else ""
            good = names == expected if arguments else names.startswith(expected + " ") and len(set(names.split())) == len(names.split())
            if code != 1 or not good or " - " in names.replace(" -S ", " "):
                faults.append(f"{manager or 'no manager'} {arguments}: {code} {lines}")
    code, lines = said(root, "dnf", "tool", there=("g++", "cmake"))
    if code != 1 or lines[1:2] != [EXPECTED["dnf"].replace("gcc-c++ cmake ", "")] or "preset library" not in lines[-1]:
        faults.append(f"with a compiler and CMake: {code} {lines}")
    print("\n".join(faults) or f"{len(EXPECTED)} systems")
    sys.exit(1 if faults else 0)


main()
