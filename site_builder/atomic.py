"""Write a file to a temporary name and rename it, so that no reader sees half of it."""

import os
import shutil
import tempfile
from pathlib import Path


def write_file(path: Path, data: bytes) -> None:
    """Write `data` to `path`; a process killed at any moment leaves the old file or the new.

    A folder of that name is removed.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent)
    with os.fdopen(handle, "wb") as file:
        file.write(data)
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    Path(name).replace(path)
