"""Projects to build in tests, made once and copied; and a report of the model's tests.

The builder shows that report on the site as long as the code is unchanged.
"""

from pathlib import Path

import pytest

from site_builder.problem import Report
from site_builder.read.codebase import read_codebase
from site_builder.read.settings import read_settings
from site_builder.read.test_report import code_fingerprint, write_test_report
from tests.site_builder.projects import (
    REPOSITORY,
    Project,
    copy_project,
    copy_repository,
    write_tiny,
)

_VARIABLES = ("GITHUB_REPOSITORY", "GITHUB_SERVER_URL")


@pytest.fixture(autouse=True)
def _no_github_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    """On GitHub's runners these would add permalinks to every page."""
    for name in _VARIABLES:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="session")
def built_tiny(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """The tiny project, built. Read-only."""
    project = write_tiny(tmp_path_factory.mktemp("tiny") / "project")
    return _built(project)


@pytest.fixture
def tiny(built_tiny: Project, tmp_path: Path) -> Project:
    """A copy of the tiny project, built, which the test may change."""
    return copy_project(built_tiny, tmp_path / "project")


@pytest.fixture(scope="session")
def built_site(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """The real pages and code, built. Read-only."""
    project = copy_repository(tmp_path_factory.mktemp("site") / "project")
    return _built(project)


@pytest.fixture
def site(built_site: Project, tmp_path: Path) -> Project:
    """A copy of the real pages and code, built, which the test may change."""
    return copy_project(built_site, tmp_path / "project")


def _built(project: Project) -> Project:
    with pytest.MonkeyPatch.context() as patch:
        for name in _VARIABLES:
            patch.delenv(name, raising=False)
        outcome = project.build()
    assert outcome.code == 0, outcome.errors
    return project


_EXPLAINED = ("tests/tinygpt/", "tests/lessons/", "tests/exercises/")  # what pages may name
_outcomes: dict[str, bool] = {}


@pytest.hookimpl(trylast=True)
def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    name = report.nodeid
    if name.startswith(_EXPLAINED) and (report.when == "call" or report.failed):
        _outcomes[name] = report.passed and _outcomes.get(name, True)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Write a report, if all these tests were run."""
    collected = {i.nodeid for i in session.items if i.nodeid.startswith(_EXPLAINED)}
    files = {name.partition("::")[0] for name in collected}
    everything = {
        f"{folder}{file.name}"
        for folder in _EXPLAINED
        for file in (REPOSITORY / folder).glob("test_*.py")
    }
    chosen = session.config.getoption("keyword") or session.config.getoption("markexpr")
    narrowed = any(folder.split("/")[1] in chosen for folder in _EXPLAINED)
    if files != everything or collected != set(_outcomes) or narrowed:
        return
    report = Report()
    settings = read_settings(REPOSITORY, report)
    if settings:
        codebase = read_codebase(REPOSITORY, settings.folders, settings.subject, report)
        write_test_report(REPOSITORY, code_fingerprint(codebase), _outcomes)
