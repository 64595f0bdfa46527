"""Compare two built sites: `python -m tests.compare_builds OLD NEW [--expected FILE]`.

Prints every difference that the file of expected differences does not list, and every entry of that
file that matched nothing. Exit code 1 if there is either. Build both sites from clean commits: the
commit's id is the same for this program, but a site that was built from uncommitted files says so.

An entry of the file, which is TOML; without it no difference is expected:

    [[difference]]
    path = "runtime/sources.zip/eqcheck/*"  # a glob, in which * also matches slashes
    what = "any"                            # or a regular expression, searched in "old → new"
    reason = "The evaluator was split into two modules."
"""

import argparse
import difflib
import gzip
import hashlib
import io
import json
import re
import sys
import tomllib
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import accumulate, zip_longest
from pathlib import Path
from typing import Any

from pypdf import PdfReader

_SHOWN = 100  # characters of a changed line, around what changed
_ABSENT = "(no such file)"
_EMPTY = "(nothing)"
_PACKED = "runtime/sources.zip"
_RECORDS = "search/records.json"
_RELEASE = "service-worker.js"
_HASHED_NAME = re.compile(r"(?<=en_)[0-9a-f]{7,}")  # Pagefind names its files by content
_INTEGRITY = re.compile(r'(?<=": ")(?:[A-Za-z0-9+/]{43}=|[0-9a-f]{16})(?=")')


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A line of a file that changed, was added or was removed; or a whole file."""

    path: str
    old: str
    new: str

    def __str__(self) -> str:
        """The difference on one line, shortened to what changed."""
        start, end = _common_ends(self.old, self.new)
        return (
            f"{self.path}: {_shortened(self.old, start, end)} → {_shortened(self.new, start, end)}"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """An entry of the file of expected differences."""

    path: str
    what: str
    reason: str

    def covers(self, difference: Difference) -> bool:
        """Whether this difference is the expected one."""
        if not fnmatchcase(difference.path, self.path):
            return False
        change = f"{difference.old} → {difference.new}"
        return self.what == "any" or re.search(self.what, change) is not None


def main() -> int:
    """Run the command line; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.compare_builds", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("--expected", type=Path, metavar="FILE")
    arguments = parser.parse_args()
    found = compare(arguments.old, arguments.new)
    expected = read_expected(arguments.expected) if arguments.expected else []
    surprises, idle = judge(found, expected)
    for difference in surprises:
        print(difference)
    for entry in idle:
        print(f"{arguments.expected}: did not occur: {entry.path}: {entry.what}")
    counts = f"{len(surprises)} unexpected, {len(found) - len(surprises)} expected"
    print(f"{counts}, {len(idle)} expected but absent", file=sys.stderr)
    return 1 if surprises or idle else 0


def read_expected(file: Path) -> list[Expected]:
    """The entries of a file of expected differences; each needs a path, what, and a reason."""
    entries = [Expected(**entry) for entry in tomllib.loads(file.read_text("utf-8"))["difference"]]
    for entry in entries:
        if not (entry.path and entry.what and entry.reason.strip()):
            sys.exit(f"{file}: an entry needs a path, what changed, and a reason: {entry}")
    return entries


def judge(
    found: Iterable[Difference], expected: Iterable[Expected]
) -> tuple[list[Difference], list[Expected]]:
    """The differences that no entry covers, and the entries that cover no difference."""
    found, expected = list(found), list(expected)
    surprises = [d for d in found if not any(entry.covers(d) for entry in expected)]
    idle = [entry for entry in expected if not any(entry.covers(d) for d in found)]
    return surprises, idle


def compare(old: Path, new: Path) -> list[Difference]:
    """All differences between two built sites, by path and then by line."""
    before, after = _files(old), _files(new)
    commits = _commit(before), _commit(after)
    found: list[Difference] = []
    for path in sorted(before.keys() | after.keys()):
        if path not in before or path not in after:
            here = [
                _summary(files[path]) if path in files else _ABSENT for files in (before, after)
            ]
            found.append(Difference(path=path, old=here[0], new=here[1]))
        elif before[path] != after[path]:
            pair = (_lines(path, before[path], commits[0]), _lines(path, after[path], commits[1]))
            found.extend(_changed_lines(path, *pair))
    return found


def _files(site: Path) -> dict[str, bytes]:
    """The files of a site by path; the packed sources each by itself."""
    if not (site / "explain.json").is_file():
        sys.exit(f"{site} is not a built site: it has no explain.json")
    files = {
        file.relative_to(site).as_posix(): file.read_bytes()
        for file in site.rglob("*")
        if file.is_file()
    }
    if _PACKED in files:
        with zipfile.ZipFile(io.BytesIO(files.pop(_PACKED))) as archive:
            files |= {f"{_PACKED}/{name}": archive.read(name) for name in archive.namelist()}
    return _with_plain_search(files)


