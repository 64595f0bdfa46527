from collections.abc import Iterator

import pytest

from eqcheck import Symbols, parse
from eqcheck.occurrences import occurrences
from eqcheck.symbols import symbol
from eqcheck.tree import Expression, Reference, children
from tests.eqcheck.layer_norm import EQUATIONS, SYMBOLS


def references(expressions: tuple[Expression, ...]) -> Iterator[Reference]:
    for expression in expressions:
        if isinstance(expression, Reference):
            yield expression
        yield from references(children(expression))


@pytest.mark.parametrize("name", EQUATIONS)
def test_they_are_the_references_that_the_equation_is_read_with(name: str) -> None:
    latex = EQUATIONS[name]
    terms = tuple(term for chain in parse(latex, SYMBOLS) for term in chain.terms)
    read = {(found.symbol, *found.span) for found in references(terms)}
    assert {(o.symbol, o.start, o.stop) for o in occurrences(latex, SYMBOLS)} == read
    assert read


def found(latex: str, *symbols: str) -> list[str]:
    declared = Symbols(declared=tuple(symbol(one, ()) for one in symbols))
    return [f"{o.symbol}: {latex[o.start : o.stop]}" for o in occurrences(latex, declared)]


@pytest.mark.parametrize(
    ("latex", "expected"),
    [
        ("d X", ["d: d", "X: X"]),  # space means nothing in LaTeX, unless it is declared as one
        (r"d\,\hat X", ["d: d", r"\hat{X}: \hat X"]),
        (r"\hat{X}_{ti}^2 + X", [r"\hat{X}: \hat{X}_{ti}^2", "X: X"]),
        (r"\sigma_t^2 + \sigma_t", [r"\sigma^2: \sigma_t^2"]),
        (r"\text{odd } s \begin{cases} d \end{cases}", ["s: s", "d: d"]),
        (r"\operatorname{mean}_i(s_i) + \operatorname{mean}_t(s_t)",
         [r"\operatorname{mean}_i: \operatorname{mean}_i", "s: s_i", "s: s_t"]),
        (r"\frac{s", ["s: s"]),
        (r"s^{", []),
        ("s = § 3", []),
    ],
)  # fmt: skip
def test_they_are_found_where_no_equation_can_be_read(latex: str, expected: list[str]) -> None:
    symbols = ("d", "s", "X", r"\hat{X}", r"\sigma^2", r"\operatorname{mean}_i")
    assert found(latex, *symbols) == expected


def test_the_longest_symbol_counts() -> None:
    assert found(r"dX_{ti} \hat{X} d\hat{X}_{ti}", "d", "X", "dX", r"\hat{X}", r"d\hat{X}") == [
        "dX: dX_{ti}",
        r"\hat{X}: \hat{X}",
        r"d\hat{X}: d\hat{X}_{ti}",
    ]
