"""`{dataflow}` and the map of the model on pages that are built."""

import json

import pytest

from tests.site.html import Element, parse
from tests.site_builder.projects import OPS, PAGE, SETTINGS, Project

pytestmark = pytest.mark.slow

DATAFLOW = """
:::{dataflow} one
:function: ops.centre
:caption: Look at **this**.
:::
"""
MAP = '\n[map]\nof = "ops.twice:Y#2"\n'


def built(project: Project, page: str = "small.html") -> Element:
    outcome = project.build()
    assert outcome.code == 0, outcome.errors
    return parse(project.page(page))


def labels(element: Element) -> list[str]:
    return [box.words for box in element.all("a", "graph-box")]


def with_flow(project: Project, text: str = DATAFLOW) -> int:
    """Put it on the page; the number of its line."""
    return project.append(PAGE, text) + 1


def test_boxes_and_rows_say_the_same(tiny: Project) -> None:
    with_flow(tiny)
    flow = built(tiny).by_id("flow-one")
    assert labels(flow) == [
        "X 4 (T, d)",
        "shift 4 scalar",
        "mu 6 (T, 1)",
        "Y 7 (T, d)",
        "return 8 (T, d)",
    ]
    rows = [[cell.words for cell in row.all("*") if cell.tag in ("th", "td")]
            for row in flow.one("tbody").all("tr")]  # fmt: skip
    assert rows == [
        ["X", "ops.py:4", "(T, d)", "given"],
        ["shift", "ops.py:4", "scalar", "given"],
        ["mu", "ops.py:6", "(T, 1)", "X"],
        ["Y", "ops.py:7", "(T, d)", "X, mu"],
        ["return returned", "ops.py:8", "(T, d)", "shift, Y"],
    ]
    assert flow.one("figcaption").one("strong").words == "this"


def test_boxes_lead_to_their_lines_and_belong_to_their_symbols(tiny: Project) -> None:
    with_flow(tiny)
    flow = built(tiny).by_id("flow-one")
    mu = next(box for box in flow.all("a", "graph-box") if box.get("data-symbol"))
    assert (mu.get("data-symbol"), mu.get("href")) == ("mu", "source/ops.html#L6")
    assert parse(tiny.page("source/ops.html")).by_id("L6").words.startswith("6 mu = X.mean")
    symbol = flow.one("span", "graph-symbol")
    assert symbol.get("aria-hidden") == "true"
    assert symbol.one("annotation").words == r"\mu"
    assert flow.one("svg", "graph").get("role") == "group"
    assert flow.one("svg", "graph").get("aria-label").startswith("Data flow of centre: ")


def test_lines_are_those_of_the_code(tiny: Project) -> None:
    with_flow(tiny)
    tiny.replace(OPS, "    Y = X - mu\n", "    # away\n    Z = X * 1\n    Y = Z - mu\n")
    flow = built(tiny).by_id("flow-one")
    assert "Y 9 (T, d)" in labels(flow)
    assert "Z 8 (T, d)" in labels(flow)


def test_a_parameter_that_is_not_used_has_a_box(tiny: Project) -> None:
    with_flow(tiny)
    tiny.replace(OPS, "def centre(X, shift", "def centre(X, unused=None, shift")
    assert any(label.startswith("unused 4") for label in labels(built(tiny).by_id("flow-one")))


def test_two_functions_and_what_is_left_out(tiny: Project) -> None:
    with_flow(
        tiny, DATAFLOW.replace(":caption:", ":backward: ops.twice\n:without: shift\n:caption:")
    )
    flow = built(tiny).by_id("flow-one")
    assert [svg.get("aria-label").partition(":")[0] for svg in flow.all("svg", "graph")] == [
        "Data flow of centre",
        "Data flow of twice",
    ]
    assert not any(label.startswith("shift") for label in labels(flow))
    assert "Left out: shift." in flow.one("p", "graph-key").words
    assert [label for label in labels(flow) if label.startswith("Y")] == [
        "Y 7 (T, d)",
        "Y 13 (T, d)",
        "Y 14 (T, d)",
    ]


def test_what_comes_from_the_iteration_before(tiny: Project) -> None:
    with_flow(tiny)
    tiny.replace(
        OPS, "    return Y + shift", "    for row in X:\n        Y = Y + row\n    return Y"
    )
    flow = built(tiny).by_id("flow-one")
    rows = [row.words for row in flow.one("tbody").all("tr")]
    assert "Y returnedops.py:9(T, d)Y, row, Y of the iteration before" in rows
    assert len(flow.all("g", "carried")) == 1
    assert flow.one("svg", "graph-group").words == "for row in X"
    assert "hands to the next" in flow.one("p", "graph-key").words


