"""Which commits changed which files, and when."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from site_builder.read.git import git
from site_builder.read.revision import Revision

_COMMIT, _FIELD = "\x1e", "\x1f"  # bytes that occur in no subject or path


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    """A commit.

    Attributes:
        id: full id.
        date: when it was committed, with its time zone.
        subject: the first line of its message.
        paths: the files it changed, relative to the top of the repository.
    """

    id: str
    date: datetime
    subject: str
    paths: frozenset[str]


def read_history(root: Path, revision: Revision) -> tuple[Commit, ...]:
    """All commits up to the one being built, newest first.

    Empty if the dates would be wrong: for a tree with uncommitted changes, and in a shallow clone,
    whose oldest commit appears to have created every file.
    """
    if not revision.commit or git(root, "rev-parse", "--is-shallow-repository") != "false":
        return ()
    form = _COMMIT + _FIELD.join(("%H", "%s", "%cI"))
    log = git(root, "log", f"--format={form}", "--name-only", "--no-renames") or ""
    commits = [_commit(text) for text in log.split(_COMMIT) if text.strip()]
    return tuple(sorted(commits, key=lambda commit: commit.date, reverse=True))


def last_change(history: Iterable[Commit], paths: Iterable[str]) -> datetime | None:
    """When any of these files last changed; None if unknown."""
    changed = frozenset(paths)
    return next((commit.date for commit in history if commit.paths & changed), None)


def _commit(text: str) -> Commit:
    head, *paths = text.split("\n")
    id_, subject, date = head.split(_FIELD)
    return Commit(
        id=id_,
        date=datetime.fromisoformat(date),
        subject=subject,
        paths=frozenset(path for path in paths if path),
    )
