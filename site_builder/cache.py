"""Results cached from one build to the next, keyed by the content they were computed from."""

import hashlib
import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, overload

from site_builder.atomic import write_file

T = TypeVar("T")
_MISFITS = (LookupError, TypeError, ValueError, AttributeError)  # what `decode` may raise
_DIGEST_LENGTH = 32
_HEAD = '{"sha256": "%s", "value": '


class Cache:
    """Values in the files of one folder. Losing the folder, or a file, costs only time.

    There are two kinds. `get` and `put` store JSON under a key. `latest` and `keep` store any
    record, such as a resolved page. Records are large, and only the newest is worth keeping,
    so each name has one record, with the key that it was computed for. They stay in memory, too,
    for a server that builds repeatedly.

    Each file holds a digest of its value, so an entry that something else has written, or that is
    incomplete, counts as absent and is computed again.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._latest: dict[str, tuple[str, Any]] = {}
        self._unwritten: set[str] = set()

    @overload
    def get(self, key: str) -> Any: ...  # noqa: ANN401 - whatever was stored

    @overload
    def get(self, key: str, decode: Callable[[Any], T]) -> T | None: ...

    def get(self, key: str, decode: Callable[[Any], object] | None = None) -> object:
        """The value stored under `key`, or None.

        Args:
            key: the name of the entry.
            decode: makes a record of the value. An entry that it rejects (with a ValueError,
                KeyError, TypeError or similar) counts as absent: an older builder wrote it.
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
        """Store `value` under `key`; an interrupted write leaves no broken entry."""
        text = json.dumps(value)
        write_file(self._file(key), f"{_HEAD % _digest(text)}{text}}}".encode())

    def latest(self, name: str, key: str) -> Any | None:  # noqa: ANN401 - whatever was kept
        """The record stored under a name, if it has this key."""
        if name not in self._latest:
            self._latest[name] = _read_record(self._record(name)) or ("", None)
        kept, value = self._latest[name]
        return value if kept == key else None

    def keep(self, name: str, key: str, value: object) -> None:
        """Replace the record of a name; `write` saves it to its file."""
        self._latest[name] = (key, value)
        self._unwritten.add(name)

    def write(self) -> None:
        """Save new records for the next process."""
        while self._unwritten:
            name = self._unwritten.pop()
            data = pickle.dumps(self._latest[name], pickle.HIGHEST_PROTOCOL)
            write_file(self._record(name), hashlib.sha256(data).digest() + data)

    def computed(self, name: str, key: str, compute: Callable[[], T]) -> T:
        """The result of a pure function: the record stored under this key, or a new one."""
        found: T | None = self.latest(name, key)
        if found is None:
            found = compute()
            self.keep(name, key, found)
        return found

    def _file(self, key: str) -> Path:
        return self.folder / f"{key}.json"

    def _record(self, name: str) -> Path:
        return self.folder / f"{name}.pickle"


def decoded(value: Any, decode: Callable[[Any], T]) -> T | None:  # noqa: ANN401 - any JSON
    """A cached value, decoded; None if `decode` rejects it."""
    try:
        return decode(value)
    except _MISFITS:
        return None


def _read_record(file: Path) -> tuple[str, Any] | None:
    """The key and value in a file; None unless it is exactly as it was written."""
    try:
        content = file.read_bytes()
        digest, data = content[:_DIGEST_LENGTH], content[_DIGEST_LENGTH:]
        if hashlib.sha256(data).digest() != digest:
            return None
        key, value = pickle.loads(data)  # noqa: S301 - the digest shows that a builder wrote it
    except Exception:  # noqa: BLE001 - an older builder's record may no longer load
        return None
    return key, value


def fingerprint(*parts: str | bytes) -> str:
    """A digest of content: equal content has an equal fingerprint."""
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        digest.update(f"{len(data)}:".encode() + data)
    return digest.hexdigest()


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
