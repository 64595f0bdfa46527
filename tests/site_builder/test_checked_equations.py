"""The build executes every equation: what is wrong with one is said in full, with its place."""

import json
import re
from typing import Any

import pytest

from tests.site.html import parse
from tests.site_builder.projects import Project, copy_project

pytestmark = pytest.mark.site

PAGE = "content/layer-norm.md"
OPS = "src/tinygpt/ops.py"
LESSON = "src/lessons/layer_norm_row.py"
PROGRAM = "lessons.layer_norm_row.forward_and_backward"
DEFINE = r":define: L = \sum_{t} \sum_{i} dY_{ti} Y_{ti}"
VALUES = ":values: tests.tinygpt.test_ops.test_layer_norm_worked_example\n:main: X\n"
CORRECT_EITHER = "; correct the equation, or the code"
OR_CODE = "; correct it, or the code of src/tinygpt/ops.py:"
OR_UNCHECKED = ", or add ':unchecked:' with the reason"

# One mistake in each of these equations: the LaTeX, with the mistake, and what is said, in which
# {…} is the line in ops.py of this text.
MISTAKES = {
    "a wrong number": (
        r"\mu_t = \frac{1}{d} \sum_{i} X_{ti}",
        r"\mu_t = \frac{1}{d - 1} \sum_{i} X_{ti}",
        "this equation and the code of src/tinygpt/ops.py:{mu = X.sum} disagree:"
        " on the worked example at t = 0, the left side is 3.0 and the right side 4.0"
        + CORRECT_EITHER,
    ),
    "a wrong step in the middle of a chain": (
        r"- \frac{1}{d}\,\hat{X}_{ti}\hat{X}_{tj}\right)",
        r"+ \frac{1}{d}\,\hat{X}_{ti}\hat{X}_{tj}\right)",
        (
            "this equation and the code of src/tinygpt/ops.py:{Xhat = (X} disagree"
            " (the second of its relations): on the worked example at t = 0, i = 0, j = 0,"
            " the left side is 0.248"
        ),
    ),
    "a mean for a sum over the rows, of which the worked example has one": (
        r"d\gamma_i = \sum_{t} dY_{ti}\, \hat{X}_{ti}",
        r"d\gamma_i = \operatorname{mean}_t\!\left(dY_{ti}\, \hat{X}_{ti}\right)",
        (
            "this equation and the code of src/tinygpt/ops.py:{dgamma = (dY} disagree:"
            " on random input 1 at i = "
        ),
    ),
    "LaTeX that ends too soon": (
        r"s_t = \frac{1}{\sqrt{\sigma_t^2 + \epsilon}}",
        r"s_t = \frac{1}{\sqrt{\sigma_t^2 + \epsilon}",
        f"this equation cannot be checked: this brace is not closed (column 15){OR_CODE}",
    ),
    "a symbol that the page does not explain": (
        r"\left(X_{ti} - \mu_t\right) s_t",
        r"\left(X_{ti} - \lambda_t\right) s_t",
        (
            "this equation cannot be checked: \\lambda is not declared: no row of the"
            f" symbols lists it (column 31){OR_CODE}"
        ),
    ),
    "indices that differ": (
        r"d\beta_i = \sum_{t} dY_{ti}",
        r"d\beta_i = \sum_{t} dY_{tj}",
        (
            "this equation cannot be checked: this side has the free indices j, the one before it"
            f" i (column 12){OR_CODE}"
        ),
    ),
}


