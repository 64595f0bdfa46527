"""Write a folder beside the old one, then exchange the two in one step.

A process killed at any moment leaves either the old folder or the new one, complete.
"""

import contextlib
import ctypes
import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

_AT_FDCWD = -100
_RENAME_EXCHANGE = 2

Content = str | bytes | Path


def write_folder(target: Path, files: Mapping[str, Content]) -> None:
    """Write exactly `files` to `target`: strings, bytes, or files to copy, by relative path."""
    with _only_writer(target):
        _write_folder(target, files)


@contextlib.contextmanager
def _only_writer(target: Path) -> Iterator[None]:
    """Wait for other writers of the folder. The system releases the lock of a dead process."""
    handle = os.open(target.parent, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _write_folder(target: Path, files: Mapping[str, Content]) -> None:
    recover(target)
    staged = Path(tempfile.mkdtemp(prefix=f"{target.name}.new-", dir=target.parent))
    try:
        staged.chmod(0o755)
        for name, content in files.items():
            path = staged / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if isinstance(content, Path):
                shutil.copyfile(content, path)
            else:
                path.write_bytes(content.encode() if isinstance(content, str) else content)
        _put_in_place(staged, target)
    finally:
        shutil.rmtree(staged, ignore_errors=True)


def recover(target: Path) -> None:
    """Remove what killed builds left behind, and restore the last good folder if needed."""
    previous = target.with_name(f"{target.name}.previous")
    if previous.is_dir() and not target.exists():
        previous.rename(target)
    shutil.rmtree(previous, ignore_errors=True)
    for leftover in target.parent.glob(f"{target.name}.new-*"):
        shutil.rmtree(leftover, ignore_errors=True)


def _put_in_place(staged: Path, target: Path) -> None:
    if not target.exists():
        staged.rename(target)
    elif not _exchange(staged, target):
        # Two renames if the system cannot exchange folders; recover() handles a kill in between.
        previous = target.with_name(f"{target.name}.previous")
        target.rename(previous)
        staged.rename(target)
        shutil.rmtree(previous, ignore_errors=True)


def _exchange(first: Path, second: Path) -> bool:
    """Exchange two folders atomically, if Linux and the file system can; returns whether."""
    renameat2 = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if renameat2 is None:
        return False
    arguments = (_AT_FDCWD, os.fsencode(first), _AT_FDCWD, os.fsencode(second), _RENAME_EXCHANGE)
    return bool(renameat2(*arguments) == 0)
