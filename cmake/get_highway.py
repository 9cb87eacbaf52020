# SPDX-License-Identifier: BSD-3-Clause
"""Fetches the headers of Highway where the system has none: get_highway.py FOLDER
They come from a source package of numpy, which carries them: pip reaches that from anywhere, and looks at its checksum."""
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile

NUMPY = "2.2.6"  # the last one for Python 3.10; its Highway is 1.2.0
SHA256 = "e29554e2bef54a90aa5cc07da6ce955accb83f21ab5de01a62c8478897b264fd"
INSIDE = f"numpy-{NUMPY}/numpy/_core/src/highway/"

# pip asks a source package for its name before it hands it over. numpy's own answer would take a compiler and minutes.
BACKEND = f'''
import pathlib
def prepare_metadata_for_build_wheel(folder, settings=None):
    at = pathlib.Path(folder, "numpy-{NUMPY}.dist-info")
    at.mkdir()
    (at / "METADATA").write_text("Metadata-Version: 2.1\\nName: numpy\\nVersion: {NUMPY}\\n")
    return at.name
'''


def download(folder):
    """The package, in a folder of our own."""
    (folder / "mesonpy.py").write_text(BACKEND, encoding="utf-8")
    (folder / "wanted").write_text(f"numpy=={NUMPY} --hash=sha256:{SHA256}\n", encoding="utf-8")
    python_path = os.pathsep.join([str(folder), *filter(None, [os.environ.get("PYTHONPATH")])])
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "download"]
    done = subprocess.run([*pip, "--no-deps", "--no-build-isolation", "--no-binary", "numpy", "--dest", folder, "--requirement", folder / "wanted"],
                          check=False, env={**os.environ, "PYTHONPATH": python_path})
    if done.returncode != 0:
        sys.exit("get_highway: pip could not fetch it, and says why above")
    return folder / f"numpy-{NUMPY}.tar.gz"


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    at = pathlib.Path(sys.argv[1])
    whole = at.with_name(at.name + ".new")  # headers that are there are all there
    shutil.rmtree(whole, ignore_errors=True)
    with tempfile.TemporaryDirectory() as folder, tarfile.open(download(pathlib.Path(folder))) as package:
        for member in package:
            path = member.name.removeprefix(INSIDE)
            if member.isfile() and path != member.name and (path.startswith("LICENSE") or path.startswith("hwy/") and path.endswith(".h")):
                target = whole / path
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(package.extractfile(member).read())
    shutil.rmtree(at, ignore_errors=True)
    whole.rename(at)


main()
