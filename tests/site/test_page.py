"""The page on LayerNorm: its figures, shapes and call sites."""

import ast
import re

import pytest

from tests.site.html import Element
from tests.site_builder.projects import Project

pytestmark = pytest.mark.site

FORWARD = "layer_norm_forward"
BACKWARD = "layer_norm_backward"

# The worked example, as printed in the page that this one is to equal.
ROWS = {
    "ex-ln-forward": {
        "Mean": "3",
        "Variance": "3.5",
        "Inverse standard deviation": "0.5345",
        "Normalised row": "-1.069 -0.5345 0 1.6036",
        "Output": "-1.069 -0.5345 0 4.2071",
    },
    "ex-ln-backward": {
        "Gradient on the output": "1 0 0 1",
        "Normalised row, cached": "-1.069 -0.5345 0 1.6036",
        "Inverse deviation, cached": "0.5345",
        "Gradient on the normalised row": "1 0 0 2",
        "First mean": "0.75",
        "Second mean": "0.5345",
        "Gradient on the input": "0.4391 -0.2482 -0.4009 0.21",
        "Gradient on the scale": "-1.069 0 0 1.6036",
        "Gradient on the shift": "1 0 0 1",
        "One entry by hand": "dX[0][0] = 0.5345 × (1 − 0.75 − (-1.069) × 0.5345) = 0.4391",
    },
    "ex-ln-derivation": {
        "Step 5, the matrix": (
            "0.2482 -0.21 -0.1336 0.0954 -0.21 0.3627 -0.1336 -0.0191"
            " -0.1336 -0.1336 0.4009 -0.1336 0.0954 -0.0191 -0.1336 0.0573"
        ),
        "The same by central differences": (
            "0.2482 -0.21 -0.1336 0.0954 -0.21 0.3627 -0.1336 -0.0191"
            " -0.1336 -0.1336 0.4009 -0.1336 0.0954 -0.0191 -0.1336 0.0573"
        ),
        "Step 6, as one row": "0.4391 -0.2482 -0.4009 0.21",
        "The real backward function": "0.4391 -0.2482 -0.4009 0.21",
    },
}


@pytest.mark.parametrize("name", ROWS)
def test_figures_of_the_worked_example(page: Element, name: str) -> None:
    table = page.by_id(name).one("table", "results")
    rows = {row.one("th").words: row for row in table.one("tbody").all("tr")}
    for label, figures in ROWS[name].items():
        assert rows[label].all("td")[0].words.replace("≈", "=") == figures, label


def test_the_numerical_check(page: Element) -> None:
    rows = page.by_id("ex-ln-check").one("table", "results").one("tbody").all("tr")
    found = {row.one("th").words: [cell.words for cell in row.all("td")] for row in rows}
    expected = {
        "dX": "0.4391 -0.2482 -0.4009 0.21",
        "dgamma": "-1.069 0 0 1.6036",
        "dbeta": "1 0 0 1",
    }
    assert set(found) == set(expected)
    for name, figures in expected.items():
        formula, differences, gap = found[name]
        assert formula == figures
        assert [round(float(n), 4) for n in differences.split()] == [
            float(n) for n in figures.split()
        ]
        assert 0 < float(gap) < 1e-9


@pytest.mark.parametrize(
    ("example", "inputs"),
    [
        ("ex-ln-forward", {"X": "1 2 3 6", "gamma": "1 1 1 2", "beta": "0 0 0 1"}),
        ("ex-ln-backward", {"dY": "1 0 0 1", "X": "1 2 3 6", "gamma": "1 1 1 2"}),
    ],
)
def test_starting_numbers_can_be_edited(
    page: Element, example: str, inputs: dict[str, str]
) -> None:
    found = {
        group.get("data-input"): " ".join(cell.get("value") for cell in group.all("input"))
        for group in page.by_id(example)
        if "data-input" in group.attributes
    }
    assert found == inputs
    for cell in page.by_id(example).all("input"):
        assert cell.get("aria-label")


