"""Results worth keeping from one build to the next, by the content they were made from."""

import hashlib
import json
from pathlib import Path
from typing import Any

from site_builder.atomic import write_file


class Cache:
    """JSON values in files of one folder. Losing the folder costs time and nothing else."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get(self, key: str) -> Any | None:  # noqa: ANN401 - whatever was put
        """The value kept under `key`, or None."""
        try:
            return json.loads((self._folder / f"{key}.json").read_text("utf-8"))
        except (OSError, ValueError):
            return None

    def put(self, key: str, value: Any) -> None:  # noqa: ANN401 - anything that JSON can hold
        """Keep `value` under `key`; a killed write leaves no broken entry."""
        write_file(self._folder / f"{key}.json", json.dumps(value).encode())


def fingerprint(*parts: str | bytes) -> str:
    """A name for content: equal content has an equal name."""
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        digest.update(f"{len(data)}:".encode() + data)
    return digest.hexdigest()
