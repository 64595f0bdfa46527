"""The drawings, made by Node as in the build."""

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from runner.examples import run_example
from site_builder.directives.figure import KINDS
from site_builder.problem import BuildError, Place, Report
from site_builder.render.drawings import Drawn, draw
from site_builder.render.tools import Tools
from site_builder.resolve.drawing import Drawing
from tests.site_builder.projects import REPOSITORY
from tinygpt.arrays import Array
from tinygpt.ops import layer_norm_forward

if TYPE_CHECKING:
    from runner.protocol import Numbers, RequestedValueTable

PLACE = Place(path="content/small.md", line=7)
Value = dict[str, object]


def value(numbers: Array | Sequence[float] | float) -> Value:
    """As the build records it."""
    array = np.asarray(numbers, dtype=np.float64)
    texts = [repr(float(number)) for number in array.ravel()]
    return {"shape": list(array.shape), "numbers": texts, "texts": texts}


def drawn(tools: Tools, kind: str, **values: Value) -> Drawn:
    drawing = Drawing(kind=kind, values=json.dumps(values))
    report = Report()
    answers = draw({drawing: PLACE}, REPOSITORY, tools, report)
    report.raise_if_any()
    return answers[drawing]


def row_values(X: Array) -> dict[str, Value]:
    d = X.shape[-1]
    Y, (Xhat, _) = layer_norm_forward(X, np.ones(d), np.zeros(d))
    return {
        "X": value(X),
        "mean": value(X.mean(axis=-1, keepdims=True)),
        "variance": value(X.var(axis=-1, keepdims=True)),
        "Xhat": value(Xhat),
        "Y": value(Y),
    }


def marks(svg: str, kind: str) -> list[ET.Element]:
    """The dots of a kind, not their stems."""
    return [e for e in ET.fromstring(svg).iter() if e.get("class") == kind]  # noqa: S314 - our own


def rows(table: str) -> list[list[str]]:
    body = ET.fromstring(table).find("tbody")  # noqa: S314 - our own
    assert body is not None
    return [[cell.text or "" for cell in row] for row in body]


def test_a_row_is_drawn_to_scale(tools: Tools) -> None:
    X = np.array([[1.0, 2.0, 3.0, 6.0], [0.5, -1.5, 2.0, 1.0], [4.0, 4.5, 5.0, 0.0]])
    drawing = drawn(tools, "row", **row_values(X))
    circles = marks(drawing.svg, "first")
    assert len(circles) == X.size
    heights = np.array([float(circle.get("cy", "")) for circle in circles]).reshape(X.shape)
    for row, height in zip(X, heights, strict=True):
        slope = (height[1:] - height[0]) / (row[1:] - row[0])
        np.testing.assert_allclose(slope, slope[0], rtol=0.02)
        assert slope[0] < 0, "greater numbers stand higher"
    assert rows(drawing.table)[6] == ["t1 i2", "2.0", "0.5", "1.625", *rows(drawing.table)[6][4:]]


def test_a_matrix_shows_every_entry(tools: Tools) -> None:
    matrix = np.array([[[0.25, -0.5, 1234.5], [0.0, 1e-9, -3.0], [2.0, 0.125, 0.0625]]])
    drawing = drawn(tools, "matrix", matrix=value(matrix))
    texts = [t.text for t in ET.fromstring(drawing.svg).iter("text")]  # noqa: S314 - our own
    for text in ("0.25", "-0.5", "1230", "0", "1e-9", "-3", "2", "0.125", "0.063"):
        assert text in texts
    cells = list(ET.fromstring(drawing.svg).iter("rect"))  # noqa: S314 - our own
    across = np.array([float(cell.get("x", "")) for cell in cells]).reshape(3, 3)
    down = np.array([float(cell.get("y", "")) for cell in cells]).reshape(3, 3)
    assert np.all(np.diff(across, axis=1) > 0)
    assert np.all(np.diff(down, axis=0) > 0)
    assert not np.diff(across, axis=0).any()
    assert not np.diff(down, axis=1).any()
    assert len(marks(drawing.svg, "cell negative")) == 2
    assert rows(drawing.table)[1] == ["Xhat i1", "0.0", "1e-09", "-3.0"]


def test_a_curve_leaves_out_what_a_logarithm_cannot_show(tools: Tools) -> None:
    steps = [0.1, 0.01, 0.001, 1e-4]
    drawing = drawn(
        tools,
        "curve",
        step=value(steps),
        float64=value([1e-2, 0.0, 1e-6, 1e-5]),
        float32=value([1e-2, math.nan, math.inf, 1.0]),
        used=value(1e-3),
    )
    key = 1  # each series has one mark in the key
    assert len(marks(drawing.svg, "first")) == 3 + key
    assert len(marks(drawing.svg, "second")) == 2 + key
    assert len(rows(drawing.table)) == len(steps)
    (path,) = [m for m in marks(drawing.svg, "curve first") if m.get("d", "").count("M") == 2]
    assert path.get("d", "").count("L") == 1
    assert "h = 1e-3, used" in drawing.svg


def test_what_an_edit_moved_has_a_frame(tools: Tools) -> None:
    before = np.arange(12.0).reshape(2, 2, 3)
    after = before.copy()
    after[1, 0, 2] += 0.75
    drawing = drawn(
        tools,
        "block",
        layer=value(before),
        layer_edited=value(after),
        batch=value(before),
        batch_edited=value(before),
    )
    assert len(marks(drawing.svg, "frame")) == 1
    assert "b0: unmoved" in drawing.svg
    assert "b1: moved by up to 0.75" in drawing.svg
    assert rows(drawing.table)[8][0] == "b1 t0 i2"


