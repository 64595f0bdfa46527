"""Write a file aside and move it in place, so that nobody ever reads half of it."""

import os
import tempfile
from pathlib import Path


def write_file(path: Path, data: bytes) -> None:
    """Make `path` hold `data`; a process killed at any moment leaves the old file or the new."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent)
    with os.fdopen(handle, "wb") as file:
        file.write(data)
    Path(name).replace(path)
