"""Figures, traces and sizes to change: what they show, and what is wrong with them."""

import html
import json
from collections.abc import Mapping

import pytest

from tests.site.html import Element, parse
from tests.site_builder.projects import LESSON, OPS, PAGE, SETTINGS, Project

pytestmark = pytest.mark.slow

FIGURE = """
:::{figure} one
:kind: matrix
:example: row
:caption: Look at **this**.
matrix | ops.centre:Y
:::
"""
TRACE = """
:::{trace} two
:title: Line by line
:example: row
ops.centre | X shift
:::
"""


def built(project: Project, text: str) -> Element:
    project.append(PAGE, text)
    outcome = project.build()
    assert outcome.code == 0, outcome.errors
    return parse(project.page())


def test_a_figure_is_drawn_with_its_table(tiny: Project) -> None:
    figure = built(tiny, FIGURE).by_id("fig-one")
    assert figure.one("svg").get("role") == "img"
    (row,) = figure.one("tbody").all("tr")
    assert [cell.words for cell in row.all("*")[1:]] == ["Xhat i0", "-2", "-1", "3"]
    assert figure.one("figcaption").one("strong").words == "this"
    keys = json.loads(html.unescape(figure.get("data-keys")))
    assert keys == {"matrix": "tiny.ops.centre:Y"}


def test_figure_and_example_share_one_run(tiny: Project) -> None:
    page = built(tiny, FIGURE)
    (script,) = [s for s in page.all("script") if s.get("data-run")]
    runs = {page.by_id(name).get("data-run") for name in ("ex-row", "fig-one")}
    assert runs == {script.get("data-run")}
    data = json.loads(script.text)
    assert set(data["recorded"]) == {"tiny.ops.centre:Y", "tiny.ops.centre:mu"}
    assert [item["key"] for item in data["wanted"]] == [*data["recorded"]]


@pytest.mark.parametrize(
    ("changed", "at", "message"),
    [
        ({":kind: matrix": ":kind: pie"}, ":::{figure}", "there is no kind 'pie' of {figure}"),
        ({":example: row": ":example: raw"}, ":::{figure}", "the page has no example 'raw'"),
        ({"matrix | ": "m | "}, "m | ops", "kind 'matrix' has no value 'm'"),
        ({"matrix | ops.centre:Y": "matrix | ops.centre:Z"}, "centre:Z", "has no 'Z'"),
        ({"matrix | ops.centre:Y": "matrix"}, "matrix\n", "this row is incomplete"),
        ({":caption: Look at **this**.\n": ""}, ":::{figure}", "lacks :caption:"),
    ],
)
def test_a_figure_that_is_wrong(
    tiny: Project, changed: Mapping[str, str], at: str, message: str
) -> None:
    text = FIGURE
    for old, new in changed.items():
        assert old in text
        text = text.replace(old, new)
    first = tiny.append(PAGE, text)
    line = first + max(n for n, row in enumerate(text.splitlines(keepends=True)) if at in row)
    problems = tiny.problems()
    assert [p for p in problems if p.startswith(f"{PAGE}:{line}: ") and message in p], problems


def test_a_figure_that_lacks_a_value(tiny: Project) -> None:
    text = FIGURE.replace("kind: matrix", "kind: curve").replace("matrix |", "step |")
    line = tiny.append(PAGE, text) + 1
    assert tiny.problem() == (
        f"{PAGE}:{line}: a {{figure}} of kind 'curve' needs float64, float32, used;"
        " add a row 'name | anchor' for each"
    )


