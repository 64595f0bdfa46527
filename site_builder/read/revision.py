"""Which commit is being built, and the web address of its repository."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from site_builder.read.git import git


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """The state of the tree.

    Attributes:
        commit: full id.
        repository: web address without a trailing slash, such as `https://github.com/me/gpt`.
    """

    commit: str | None
    repository: str | None

    def permalink(self, path: str, first: int, last: int) -> str | None:
        """The address of lines of a file at this commit; None if it cannot be known."""
        if not (self.commit and self.repository):
            return None
        lines = f"L{first}" if first == last else f"L{first}-L{last}"
        return f"{self.repository}/blob/{self.commit}/{path}#{lines}"


def read_revision(root: Path, repository: str, environment: Mapping[str, str]) -> Revision:
    """Ask git. Without git, or with uncommitted changes, the commit is None.

    Args:
        root: the project's folder.
        repository: from site.toml; if empty, GitHub Actions' variables are used.
        environment: the process's environment variables.
    """
    if not repository and environment.get("GITHUB_REPOSITORY"):
        server = environment.get("GITHUB_SERVER_URL", "https://github.com")
        repository = f"{server}/{environment['GITHUB_REPOSITORY']}"
    commit = git(root, "rev-parse", "HEAD")
    changes = git(root, "status", "--porcelain", "--untracked-files=normal")
    if commit and (changes or not _is_top(root)):
        commit = None
    return Revision(commit=commit or None, repository=repository.rstrip("/") or None)


def _is_top(root: Path) -> bool:
    """Whether `root` is the top of its repository, not a folder inside another one."""
    top = git(root, "rev-parse", "--show-toplevel")
    return bool(top) and Path(top or "").resolve() == root.resolve()
