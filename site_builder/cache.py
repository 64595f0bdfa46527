"""Results that are worth keeping from one build to the next, by the content they were made from."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, overload

from site_builder.atomic import write_file

T = TypeVar("T")
_MISFITS = (LookupError, TypeError, ValueError, AttributeError)  # what decoding may raise
_HEAD = '{"sha256": "%s", "value": '


class Cache:
    """JSON values in the files of one folder. Losing the folder, or a file, only costs time.

    Each file holds a digest of its value. So an entry that anything but `put` has written, or that
    is incomplete, counts as absent: whoever asks for it computes it again.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @overload
    def get(self, key: str) -> Any: ...  # noqa: ANN401 - whatever was put

    @overload
    def get(self, key: str, decode: Callable[[Any], T]) -> T | None: ...

    def get(self, key: str, decode: Callable[[Any], object] | None = None) -> object:
        """The value that was put under `key`, or None.

        Args:
            key: the name of the entry.
            decode: makes a record of the value. An entry that it refuses (with a ValueError,
                KeyError, TypeError and the like) counts as absent: an older builder wrote it.
        """
        try:
            text = self._file(key).read_text("utf-8")
            head, value = text[: len(_HEAD % _digest(""))], text[len(_HEAD % _digest("")) : -1]
            if head != _HEAD % _digest(value):
                return None
            found = json.loads(value)
        except (OSError, ValueError):
            return None
        return decoded(found, decode) if decode else found

    def put(self, key: str, value: Any) -> None:  # noqa: ANN401 - anything that JSON can hold
        """Store `value` under `key`; a killed write leaves no broken entry."""
        text = json.dumps(value)
        write_file(self._file(key), f"{_HEAD % _digest(text)}{text}}}".encode())

    def _file(self, key: str) -> Path:
        return self._folder / f"{key}.json"


def decoded(value: Any, decode: Callable[[Any], T]) -> T | None:  # noqa: ANN401 - any JSON
    """What `decode` makes of a value from a cache, or None if it does not fit."""
    try:
        return decode(value)
    except _MISFITS:
        return None


def fingerprint(*parts: str | bytes) -> str:
    """A name for content: equal content has an equal name."""
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        digest.update(f"{len(data)}:".encode() + data)
    return digest.hexdigest()


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
