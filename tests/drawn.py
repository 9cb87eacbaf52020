#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Parts of what is too long for each run of the tests: drawn.py COUNT NAME... prints COUNT of the names.

Which ones depends on the code alone: one commit always draws the same, the next one others. On the standard error it says of each name
that is left out which commit drew it last, because a fault that shows today may have come with any commit since. It draws again for the
commits before this one, from the names of today: nobody knows whether the tests were run there, and a commit that had other names drew
from those."""
import hashlib
import pathlib
import subprocess
import sys

ROOMS = ("src", "host", "kernels", "tests")
COMMITS = 100  # that are looked at


def digest_of(files):
    """Of pairs of a path and its bytes."""
    total = hashlib.sha256()
    for path, content in sorted(files, key=lambda file: file[0].parts):
        total.update(f"{path}\0".encode() + content)
    return total.hexdigest()


def digest(source):
    """Of the code as it is, committed or not."""
    files = (path for room in ROOMS for path in (source / room).rglob("*") if path.is_file() and path.suffix != ".pyc")
    return digest_of((path.relative_to(source), path.read_bytes()) for path in files)


def digests_before(source):
    """(commit, digest) of this commit and those before it, the latest first. None without git and its history."""
    def git(*arguments, **options):
        return subprocess.Popen(["git", "-C", str(source), *arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, **options)

    with git("cat-file", "--batch", stdin=subprocess.PIPE) as objects, git("log", "--format=%h", f"-n{COMMITS}") as log:
        contents = {}
        for commit in log.stdout.read().decode().split():
            files = []
            with git("ls-tree", "-r", "-z", commit, "--", *ROOMS) as tree:
                entries = tree.stdout.read().decode().split("\0")[:-1]
            for entry in entries:
                (mode, kind, name), path = entry.split("\t")[0].split(), entry.split("\t")[1]
                if name not in contents:
                    objects.stdin.write(f"{name}\n".encode())
                    objects.stdin.flush()
                    contents[name] = objects.stdout.read(int(objects.stdout.readline().split()[2]) + 1)[:-1]
                files.append((pathlib.PurePath(path), contents[name]))
            yield commit, digest_of(files)


def drawn_by(seed, names, count):
    return sorted(sorted(names, key=lambda name: hashlib.sha256((seed + name).encode()).digest())[:count])


def draw(names, count, source):
    return drawn_by(digest(source), names, count)


def tell_left_out(names, count, source):
    """Those of today's names which this code does not draw, with the commit that drew them last."""
    left_out = sorted(set(names) - set(draw(names, count, source)))
    last = {}
    for age, (commit, seed) in enumerate(digests_before(source) if left_out else ()):
        for name in drawn_by(seed, names, count):
            last.setdefault(name, f"{commit}, {age} commits ago" if age else f"{commit}, before it was changed")
        if last.keys() >= set(left_out):
            break
    for name in left_out:
        print(f"left out: {name}, drawn last by {last.get(name, 'no commit that is known')}", file=sys.stderr)


if __name__ == "__main__":
    root = pathlib.Path(__file__).parent.parent
    names, count = sys.argv[2:], int(sys.argv[1])
    print(*draw(names, count, root), flush=True)
    tell_left_out(names, count, root)
