"""Every change of what the layer norm computes fails the build, which names an equation."""

import dataclasses
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from eqcheck import hard_inputs, random_inputs
from runner.equations import check_equations
from runner.imports import find_function
from runner.protocol import EquationsAnswer, EquationsRequest
from site_builder.cache import Cache
from site_builder.directives import DIRECTIVES
from site_builder.observe.observation import Observation
from site_builder.observe.process import SubjectProcess, TaskResult
from site_builder.observe.run import observe
from site_builder.observe.verdicts import EquationsOfPage, verify_equations
from site_builder.problem import BuildError, Report
from site_builder.resolve.directive import checked_equations
from site_builder.resolve.project import read_project
from tests.site_builder.code_mutants import CodeMutant, code_mutants, printed
from tests.site_builder.projects import REPOSITORY, Project, copy_repository, run_build

pytestmark = pytest.mark.slow

OPS = "src/tinygpt/ops.py"
PAGE = "content/layer-norm.md"
FUNCTIONS = ("layer_norm_forward", "layer_norm_backward")
SOURCE = (REPOSITORY / OPS).read_text("utf-8")
MUTANTS = [mutant for function in FUNCTIONS for mutant in code_mutants(SOURCE, function)]
# What the page's check runs; the rest of the code need not be read again for each mutant.
NEEDED = (
    "content/site.toml",
    PAGE,
    "src/lessons/__init__.py",
    "src/lessons/layer_norm_row.py",
    *(f"src/tinygpt/{name}.py" for name in ("__init__", "arrays", "config", "gradcheck", "ops")),
    "src/tinygpt/transformer.py",  # it has the loss, a symbol of the page
    "tests/tinygpt/test_ops.py",
)
STATEMENTS = [*dict.fromkeys(mutant.statement for mutant in MUTANTS)]
NAMED = re.compile(rf"{PAGE}:(\d+): this equation (and the code of {OPS}:\d+|cannot be checked)")
RAISED = re.compile(rf"{PAGE}:\d+: the equations could not be checked: \S+ at {OPS}:\d+ raises ")

# The last axis of a matrix is its axis 1.
SAME_VALUES = {
    ("d = X.shape[-1]", "-1 -> 1"),
    ("mu = X.sum(axis=-1, keepdims=True) / d", "-1 -> 1"),
    ("var = ((X - mu) ** 2).sum(axis=-1, keepdims=True) / d", "-1 -> 1"),
    (next(s for s in STATEMENTS if s.startswith("dX =")), "-1 -> 1"),
}
# The equations say epsilon, not how much it is, and hold for each; the page shows the default.
ANY_EPSILON = {("defaults", "1e-05 -> 1.00001"), ("defaults", "1e-05 -> 0.0001")}
EXPECTED_MUTANTS = 130  # at least; more code makes more

Values = list[NDArray[np.float64]]


@dataclass(frozen=True, kw_only=True)
class Original:
    """The project as it is, and what was observed of it."""

    folder: Path
    observation: Observation


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Original:
    folder = tmp_path_factory.mktemp("mutants")
    project = copy_repository(folder / "original")
    report = Report()
    with SubjectProcess(project.root, 60) as process:
        read = read_project(project.root, DIRECTIVES, report)
        observation = observe(
            process, read.settings, read.codebase, read.requests, Cache(folder / "cache"), report
        )
    report.raise_if_any()
    return Original(folder=folder, observation=observation)


class SubjectHere(SubjectProcess):
    """Runs the subject in this process: to start another for every mutant takes too long."""

    def __init__(self, root: Path) -> None:
        super().__init__(root, 60)
        self._source = str(root / "src")

    def equations(self, request: EquationsRequest) -> TaskResult[EquationsAnswer]:
        with _modules_of_its_own(self._source):
            return TaskResult(table=check_equations(request), failure=None, exit_code=0, output="")


@contextmanager
def _modules_of_its_own(source: str) -> Iterator[None]:
    def subject() -> dict[str, ModuleType]:
        return {n: m for n, m in sys.modules.items() if n.split(".")[0] in ("tinygpt", "lessons")}

    before = subject()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "path", [source, *sys.path])
        patch.setattr(sys, "dont_write_bytecode", True)
        for name in before:
            del sys.modules[name]
        find_function.cache_clear()
        try:
            yield
        finally:
            for name in subject():
                del sys.modules[name]
            sys.modules.update(before)
            find_function.cache_clear()


def findings(original: Original, name: str, source: str) -> list[str]:
    """What the build says of changed code when it executes the equations."""
    copy = Project(original.folder / name)
    for path in NEEDED:
        copy.write(path, source if path == OPS else (REPOSITORY / path).read_text("utf-8"))
    project = read_project(copy.root, DIRECTIVES, Report())
    pages = checked_equations(project.documents)
    first = tuple(map(_without_derivatives, pages))
    # Those without derivatives find nearly everything, and are quick. Code that raises ends a
    # process, which must be another one.
    for some in (first, pages):
        report = Report()
        cache = Cache(copy.root / "cache")
        try:
            with SubjectHere(copy.root) as process:
                verify_equations(
                    process, project.codebase, some, original.observation, cache, report
                )
        except Exception:  # noqa: BLE001 - whatever the mutant raises
            with SubjectProcess(copy.root, 60) as process:
                verify_equations(
                    process, project.codebase, some, original.observation, cache, report
                )
        try:
            report.raise_if_any()
        except BuildError as error:
            return [str(problem) for problem in error.problems]
    return []


def _without_derivatives(page: EquationsOfPage) -> EquationsOfPage:
    later = (
        dataclasses.replace(e, unchecked="not yet") if r"\partial" in e.latex else e
        for e in page.equations
    )
    return dataclasses.replace(page, equations=tuple(later))