def test_in_the_notebook_it_is_a_table(tiny: Project) -> None:
    with_flow(tiny)
    built(tiny)
    notebook = json.loads(tiny.read("dist/small.ipynb"))
    (cell,) = [text for c in notebook["cells"] if "data flow" in (text := "".join(c["source"]))]
    caption, table = cell.split("\n\n")
    assert caption == "*The data flow on the page:* Look at **this**."
    assert table.splitlines() == [
        "| Value of `centre` | Line | Shape | Computed from |",
        "| --- | --- | --- | --- |",
        "| `X` | ops.py:4 | `(T, d)` | given |",
        "| `shift` | ops.py:4 | `scalar` | given |",
        "| `mu` | ops.py:6 | `(T, 1)` | `X` |",
        "| `Y` | ops.py:7 | `(T, d)` | `X`, `mu` |",
        "| `return`, returned | ops.py:8 | `(T, d)` | `shift`, `Y` |",
    ]


def test_it_can_be_found(tiny: Project) -> None:
    with_flow(tiny, DATAFLOW.replace("Look at **this**.", "Where it goes. It goes **down**."))
    built(tiny)
    records = json.loads(tiny.read("dist/search/records.json"))["records"].values()
    (found,) = [record for record in records if record["kind"] == "Figure"]
    assert (found["title"], found["text"]) == ("Where it goes", "It goes down.")
    assert found["href"] == "small.html#flow-one"
    assert found["words"] == "data flow centre"


def test_a_way_that_was_not_taken_has_no_shape(tiny: Project) -> None:
    with_flow(tiny)
    tiny.replace(OPS, "    Y = X - mu\n", "    Y = X - mu\n    if shift > 9:\n        Y = X\n")
    assert "Y 9 not observed" in labels(built(tiny).by_id("flow-one"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("ops.centre", "ops.center", "there is no function 'ops.center'"),
        (":caption:", ":without: W\n:caption:", "there is no 'W' to leave out; leave out X, Y"),
        ("ops.centre", "lessons.small.show", "was not called when the code ran"),
        (":caption:", ":without: X shift mu Y return\n:caption:", "has no values to draw"),
        (":caption: Look at **this**.\n", "", "{dataflow} lacks :caption:"),
    ],
)
def test_problems_of_the_page(tiny: Project, old: str, new: str, what: str) -> None:
    line = with_flow(tiny, DATAFLOW.replace(old, new))
    problem = tiny.problem()
    assert what in problem
    assert problem.startswith(f"{PAGE}:{line}: ")


def test_code_that_cannot_be_followed_has_its_own_line(tiny: Project) -> None:
    with_flow(tiny)
    tiny.replace(
        OPS, "    Y = X - mu\n", "    try:\n        Y = X - mu\n    finally:\n        pass\n"
    )
    assert tiny.problem() == (
        f"{OPS}:7: the data flow through 'try' cannot be followed;"
        " write it without, or map another function"
    )


def test_the_map_of_a_model(tiny: Project) -> None:
    tiny.append(SETTINGS, MAP)
    index = built(tiny, "index.html")
    once = [
        "X.mean(axis=-1, keepdims=True) 6 (T, 1)",
        "X - mu 7 (T, d)",
        "Y + shift 8 (T, d)",
    ]
    assert labels(index) == [
        "X 11 (T, d)",
        *once,
        *once,
        "Y 14 (T, d)",
    ]
    assert index.one("svg", "graph").get("aria-label").startswith("What Y is computed from, ")


def test_a_map_without_a_model(tiny: Project) -> None:
    assert not built(tiny, "index.html").all("svg", "graph")


@pytest.mark.parametrize(
    ("settings", "what"),
    [
        ('of = "ops.twice:Z"', f"{SETTINGS}: [map] of: tiny.ops.twice has no 'Z'; "),
        ('of = "ops.twice"', f"{OPS}:11: 'ops.twice' is no variable of a function; "),
        (
            'from = "ops.twice:Y#2"',
            f"{SETTINGS}: a setting is missing, unknown or of the wrong kind",
        ),
    ],
)
def test_problems_of_the_map(tiny: Project, settings: str, what: str) -> None:
    tiny.append(SETTINGS, f"\n[map]\n{settings}\n")
    assert tiny.problem().startswith(what)