@pytest.fixture(scope="module")
def mistaken(built_site: Project, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """One build of a page with all mistakes: what is said of each."""
    project = copy_project(built_site, tmp_path_factory.mktemp("mistakes") / "project")
    for old, new, _ in MISTAKES.values():
        project.replace(PAGE, old, new)
    problems = project.problems()
    return {
        name: [p for p in problems if p.startswith(f"{PAGE}:{project.line(PAGE, new)}: this equ")]
        for name, (_, new, _) in MISTAKES.items()
    }


@pytest.mark.parametrize("name", MISTAKES)
def test_mistake(built_site: Project, mistaken: dict[str, list[str]], name: str) -> None:
    said = re.sub(
        r"ops\.py:\{(.*?)\}",
        lambda match: f"ops.py:{built_site.line(OPS, match[1])}",
        MISTAKES[name][2],
    )
    (problem,) = mistaken[name]
    assert problem.partition(": ")[2].startswith(said)
    assert problem.endswith((CORRECT_EITHER, OR_UNCHECKED))


def test_the_line_and_column_of_a_mistake_further_down(site: Project) -> None:
    site.replace(PAGE, r"\mu_t = \frac{1}{d} \sum_{i} X_{ti}",
                 "\\mu_t =\n  \\frac{1}{d}\n  \\sum_{i} X_{ti} \\lambda")  # fmt: skip
    line = site.line(PAGE, r"\lambda")
    assert site.problem() == (
        f"{PAGE}:{line}: this equation cannot be checked: \\lambda is not declared: no row of the"
        " symbols lists it (column 19)"
        f"{OR_CODE}{site.line(OPS, 'mu = ')}{OR_UNCHECKED}"
    )


def test_a_wrong_definition_fails_the_step_that_uses_it(site: Project) -> None:
    site.replace(PAGE, DEFINE, DEFINE.replace("L =", "L = 2"))
    line = site.line(PAGE, r"\frac{\partial L}{\partial \hat{X}_{ti}} =")
    problem = site.problem()
    assert problem.startswith(f"{PAGE}:{line}: this equation and the code of {OPS}:")
    assert "the left side is 2.0 and the right side 1.0" in problem


def test_without_the_definition_the_step_cannot_be_checked(site: Project) -> None:
    site.replace(PAGE, DEFINE + "\n", "")
    line = site.line(PAGE, r"\frac{\partial L}{\partial \hat{X}_{ti}} =")
    assert site.problem() == (
        f"{PAGE}:{line}: this equation cannot be checked: no equation on the page says how L"
        rf" depends on \hat{{X}} (column 1){OR_CODE}{site.line(OPS, 'dXhat = ')}{OR_UNCHECKED}"
    )


@pytest.mark.parametrize(
    ("definition", "said"),
    [
        (r"L = 3 \sum_{t} dY_{ti", "this brace is not closed (column 19)"),
        (r"2 L = \sum_{t} \sum_{i} dY_{ti}", "no symbol stands alone on its left side (column 1)"),
    ],
)
def test_a_definition_that_cannot_be_used(site: Project, definition: str, said: str) -> None:
    """Even one that no equation needs."""
    site.replace(PAGE, DEFINE, f"{DEFINE}\n:define: {definition}")
    line = site.line(PAGE, definition)
    expected = f"{PAGE}:{line}: this definition cannot be used: {said}; correct it"
    assert site.problem() == expected


@pytest.mark.parametrize("option", [":main: X\n", ":values: tests.tinygpt.test_ops"])
def test_an_option_that_is_missing_is_reported_once(site: Project, option: str) -> None:
    name = option.split(":")[1]
    text = site.read(PAGE)
    start = text.index(f":{name}:")
    site.write(PAGE, text[:start] + text[text.index("\n", start) + 1 :])
    problem = site.problem()
    assert problem.endswith(f"{{check}} lacks :{name}:; add a line ':{name}: …'")


def test_an_unchecked_equation_shows_its_reason(site: Project) -> None:
    """Even one that is wrong, as this one then is."""
    option, latex = ":computed-by: ops.layer_norm_forward:mu\n", r"\mu_t = \frac{1}{d} \sum_{i}"
    reason = ":unchecked: the row is left out\n"
    site.replace(PAGE, option + latex, option + reason + latex.replace("{1}", "{2}"))
    outcome = site.build()
    assert outcome.code == 0, outcome.errors
    figure = parse(site.page("layer-norm.html")).by_id("eq-ln-mean")
    assert figure.one("*", "verdict").words == "not executed: the row is left out"
    pages = [parse(site.page(f"{slug}.html")) for slug in ("layer-norm", "lesson")]
    others = [verdict for page in pages for verdict in page.all("details", "verdict")]
    freshness = parse(site.page("freshness.html"))
    facts = {row.one("dt").words: row.one("dd").words for row in freshness.one("dl").all("div")}
    assert facts["equations executed"] == str(len(others))
    assert facts["not executed"] == "1"
    assert "not executed: the row is left out" in freshness.words
    verdicts = _verdicts(site)
    assert verdicts.pop("eq-ln-mean") == {"executed": False, "reason": "the row is left out"}
    assert all(verdict["executed"] for verdict in verdicts.values())


def test_an_unchecked_equation_gives_a_reason(site: Project) -> None:
    option = ":computed-by: ops.layer_norm_forward:mu\n"
    latex = r"\mu_t = \frac{1}{d} \sum_{i}"
    site.replace(PAGE, option + latex, f"{option}:unchecked:\n{latex}")
    line = site.line(PAGE, latex) - 1
    assert site.problem() == (
        f"{PAGE}:{line}: ':unchecked:' gives no reason; say why, in a few words"
    )


def test_equations_on_a_page_without_a_check(site: Project) -> None:
    site.replace(PAGE, f":::{{check}} {PROGRAM}\n{VALUES}{DEFINE}\n:::\n", "")
    names = re.findall(r"^:::\{(?:equation|step)\} (\S+)$", site.read(PAGE), re.MULTILINE)
    assert site.problems() == [
        f"{PAGE}:{_line(site, name)}: the equation 'eq-{name}' is never executed;"
        " add a {check} to the page, or ':unchecked:' with the reason"
        for name in names
    ]


def _line(project: Project, name: str) -> int:
    lines = project.read(PAGE).split("\n")
    return next(n for n, line in enumerate(lines, 1) if re.fullmatch(rf":::.*\}} {name}", line))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (f"{{check}} {PROGRAM}", "{check} lessons.layer_norm_row.nothing",
         "there is no function 'lessons.layer_norm_row.nothing' in the code"),
        (":main: X\n", ":main: Z\n",
         f"{PROGRAM} has no input 'Z'; write ':main:' and one of X, gamma, beta, dY"),
        (":main: X\n", "", "{check} lacks :main:; add a line ':main: …'"),
        (VALUES, VALUES.replace("norm_worked_example", "norm_backward"),
         "test_layer_norm_backward"),
    ],
)  # fmt: skip
def test_a_check_that_cannot_be_read(site: Project, old: str, new: str, said: str) -> None:
    site.replace(PAGE, old, new)
    line = site.line(PAGE, ":::{check}")
    problems = site.problems()
    assert [p for p in problems if p.startswith(f"{PAGE}:{line}: ") and said in p]
    assert all(problem.startswith(f"{PAGE}:{line}: ") for problem in problems)