def calls(project: Project, name: str) -> list[tuple[str, int]]:
    """Where the subject calls a function, found without the builder."""
    found = []
    for file in sorted((project.root / "src/tinygpt").rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
                called = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
                if called == name:
                    found.append((file.name, node.lineno))
    return sorted(found)


@pytest.mark.parametrize(
    ("name", "part", "number"), [(FORWARD, "forward", 3), (BACKWARD, "backward", 3)]
)
def test_every_call_is_on_the_page(
    built_site: Project, page: Element, name: str, part: str, number: int
) -> None:
    expected = calls(built_site, name)
    assert len(expected) == number
    cards = [card for card in page.all("*", "card") if card.all("dl", "shapes")]
    links = [card.all("a")[0] for card in cards]
    for file, line in expected:
        text, href = f"{file}:{line}", f"source/{file.removesuffix('.py')}.html#L{line}"
        assert [a for a in links if a.words == text and a.get("href") == href], text
        usage = next(c for c in page.all("*", "usage") if c.one("*", "card-title").words == name)
        assert text in [a.words for a in usage.all("a")]
        rows = [row.words for table in page.all("table", "connections") for row in table.all("tr")]
        assert any(text in row and "calls" in row.lower() for row in rows), (part, text)


def test_shapes_at_call_sites(page: Element) -> None:
    cards = {
        card.one("*", "card-title").words.rpartition(" ")[0]: {
            name.words: shape.words
            for name, shape in zip(card.all("dt"), card.all("dd"), strict=True)
        }
        for card in page.all("*", "card")
        if card.all("dl", "shapes")
    }
    assert cards["Before attention"]["X"] == "(T, d) (16, 32)"
    assert cards["Before attention"]["Xn"] == "(T, d) (16, 32)"
    assert cards["Before the feed-forward layer"]["X1"] == "(T, d) (16, 32)"
    assert cards["After the last block, before the head"]["Xf"] == "(T, d) (16, 32)"
    assert cards["The final LayerNorm"] == {
        **cards["The final LayerNorm"],
        "dXf": "(T, d) (16, 32)",
        "dX": "(T, d) (16, 32)",
        "dg": "(d,) (32,)",
        "db": "(d,) (32,)",
    }
    assert cards["What the check builds"]["∂Xhat/∂X"] == "(T, d, d) (16, 32, 32)"
    for card in page.all("*", "card"):
        if card.all("dl", "shapes"):
            assert "d = emb_dim = 32" in card.one("*", "faint").words


@pytest.mark.parametrize(
    ("symbol", "code", "shape"),
    [
        ("sym-X", "X", "(T, d) (16, 32)"),
        ("sym-gamma", "gamma", "(d,) (32,)"),
        ("sym-beta", "beta", "(d,) (32,)"),
        ("sym-epsilon", "epsilon", "scalar"),
        ("sym-mu", "mu", "(T, 1) (16, 1)"),
        ("sym-var", "var", "(T, 1) (16, 1)"),
        ("sym-s", "s", "(T, 1) (16, 1)"),
        ("sym-Xhat", "Xhat", "(T, d) (16, 32)"),
        ("sym-Y", None, "(T, d) (16, 32)"),
        ("sym-dY", "dY", "(T, d) (16, 32)"),
        ("sym-dXhat", "dXhat", "(T, d) (16, 32)"),
        ("sym-dX", "dX", "(T, d) (16, 32)"),
        ("sym-dgamma", "dgamma", "(d,) (32,)"),
        ("sym-dbeta", "dbeta", "(d,) (32,)"),
        ("sym-L", "loss", "scalar"),
    ],
)
def test_symbols(page: Element, symbol: str, code: str | None, shape: str) -> None:
    row = page.by_id(symbol)
    _, in_code, shapes = row.all("td")
    assert [c.words for c in in_code.all("code")][:1] == ([code] if code else [])
    assert code or "not named in the code" in in_code.words
    assert shapes.words == shape


def test_parameters(page: Element) -> None:
    table = next(t for t in page.all("table") if "Starts as" in t.words)
    rows = [[cell.words for cell in row.children if isinstance(cell, Element)]
            for row in table.one("tbody").all("tr")]  # fmt: skip
    names = [row[0].partition(" ")[0] for row in rows]
    assert names == [
        "b{l}.ln1_g", "b{l}.ln1_b", "b{l}.ln2_g", "b{l}.ln2_b", "lnf_g", "lnf_b",
    ]  # fmt: skip
    for name, row in zip(names, rows, strict=True):
        _, shape, concrete, scalars, _, starts, decay = row
        assert (shape, concrete) == ("(d,)", "(32,)")
        assert scalars == ("d = 32 per block" if "{l}" in name else "d = 32")
        assert starts == ("ones" if name.endswith("_g") else "zeros")
        assert decay == "no decay"


def test_the_sections(page: Element) -> None:
    titles = [e.words.removesuffix(" #") for e in page if re.fullmatch("h[23]", e.tag)]
    for part in ("LayerNorm forward", "LayerNorm backward", "Deriving the backward formula",
                 "Parameters", "Where LayerNorm is applied"):  # fmt: skip
        assert part in titles
    for section in ("What is it?", "Why does the model need it?", "Mathematics",
                    "What does each symbol mean?", "Tiny numerical example", "Tensor shapes",
                    "Implementation", "Where is it used?", "Implemented in"):  # fmt: skip
        assert titles.count(section) == 3, section
    steps = [e.words for e in page.all("span", "step")]
    assert steps == [f"Step {n}" for n in range(1, 7)]
