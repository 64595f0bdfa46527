"""Whether dist/ is up to date with the input.

Imports little but the standard library: a build with nothing to do should take no time.
"""

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from site_builder.atomic import write_file

DIST = "dist"
CACHE = ".cache/site"
_STAMP = "stamp"
_INPUTS = ("src", "content", "templates", "static", "tests")
_BUILDER = Path(__file__).parent
_TESTS = ".cache/site/tests.json"
_BUILDER_FILES = ("requirements.lock", "package-lock.json", "build.py")


def stamp(root: Path, options: str) -> str:
    """A fingerprint of all input of a build, by content."""
    digest = hashlib.sha256(f"{sys.version} {options} {_revision(root)}".encode())
    for file in _input_files(root):
        digest.update(f"{file}\0".encode())
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


def is_current(root: Path, key: str) -> bool:
    """Whether dist/ was written with this stamp, and is unchanged since."""
    try:
        kept = (root / CACHE / _STAMP).read_text("utf-8")
    except (OSError, ValueError):
        return False
    return kept == f"{key} {_state(root / DIST)}"


def write_stamp(root: Path, key: str) -> None:
    """Record that dist/ was built from the input with this stamp."""
    write_file(root / CACHE / _STAMP, f"{key} {_state(root / DIST)}".encode())


def _input_files(root: Path) -> Iterator[Path]:
    folders = [root / name for name in _INPUTS] + [_BUILDER]
    for folder in folders:
        for file in sorted(folder.rglob("*")):
            hidden = "__pycache__" in file.parts or ".egg-info" in str(file)
            if file.is_file() and not hidden:
                yield file
    if (root / _TESTS).is_file():
        yield root / _TESTS
    for name in _BUILDER_FILES:
        if (_BUILDER.parent / name).is_file():
            yield _BUILDER.parent / name


def _state(folder: Path) -> str:
    """Names, sizes and times of all files in a folder."""
    digest = hashlib.sha256()
    for file in sorted(folder.rglob("*")):
        status = file.stat()
        digest.update(
            f"{file.relative_to(folder)} {status.st_size} {status.st_mtime_ns}\n".encode()
        )
    return digest.hexdigest()


def _revision(root: Path) -> str:
    """The commit, and whether the tree differs from it: pages show both."""
    environment = {**os.environ, "GIT_OPTIONAL_LOCKS": "0"}
    command = ["git", "status", "--porcelain=v2", "--branch", "--untracked-files=normal"]
    try:
        run = subprocess.run(command, cwd=root, capture_output=True, check=False, env=environment)
    except OSError:
        return ""
    return hashlib.sha256(run.stdout).hexdigest()