def test_the_terms_share_one_scale(tools: Tools) -> None:
    terms = {
        "direct": np.array([[4.0, 0.0, -2.0]]),
        "mean": np.array([[-1.0]]),
        "variance": np.array([[0.5, 0.25, 0.0]]),
        "sum": np.array([[3.5, -0.75, -3.0]]),
    }
    drawing = drawn(tools, "terms", **{name: value(array) for name, array in terms.items()})
    assert len(marks(drawing.svg, "first")) == 9
    assert len(marks(drawing.svg, "third")) == 3
    assert rows(drawing.table)[0] == ["t0 i0", "4.0", "-1.0", "0.5", "3.5"]


@pytest.mark.parametrize(
    "X",
    [
        np.array([[3.0]]),
        np.full((1, 4), 2.0),
        np.array([[math.nan, math.inf, 1.0]]),
        np.full((2, 3), math.nan),
        np.random.default_rng(0).normal(size=(8, 16)),
        np.array([[1e300, -1e300]]),
    ],
)
def test_every_row_gives_a_sound_picture(tools: Tools, X: Array) -> None:
    with np.errstate(all="ignore"):
        drawing = drawn(tools, "row", **row_values(X))
    picture = ET.fromstring(drawing.svg)  # noqa: S314 - our own
    assert picture.get("role") == "img"
    assert picture.get("aria-label")
    assert "NaN" not in drawing.svg
    assert "Infinity" not in drawing.svg
    width, height = map(float, picture.get("viewBox", "").split()[2:])
    for text in picture.iter("text"):
        assert 0 <= float(text.get("x", "")) <= width
        assert 0 <= float(text.get("y", "")) <= height
    assert len(rows(drawing.table)) == X.size


@pytest.mark.parametrize("size", [1, 16])
def test_text_in_cells_fits(tools: Tools, size: int) -> None:
    matrix = -np.random.default_rng(1).normal(size=(1, size, size)) * 1e3
    picture = ET.fromstring(drawn(tools, "matrix", matrix=value(matrix)).svg)  # noqa: S314
    cells = [rect for rect in picture.iter("rect") if "cell" in rect.get("class", "")]
    longest = max(len(t.text or "") for t in picture.iter("text") if t.get("class") == "middle")
    assert longest * 6.6 <= float(cells[0].get("width", "")) + 2


def test_a_table_escapes_what_it_holds(tools: Tools) -> None:
    hostile: Value = {"shape": [1, 1], "numbers": ["1"], "texts": ["<b>&"]}
    numbers = dict.fromkeys(KINDS["terms"], hostile)
    drawing = drawn(tools, "terms", **numbers)
    assert "&lt;b>&amp;" in drawing.table
    assert rows(drawing.table)[0][1] == "<b>&"


def test_every_kind_can_be_drawn(tools: Tools) -> None:
    block = value(np.ones((1, 2, 2)))
    for kind, names in KINDS.items():
        assert drawn(tools, kind, **dict.fromkeys(names, block)).svg.startswith("<svg ")


def test_what_cannot_be_drawn_is_a_problem_of_the_page(tools: Tools) -> None:
    with pytest.raises(BuildError) as caught:
        drawn(tools, "matrix", other=value(1.0))
    (problem,) = caught.value.problems
    assert (problem.path, problem.line) == (PLACE.path, PLACE.line)
    assert "this figure cannot be drawn: " in problem.what


def test_numbers_of_the_code_arrive_in_the_drawing(tools: Tools) -> None:
    """From a real run to the table, with nothing between."""
    wanted: RequestedValueTable = {
        "key": "matrix",
        "function": "lessons.layer_norm_row.check_matrix",
        "name": "derived",
        "line": None,
        "path": [],
    }
    inputs: dict[str, Numbers] = {
        "X": [[1, 2, 6]],
        "gamma": [1, 1, 1],
        "beta": [0, 0, 0],
        "dY": [[1, 0, 0]],
    }
    values = run_example(
        {"program": "lessons.layer_norm_row.run", "inputs": inputs, "wanted": [wanted]}
    )
    table = rows(drawn(tools, "matrix", matrix={**values["matrix"]}).table)
    assert [cell for row in table for cell in row[1:]] == values["matrix"]["texts"]


def test_an_edited_script_is_used_although_node_has_loaded_it(tools: Tools, tmp_path: Path) -> None:
    module = tmp_path / "static/js/figures/index.js"
    module.parent.mkdir(parents=True)
    module.write_text('export { DRAWINGS } from "./part.js";\n')
    drawing = Drawing(kind="dot", values="{}")
    for colour in ("red", "blue"):
        part = f'{{ svg: "<svg>{colour}</svg>", table: String(scaleLinear()(0.5)) }}'
        module.with_name("part.js").write_text(
            'import { scaleLinear } from "d3-scale";\n'
            f"export const DRAWINGS = {{ dot: () => ({part}) }};\n"
        )
        report = Report()
        answers = draw({drawing: PLACE}, tmp_path, tools, report)
        report.raise_if_any()
        assert answers[drawing] == Drawn(svg=f"<svg>{colour}</svg>", table="0.5")


def test_a_script_that_is_not_valid_is_a_problem_of_the_page(tools: Tools, tmp_path: Path) -> None:
    module = tmp_path / "static/js/figures/index.js"
    module.parent.mkdir(parents=True)
    module.write_text("export const = 5;\n")
    report = Report()
    assert draw({Drawing(kind="dot", values="{}"): PLACE}, tmp_path, tools, report) == {}
    with pytest.raises(
        BuildError, match=r"content/small.md:7: this figure cannot be drawn: index\.js:1: Expected"
    ):
        report.raise_if_any()