def test_one_check_is_enough(site: Project) -> None:
    check = f":::{{check}} {PROGRAM}\n{VALUES}{DEFINE}\n:::\n"
    site.replace(PAGE, check, f"{check}\n{check}")
    first = site.read(PAGE).split("\n").index(f":::{{check}} {PROGRAM}") + 1
    second = first + check.count("\n") + 1
    problem = site.problem()
    assert problem == f"{PAGE}:{second}: the page already has a {{check}}; keep one of them"


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        (
            "if len(X) == 3:\n        raise RuntimeError('three rows')",
            "raises RuntimeError: three rows",
        ),
        ("if len(X) == 3:\n        raise SystemExit(0)", "raises SystemExit: 0"),
        ("while len(X) == 3:\n        continue", "was still running after 3 s"),
    ],
)
def test_a_program_that_cannot_be_run_on_the_inputs(
    site: Project, statement: str, said: str
) -> None:
    """It runs by itself, on fewer rows and on more."""
    site.replace("content/site.toml", "time_limit = 60", "time_limit = 3")
    rest = "    _, cache = layer_norm_forward(X, gamma, beta)\n    return layer_norm_backward"
    site.replace(LESSON, rest, f"    {statement}\n{rest}")
    first = site.line(LESSON, statement.split("\n", maxsplit=1)[0])
    line = site.line(PAGE, ":::{check}")
    problem = site.problem()
    assert re.fullmatch(
        re.escape(f"{PAGE}:{line}: the equations could not be checked: {PROGRAM} at {LESSON}:")
        + f"({first}|{first + 1}) "
        + re.escape(f"{said}; make it run on inputs of any size"),
        problem,
    )


def test_every_equation_has_its_mark_and_its_verdict(built_site: Project) -> None:
    names = re.findall(r"^:::\{(?:equation|step)\} (\S+)$", built_site.read(PAGE), re.MULTILINE)
    assert len(names) >= 16
    page = parse(built_site.page("layer-norm.html"))
    verdicts = _verdicts(built_site)
    assert [*verdicts] == [f"eq-{name}" for name in names]
    for id_, verdict in verdicts.items():
        mark = page.by_id(id_).one("details", "verdict").one("summary").words
        assert re.fullmatch(
            r"✓ runs: 24 inputs, (no difference|largest difference \de-1\d)", mark
        ), (id_, mark)
        assert verdict["executed"]
        assert verdict["holds"]
        assert verdict["inputs"] == 24
        derived = r"\partial" in page.by_id(id_).all("annotation")[0].text
        assert verdict["derivatives"] == (["complex step"] if derived else [])


def _verdicts(project: Project) -> dict[str, dict[str, Any]]:
    """What explain.json says of each equation of the page."""
    table = json.loads(project.page("explain.json"))
    (page,) = [page for page in table["pages"] if page["url"] == "layer-norm.html"]
    return {equation["id"]: equation["verdict"] for equation in page["equations"]}
