import subprocess
from pathlib import Path

import pytest

from site_builder.read.revision import Revision, read_revision
from tests.site_builder.read.modules import write


def git(root: Path, *arguments: str) -> str:
    who = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    run = subprocess.run(
        ["git", *who, *arguments], cwd=root, check=True, capture_output=True, text=True
    )
    return run.stdout.strip()


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):
        monkeypatch.delenv(name, raising=False)
    root = tmp_path / "project"
    write(root, "a.txt", "a\n")
    write(root, ".gitignore", "dist/\n")
    git(root, "init", "--quiet")
    git(root, "add", ".")
    git(root, "commit", "--quiet", "-m", "One")
    return root


def test_a_clean_tree_is_its_commit(repository: Path) -> None:
    write(repository, "dist/index.html", "ignored\n")
    revision = read_revision(repository, "", {})
    assert revision == Revision(commit=git(repository, "rev-parse", "HEAD"), repository=None)
    assert len(revision.commit or "") == 40


@pytest.mark.parametrize("path", ["a.txt", "new.txt", "folder/new.txt"])
def test_a_dirty_tree_never_claims_a_commit(repository: Path, path: str) -> None:
    write(repository, path, "changed\n")
    assert read_revision(repository, "", {}).commit is None


def test_a_staged_change_is_a_change(repository: Path) -> None:
    write(repository, "a.txt", "changed\n")
    git(repository, "add", ".")
    assert read_revision(repository, "", {}).commit is None


def test_a_deleted_file_is_a_change(repository: Path) -> None:
    (repository / "a.txt").unlink()
    assert read_revision(repository, "", {}).commit is None


def test_untracked_files_count_whatever_the_configuration_says(repository: Path) -> None:
    git(repository, "config", "status.showUntrackedFiles", "no")
    write(repository, "new.txt", "new\n")
    assert read_revision(repository, "", {}).commit is None


def test_a_copy_inside_another_repository_claims_nothing(repository: Path) -> None:
    write(repository, "copy/a.txt", "a\n")
    git(repository, "add", ".")
    git(repository, "commit", "--quiet", "-m", "Two")
    assert read_revision(repository, "", {}).commit
    assert read_revision(repository / "copy", "", {}).commit is None


def test_without_a_repository(tmp_path: Path) -> None:
    assert read_revision(tmp_path, "", {}) == Revision(commit=None, repository=None)


def test_without_git(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert read_revision(repository, "", {}).commit is None


def test_without_a_commit_yet(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet")
    assert read_revision(tmp_path, "", {}).commit is None


def test_the_variables_of_github_actions(tmp_path: Path) -> None:
    known = {"GITHUB_REPOSITORY": "me/gpt"}
    assert read_revision(tmp_path, "", known).repository == "https://github.com/me/gpt"
    known["GITHUB_SERVER_URL"] = "https://git.example.org"
    assert read_revision(tmp_path, "", known).repository == "https://git.example.org/me/gpt"
    own = "https://example.org/gpt/"
    assert read_revision(tmp_path, own, known).repository == "https://example.org/gpt"


def test_permalinks() -> None:
    revision = Revision(commit="c" * 40, repository="https://github.com/me/gpt")
    base = f"https://github.com/me/gpt/blob/{'c' * 40}/src/ops.py"
    assert revision.permalink("src/ops.py", 3, 3) == f"{base}#L3"
    assert revision.permalink("src/ops.py", 3, 5) == f"{base}#L3-L5"


@pytest.mark.parametrize(
    "revision",
    [
        Revision(commit=None, repository="https://github.com/me/gpt"),
        Revision(commit="c" * 40, repository=None),
    ],
)
def test_no_permalink_where_one_half_is_unknown(revision: Revision) -> None:
    assert revision.permalink("src/ops.py", 3, 3) is None
