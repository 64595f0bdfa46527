"""What git knows about the past; nothing where that would not be true."""

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from site_builder.read.history import last_change, read_history
from site_builder.read.revision import Revision, read_revision
from tests.site_builder.read.test_revision import git


def commit(root: Path, path: str, subject: str, date: str) -> None:
    """Change one file at a given time."""
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(subject)
    git(root, "add", ".")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GIT_COMMITTER_DATE", date)
        git(root, "commit", "--quiet", "--allow-empty-message", "-m", subject)


def revision(root: Path) -> Revision:
    return read_revision(root, "", os.environ)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    root.mkdir()
    git(root, "init", "--quiet")
    commit(root, "a.md", "One", "2020-03-01T12:00:00+02:00")
    commit(root, "ä b.md", "Two", "2021-04-02T12:00:00+00:00")
    commit(root, "a.md", "", "2022-05-03T12:00:00+00:00")
    return root


def test_commits_come_newest_first_with_date_subject_and_files(repository: Path) -> None:
    history = read_history(repository, revision(repository))
    assert [c.subject for c in history] == ["", "Two", "One"]
    assert [c.paths for c in history] == [{"a.md"}, {"ä b.md"}, {"a.md"}]
    assert history[2].date == datetime(2020, 3, 1, 10, tzinfo=UTC)
    assert history[0].id == git(repository, "rev-parse", "HEAD")


def test_the_last_change_of_files_is_that_of_the_youngest(repository: Path) -> None:
    history = read_history(repository, revision(repository))
    assert last_change(history, ["ä b.md"]) == datetime(2021, 4, 2, 12, tzinfo=UTC)
    assert last_change(history, ["ä b.md", "a.md"]) == datetime(2022, 5, 3, 12, tzinfo=UTC)
    assert last_change(history, ["b.md"]) is None


def test_a_changed_tree_has_no_history(repository: Path) -> None:
    (repository / "a.md").write_text("changed")
    assert read_history(repository, revision(repository)) == ()


def test_a_shallow_clone_has_no_history(repository: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "--quiet", "--depth", "1", repository.as_uri(), "shallow")
    shallow = tmp_path / "shallow"
    assert revision(shallow).commit
    assert read_history(shallow, revision(shallow)) == ()