def _with_plain_search(files: dict[str, bytes]) -> dict[str, bytes]:
    """The files, with Pagefind's index and the search records as plain lines.

    Pagefind names a record by the hash of its content, numbers records in the order of their names
    and spreads words over files that it names by content. One changed record thus changes them all.
    """
    index = {path for path in files if path.endswith((".pf_meta", ".pf_index"))}
    if not index:
        return files
    (meta,) = (_decoded(files[path]) for path in index if path.endswith(".pf_meta"))
    records = json.loads(files[_RECORDS])["records"]
    places = [f"{records[page[0]]['href']}, {page[1]} words" for page in meta[1]]
    lines: list[str] = []
    for path in index:
        if path.endswith(".pf_index"):
            for word, uses, *variants in _decoded(files[path])[0]:
                numbers = accumulate(use[0] for use in uses)
                found = [(places[n], *use[1:]) for n, use in zip(numbers, uses, strict=True)]
                lines.extend(f"{word} {variants}: {use}" for use in found)
    rest = {path: data for path, data in files.items() if path not in index}
    shown = (json.dumps(record, ensure_ascii=False) for record in records.values())
    return rest | {
        "search/index": "\n".join(sorted(lines)).encode(),
        _RECORDS: "\n".join(sorted(shown)).encode(),
    }


def _decoded(data: bytes) -> list[Any]:
    """The content of a file of Pagefind: compressed CBOR after a signature."""
    data = gzip.decompress(data).removeprefix(b"pagefind_dcd")
    value: list[Any]
    value, end = _cbor(data, 0)
    if end != len(data):
        raise ValueError(f"{len(data) - end} bytes are left over")
    return value


def _cbor(data: bytes, at: int) -> tuple[Any, int]:
    """The value that starts at an offset, and the offset after it: integers, texts and arrays."""
    kind, number = data[at] >> 5, data[at] & 31
    at += 1
    if number >= 24:  # the number follows, in 1, 2, 4 or 8 bytes
        width = 1 << (number - 24)
        number, at = int.from_bytes(data[at : at + width]), at + width
    if kind in {0, 1}:
        return (number if kind == 0 else -1 - number), at
    if kind == 3:
        return data[at : at + number].decode(), at + number
    if kind != 4:
        raise ValueError(f"Pagefind uses none of CBOR's type {kind} so far: read it here")
    values = []
    for _ in range(number):
        value, at = _cbor(data, at)
        values.append(value)
    return values, at


def _commit(files: dict[str, bytes]) -> str | None:
    commit: str | None = json.loads(files["explain.json"])["commit"]
    return commit


def _lines(path: str, data: bytes, commit: str | None) -> list[str]:
    """What a file says, as lines to compare: without the commit, and without hashes of files."""
    text = _text(path, data)
    if text is None:
        return [_summary(data)]
    if commit:
        text = text.replace(commit, "(commit)").replace(commit[:12], "(commit)")
    if path == _RELEASE:
        text = _INTEGRITY.sub("(hash)", text)
    if path == _RELEASE or path.startswith("search/"):
        text = _HASHED_NAME.sub("(hash)", text)
    return text.splitlines()


def _text(path: str, data: bytes) -> str | None:
    """The text of a file, None for one that has none. JSON gets a line for each value."""
    if path.endswith(".pdf"):
        pages = PdfReader(io.BytesIO(data)).pages
        return "\n".join(f"page {n}\n{page.extract_text()}" for n, page in enumerate(pages, 1))
    if path.endswith("objects.inv"):
        *header, packed = data.split(b"\n", 4)
        return b"\n".join([*header, zlib.decompress(packed)]).decode()
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return None
    if path.endswith((".json", ".ipynb")) and path != _RECORDS:
        return json.dumps(json.loads(text), indent=1, ensure_ascii=False)
    return text


def _summary(data: bytes) -> str:
    return f"({len(data)} bytes, SHA-256 {hashlib.sha256(data).hexdigest()[:12]})"


def _changed_lines(path: str, old: list[str], new: list[str]) -> Iterator[Difference]:
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    for tag, i, j, k, m in matcher.get_opcodes():
        if tag != "equal":
            for before, after in zip_longest(old[i:j], new[k:m], fillvalue=_EMPTY):
                yield Difference(path=path, old=before, new=after)


def _common_ends(one: str, other: str) -> tuple[int, int]:
    """How many characters two lines share at their start, and how many at their end."""
    shorter = min(len(one), len(other))
    start = next((i for i in range(shorter) if one[i] != other[i]), shorter)
    rest = shorter - start
    return start, next((i for i in range(rest) if one[-1 - i] != other[-1 - i]), rest)


def _shortened(line: str, start: int, end: int) -> str:
    first = max(0, start - _SHOWN // 4)
    last = min(len(line), max(len(line) - end + _SHOWN // 4, first + 1), first + _SHOWN)
    return f"{'…' * (first > 0)}{line[first:last]}{'…' * (last < len(line))}"


if __name__ == "__main__":
    sys.exit(main())