def test_a_trace_has_every_line_and_value(tiny: Project) -> None:
    trace = built(tiny, TRACE).by_id("trace-two")
    steps = [row for row in trace.all("tr") if "step" in row.get("class").split()]
    shown = [
        (row.one("td", "number").words, row.one("td", "code").words, row.one("td", "values").words)
        for row in steps
    ]
    first = tiny.line(OPS, "def centre")
    assert shown == [
        (str(first), "def centre(…):", "X 1 2 6 shift 0"),
        (str(first + 2), "mu = X.mean(axis=-1, keepdims=True)", "mu 3"),
        (str(first + 3), "Y = X - mu", "Y -2 -1 3"),
        (str(first + 4), "return Y + shift", "return -2 -1 3"),
    ]
    (slider,) = [e for e in trace.all("input") if e.get("type") == "range"]
    assert slider.get("max") == slider.get("value") == "4"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "    Y = X - mu\n",
            "    Y = X - mu\n    for _ in range(2):\n        Y = Y + 0\n",
            "neither assigns nor returns; trace a function without branches and loops",
        ),
        (
            "    Y = X - mu\n",
            "    Y = X - mu\n    Y += 0\n",
            "neither assigns nor returns; trace a function without branches and loops",
        ),
        (
            "    Y = X - mu\n",
            "    Y = X - mu\n    Y[0] = 0\n",
            "of tiny.ops.centre assigns Y[0]; trace a function that assigns variables alone",
        ),
        (
            "    Y = X - mu\n",
            "    Y = X - mu\n    notes = {}\n",
            (
                "notes of tiny.ops.centre holds no numbers but a dict;"
                " show a value that the program computes"
            ),
        ),
        (
            "    Y = X - mu\n",
            "    Y = X\n    Y = Y - mu\n",
            "tiny.ops.centre assigns 'Y' twice; trace a function whose names keep their values",
        ),
    ],
)
def test_a_function_that_cannot_be_traced(tiny: Project, old: str, new: str, message: str) -> None:
    tiny.replace(OPS, old, new)
    line = tiny.append(PAGE, TRACE) + 4
    problem = tiny.problem()
    assert problem.startswith(f"{PAGE}:{line}: ")
    assert problem.endswith(message)


def test_parts_of_what_is_returned_are_steps_of_their_own(tiny: Project) -> None:
    tiny.append(OPS, "\n\ndef pair(X):\n    Y = X + 1\n    return Y, (X, Y)\n")
    tiny.replace(LESSON, "import centre, twice", "import centre, pair, twice")
    tiny.replace(LESSON, "return centre(X)", "pair(X)\n    return centre(X)")
    trace = built(tiny, TRACE.replace("ops.centre | X shift", "ops.pair | X")).by_id("trace-two")
    last = trace.all("tr")[-1].one("td", "values").words
    assert last == "return[0] 2 3 7 return[1][0] 1 2 6 return[1][1] 2 3 7"


def _observed(tiny: Project) -> None:
    tiny.replace(
        LESSON,
        "    twice(np.ones((cfg.rows, cfg.width)))\n",
        "    twice(np.ones((cfg.rows, cfg.width)))\n    show(np.ones((cfg.rows, cfg.width)))\n",
    )


def test_sizes_can_be_changed_along_observed_dimensions(tiny: Project) -> None:
    _observed(tiny)
    names = [line.split()[0] for line in tiny.read(SETTINGS).splitlines() if '"rows"' in line]
    tiny.replace(PAGE, ":edit: X\n", f":edit: X\n:resize: {names[0]}\n")
    example = built(tiny, "").by_id("ex-row")
    axes = json.loads(html.unescape(example.get("data-axes")))
    assert axes["X"][0] == names[0]
    assert [b.words for b in example.one("span", "resize").all("button")] == [
        "Remove a row",
        "Add a row",
    ]


def test_a_dimension_that_no_input_has(tiny: Project) -> None:
    _observed(tiny)
    tiny.replace(PAGE, ":edit: X\n", ":edit: X\n:resize: Q\n")
    line = tiny.line(PAGE, ":::{example}")
    problem = tiny.problem()
    assert problem.startswith(
        f"{PAGE}:{line}: no input of lessons.small.show has the dimension 'Q'"
    )


def test_sizes_of_a_program_that_no_run_reaches(tiny: Project) -> None:
    tiny.replace(PAGE, ":edit: X\n", ":edit: X\n:resize: T\n")
    line = tiny.line(PAGE, ":::{example}")
    assert tiny.problem().startswith(
        f"{PAGE}:{line}: the shape of 'X' of lessons.small.show is not known"
    )


def test_blocks_name_their_rows(tiny: Project) -> None:
    tiny.replace(
        "tests/tiny/test_ops.py",
        "X = np.array([[1.0, 2.0, 6.0]])",
        "X = np.array([[[1.0, 2.0]], [[3.0, 5.0]]])",
    )
    example = built(tiny, "").by_id("ex-row")
    rows = example.one("div", "inputs").one("tbody").all("tr")
    assert [row.all("th")[-1].words for row in rows] == ["b0 t0", "b1 t0"]
    assert [cell.get("value") for row in rows for cell in row.all("input")] == ["1", "2", "3", "5"]
    notes = [cell.get("aria-describedby") for row in rows for cell in row.all("input")]
    assert notes[2] == "ex-row-X-b1-t0-0"
    assert notes == [span.get("id") for row in rows for span in row.all("span", "cell-note")]
    shown = example.one("table", "results").one("tbody").all("span", "row")
    assert [row.words for row in shown] == ["1.5", "4"]
