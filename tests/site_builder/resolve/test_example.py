import html
import json

import pytest

from tests.site.html import Element, parse
from tests.site_builder.projects import LESSON, PAGE, Project

pytestmark = pytest.mark.slow

ROW = "Mean | ops.centre:mu\n"


def results(project: Project) -> dict[str, Element]:
    outcome = project.build()
    assert outcome.code == 0, outcome.errors
    table = parse(project.page()).by_id("ex-row").one("table", "results")
    return {row.one("th").words: row.all("td")[0] for row in table.one("tbody").all("tr")}


def test_recorded_results(tiny: Project) -> None:
    tiny.replace(PAGE, ROW, f"{ROW}Difference | ops.centre:Y\nOutput | ops.centre:return\n")
    found = {label: cell.words for label, cell in results(tiny).items()}
    assert found == {"Mean": "3", "Difference": "-2 -1 3", "Output": "-2 -1 3"}


def test_single_entries_in_a_line(tiny: Project) -> None:
    line = "Entry | Y[0][2] = {ops.centre:Y @ 0,2}, then {ops.centre:Y @ 0, 1}"
    tiny.replace(PAGE, ROW, f"{line}\n")
    cell = results(tiny)["Entry"]
    assert cell.words == "Y[0][2] = 3, then -1"
    assert [slot.get("data-index") for slot in cell.all("span", "slot")] == ["0,2", "0,1"]


@pytest.mark.parametrize("index", ["0", "0,3", "1,0", "0,0,0"])
def test_an_entry_outside_the_array(tiny: Project, index: str) -> None:
    tiny.replace(PAGE, ROW, f"Entry | {{ops.centre:Y @ {index}}}\n")
    line = tiny.line(PAGE, "Entry |")
    listed = [int(number) for number in index.split(",")]
    assert tiny.problem() == (
        f"{PAGE}:{line}: {listed} is outside the shape [1, 3]; correct the index"
    )


def test_a_preset(tiny: Project) -> None:
    tiny.replace(PAGE, ":edit: X\n", ":edit: X\n:preset: One <b> | X = [[0, 0, 1e3]]\n")
    results(tiny)
    page = parse(tiny.page())
    (button,) = [b for b in page.all("button") if b.get("data-action") == "preset"]
    assert button.words == "One <b>"
    assert json.loads(html.unescape(button.get("data-values"))) == {"X": [["0", "0", "1000"]]}


@pytest.mark.parametrize("values", ["X = [[1, 2]]", "X = 3", "Z = [[1, 2, 3]]", "X = oh", "X"])
def test_a_preset_that_does_not_fit(tiny: Project, values: str) -> None:
    tiny.replace(PAGE, ":edit: X\n", f":edit: X\n:preset: Bad | {values}\n")
    line = tiny.line(PAGE, ":preset:")
    assert tiny.problem().startswith(
        f"{PAGE}:{line}: the preset's '{values}' does not fit the inputs; write numbers in"
    )


@pytest.mark.parametrize(
    ("assignment", "works"),
    [
        ("X = np.array([[1.0, 2.0, 6.0]])", True),
        ("X = [[1, 2, 6]]", True),
        ("X = np.ones((1, 3))", False),
        ("X = np.arange(3)", False),
        ("X = SOMETHING", False),
        ("X, _ = [1], [2]", False),
    ],
)
def test_starting_numbers_are_literals_of_the_test(
    tiny: Project, assignment: str, *, works: bool
) -> None:
    tiny.replace("tests/tiny/test_ops.py", "X = np.array([[1.0, 2.0, 6.0]])", assignment)
    if works:
        assert results(tiny)["Mean"].words == "3"
    else:
        line = tiny.line(PAGE, ":::{example}")
        assert tiny.problem() == (
            f"{PAGE}:{line}: tests.tiny.test_ops.test_centre does not assign a literal array to"
            " 'X'; write X = np.array([…]) there"
        )


def test_numbers_that_are_not_finite_are_recorded(tiny: Project) -> None:
    tiny.replace(LESSON, "return centre(X)", "return centre(X / 0.0)")
    assert results(tiny)["Mean"].words == "inf"
