"""The equations and gradients of a page on code that a reader has edited."""

import io
import json
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from site_builder.cache import Cache
from site_builder.directives import DIRECTIVES
from site_builder.observe.process import SubjectProcess
from site_builder.observe.run import observe
from site_builder.observe.verdicts import verify_equations
from site_builder.problem import Report
from site_builder.resolve.directive import checked_equations
from site_builder.resolve.project import read_project
from site_builder.write.bundle import bundle
from tests.site_builder.projects import REPOSITORY

pytestmark = pytest.mark.site

MODULE = REPOSITORY / "src" / "lessons" / "layer_norm.py"
VARIANCE = "var = x.var(axis=-1, keepdims=True)"
LAST_TERM = "        - xhat * (dxhat * xhat).sum(axis=-1, keepdims=True)\n"
RUN = (
    "import sys; from runner.browser import reader_verdicts_json as run;"
    " sys.stdout.write(run(sys.stdin.read()))"
)
Judge = Callable[..., dict[str, Any]]


@pytest.fixture(scope="module")
def judge(browser_sources: Path) -> Judge:
    """Judge edits of one function of the lesson, as the browser does: from the packed files."""

    def run(function: str, *changes: tuple[str, str]) -> dict[str, Any]:
        lines = MODULE.read_text("utf-8").split("\n")
        first = next(n for n, line in enumerate(lines, 1) if line.startswith(f"def {function}("))
        last = next(n for n in range(first, len(lines)) if lines[n - 1].startswith("    return "))
        text = "\n".join(lines[first - 1 : last])
        for old, new in changes:
            assert text.count(old) >= 1
            text = text.replace(old, new)
        edit = {"cell": "cell", "module": "lessons.layer_norm", "text": text}
        request = {"page": "lesson", "edits": [{**edit, "first": first, "last": last}]}
        answer = subprocess.run(
            [sys.executable, "-c", RUN], input=json.dumps(request), cwd=browser_sources,
            capture_output=True, text=True, check=True, env={"PYTHONPATH": str(browser_sources)},
        )  # fmt: skip
        found: dict[str, Any] = json.loads(answer.stdout)
        return found

    return run


@pytest.fixture(scope="module")
def browser_sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the browser unpacks."""
    folder = tmp_path_factory.mktemp("sources")
    report = Report()
    project = read_project(REPOSITORY, DIRECTIVES, report)
    cache = Cache(folder / "cache")
    with SubjectProcess(REPOSITORY, 60) as process:
        observation = observe(
            process, project.settings, project.codebase, project.requests, cache, report
        )
        results = verify_equations(
            process,
            project.codebase,
            checked_equations(project.documents),
            observation,
            cache,
            report,
        )
    report.raise_if_any()
    packed = bundle(REPOSITORY, [*project.settings.folders], results.checks)
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def failing(found: dict[str, Any]) -> list[str]:
    return [id_ for id_, verdict in found["equations"].items() if not verdict["holds"]]


def gradients(found: dict[str, Any]) -> dict[str, bool]:
    return {gradient["name"]: gradient["holds"] for gradient in found["gradients"]}


def test_the_committed_code_holds(judge: Judge) -> None:
    found = judge("layernorm_forward")
    assert len(found["equations"]) >= 22
    assert failing(found) == []
    assert gradients(found) == {"dx": True, "dgamma": True, "dbeta": True}
    assert found["failure"] is found["gradients_failure"] is None


def test_the_variance_divided_by_one_less(judge: Judge) -> None:
    unbiased = "# unbiased\n    var = x.var(axis=-1, ddof=1, keepdims=True)"
    found = judge("layernorm_forward", (VARIANCE, unbiased))
    assert failing(found)[0] == "eq-lesson-var"
    assert found["equations"]["eq-lesson-var"] == {
        "holds": False,
        "where": "b = 0, t = 0",
        "input": "the worked example",
        "left": "2.667",
        "right": "2",
    }
    assert found["equations"]["eq-lesson-mean"]["holds"]


def test_dx_without_its_last_term(judge: Judge) -> None:
    found = judge("layernorm_backward", (LAST_TERM, ""))
    assert "eq-lesson-dx" in failing(found)
    assert not {"eq-lesson-dgamma", "eq-lesson-dbeta"} & set(failing(found))
    assert gradients(found) == {"dx": False, "dgamma": True, "dbeta": True}


def test_an_assignment_before_the_one_that_counts(judge: Judge) -> None:
    """The first `mu` is the one that was there; a second one changes the code's result."""
    twice = "mu = x.mean(axis=-1, keepdims=True)\n    mu = mu + 0.0"
    found = judge("layernorm_forward", ("mu = x.mean(axis=-1, keepdims=True)", twice))
    assert failing(found) == []


def test_a_symbol_that_is_gone(judge: Judge) -> None:
    found = judge("layernorm_forward", ("std", "deviation"))
    error = found["equations"]["eq-lesson-std"]["error"]
    assert error == "lessons.layer_norm.layernorm_forward assigns no std"
    assert found["equations"]["eq-lesson-var"]["holds"]
    assert gradients(found)["dx"]


@pytest.mark.parametrize(
    ("new", "kind"),
    [
        ("raise SystemExit", "SystemExit"),
        ("var = gone", "NameError"),
        ("var = (", "SyntaxError"),
    ],
)
def test_code_that_raises(judge: Judge, new: str, kind: str) -> None:
    found = judge("layernorm_forward", (VARIANCE, new))
    assert found["equations"] == {}
    assert found["failure"]["kind"] == found["gradients_failure"]["kind"] == kind
    assert found["failure"]["lines"][-1]["cell"] == "cell"
