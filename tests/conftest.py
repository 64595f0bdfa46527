"""Projects that tests build, made once and copied where a test changes them."""

from pathlib import Path

import pytest

from tests.site_builder.projects import Project, copy_project, copy_repository, write_tiny

_VARIABLES = ("GITHUB_REPOSITORY", "GITHUB_SERVER_URL")


@pytest.fixture(autouse=True)
def _no_github_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    """On GitHub's machines these would add permalinks to every page."""
    for name in _VARIABLES:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="session")
def built_tiny(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """The tiny project, built. Not to be changed."""
    project = write_tiny(tmp_path_factory.mktemp("tiny") / "project")
    return _built(project)


@pytest.fixture
def tiny(built_tiny: Project, tmp_path: Path) -> Project:
    """The tiny project, built, to be changed at will."""
    return copy_project(built_tiny, tmp_path / "project")


@pytest.fixture(scope="session")
def built_site(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """The real pages and code, built. Not to be changed."""
    project = copy_repository(tmp_path_factory.mktemp("site") / "project")
    return _built(project)


@pytest.fixture
def site(built_site: Project, tmp_path: Path) -> Project:
    """The real pages and code, built, to be changed at will."""
    return copy_project(built_site, tmp_path / "project")


def _built(project: Project) -> Project:
    with pytest.MonkeyPatch.context() as patch:
        for name in _VARIABLES:
            patch.delenv(name, raising=False)
        outcome = project.build()
    assert outcome.code == 0, outcome.errors
    return project