@cache
def _inputs() -> list[dict[str, NDArray[np.float64]]]:
    shapes = {"X": ("T", "d"), "gamma": ("d",), "beta": ("d",), "dY": ("T", "d")}
    worked = {"X": [[1.0, 2, 3, 6]], "gamma": [1.0, 1, 1, 2], "beta": [0.0, 0, 0, 1],
              "dY": [[1.0, 0, 0, 1]]}  # fmt: skip
    return [
        {name: np.array(value) for name, value in worked.items()},
        *random_inputs(shapes, 0, 20),
        *hard_inputs(shapes, "X", 0).values(),
    ]


def values(source: str) -> Values | None:
    """All that the two functions return, on the inputs of the check; None if they raise."""
    space: dict[str, Any] = {"__name__": "mutant"}
    exec(compile(source, "mutant", "exec"), space)  # noqa: S102 - it is our own code
    found: Values = []
    try:
        with np.errstate(all="ignore"):
            for inputs in _inputs():
                X, gamma, beta, dY = (inputs[name] for name in ("X", "gamma", "beta", "dY"))
                Y, cached = space["layer_norm_forward"](X, gamma, beta)
                gradients = space["layer_norm_backward"](dY, cached, gamma)
                found += [np.asarray(value) for value in (Y, *cached, *gradients)]
    except Exception:  # noqa: BLE001 - mutants raise all kinds of errors
        return None
    return found


def changes_values(mutant: CodeMutant) -> bool:
    before, after = values(SOURCE), values(mutant.source)
    assert before
    return after is None or any(
        a.shape != b.shape or not np.allclose(a, b, rtol=1e-9, atol=0, equal_nan=True)
        for a, b in zip(before, after, strict=True)
    )


@pytest.mark.parametrize("statement", STATEMENTS)
def test_every_change_of_value_is_found(original: Original, statement: str) -> None:
    survivors = set()
    number = STATEMENTS.index(statement)
    for count, mutant in enumerate(m for m in MUTANTS if m.statement == statement):
        found = findings(original, f"{number}-{count}", mutant.source)
        by_name = [problem for problem in found if NAMED.match(problem)]
        raised = [problem for problem in found if RAISED.match(problem)]
        assert by_name or raised or not found, (mutant.change, found)
        if raised:
            assert values(mutant.source) is None, mutant.change
        if not found:
            survivors.add((statement, mutant.change))
        assert changes_values(mutant) or not found, mutant.change
    assert survivors == {item for item in SAME_VALUES | ANY_EPSILON if item[0] == statement}


def test_those_that_survive_are_equal_or_another_epsilon() -> None:
    made = {(mutant.statement, mutant.change): mutant for mutant in MUTANTS}
    assert not [item for item in SAME_VALUES if changes_values(made[item])]
    assert all(changes_values(made[item]) for item in ANY_EPSILON)
    assert len(MUTANTS) >= EXPECTED_MUTANTS


@pytest.mark.parametrize("function", FUNCTIONS)
def test_printing_a_function_anew_is_no_change(original: Original, function: str) -> None:
    assert findings(original, function, printed(SOURCE, function)) == []


@pytest.mark.site
@pytest.mark.parametrize(
    ("old", "new", "equation"),
    [
        ("X.sum(axis=-1, keepdims=True) / d\n", "X.sum(axis=-1, keepdims=True) / (d - 1)\n",
         r"\mu_t = \frac{1}{d} \sum_{i} X_{ti}"),
        ("(dY * Xhat).sum(axis=0)", "(dY + Xhat).sum(axis=0)",
         r"d\gamma_i = \sum_{t} dY_{ti}\, \hat{X}_{ti}"),
        ("- Xhat * (dXhat", "+ Xhat * (dXhat", r"dX_{tj} = s_t \left( d\hat{X}_{tj} -"),
    ],
)  # fmt: skip
def test_the_command_line_fails(site: Project, old: str, new: str, equation: str) -> None:
    site.replace(OPS, old, new)
    run = run_build(site.root)
    assert run.returncode == 1
    line = site.line(PAGE, equation)
    assert str(line) in [found[0] for found in NAMED.findall(run.stderr)]


@pytest.mark.site
def test_the_command_line_names_the_code_that_raises(site: Project) -> None:
    site.replace(OPS, "mu = X.sum(axis=-1, keepdims=True)", "mu = X.sum(axis=-1)")
    run = run_build(site.root)
    assert run.returncode == 1
    line = site.line(OPS, "var = ((X - mu)")
    assert f"{OPS}:{line}: raises ValueError: operands could not be broadcast" in run.stderr


@pytest.mark.site
@pytest.mark.parametrize(
    "new", ["((X - mu) ** 2).sum(axis=-1, keepdims=True) - d", "d"], ids=["NaN", "another shape"]
)
def test_an_equation_is_named_also_where_the_model_cannot_run(site: Project, new: str) -> None:
    old = "((X - mu) ** 2).sum(axis=-1, keepdims=True) / d"
    site.replace(OPS, f"var = {old}", f"var = {new}")
    problems = site.problems()
    line, changed = site.line(PAGE, r"\sigma_t^2 = \frac{1}{d} \sum"), site.line(OPS, "var = ")
    assert any("; make it run on its own, then build" in problem for problem in problems)
    assert any(
        problem.startswith(f"{PAGE}:{line}: this equation ") and f"{OPS}:{changed}" in problem
        for problem in problems
    )
    unknown = [problem for problem in problems if " L " in problem]
    assert unknown == []  # the runs that ended say nothing of it
