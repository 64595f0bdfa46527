import pytest

from eqcheck.errors import LatexError
from eqcheck.latex import tokenize


def texts(latex: str) -> list[str]:
    return [token.text for token in tokenize(latex)]


@pytest.mark.parametrize(
    ("latex", "expected"),
    [
        (r"\frac{1}{d}", [r"\frac", "{", "1", "}", "{", "d", "}"]),
        ("12.5x", ["12.5", "x"]),
        (r"\left(x\right)", ["(", "x", ")"]),
        (r"\bigl[x\bigr]", ["[", "x", "]"]),
        (r"\left|x\right|", [r"\lvert", "x", r"\rvert"]),
        (r"a \leq b \ne c", ["a", r"\le", "b", r"\ne", "c"]),
        (r"\hat X", [r"\hat", "{", "X", "}"]),
        (r"\hat\mathbf x", [r"\hat", "{", r"\mathbf", "{", "x", "}", "}"]),
        (r"\hat{X}", [r"\hat", "{", "X", "}"]),
        (r"\{x\} \\ y", [r"\{", "x", r"\}", r"\\", "y"]),
        ("a\n  b\t", ["a", "b"]),
        (r"a\,b\!c\;d\ e~f", list("abcdef")),
        (r"a\qquad b", ["a", r"\quad", "b"]),
        ("", []),
    ],
)
def test_tokens(latex: str, expected: list[str]) -> None:
    assert texts(latex) == expected


def test_tokens_know_their_places() -> None:
    latex = r"  \frac{10}{d}"
    assert [latex[token.start : token.end] for token in tokenize(latex)] == [
        r"\frac", "{", "10", "}", "{", "d", "}",
    ]  # fmt: skip


def test_a_space_that_is_written_sets_tokens_apart() -> None:
    assert [token.apart for token in tokenize(r"d X\, Y")] == [False, False, True]


@pytest.mark.parametrize(
    ("latex", "position", "message"),
    [
        (r"a + é", 4, "é means nothing"),
        ("a # b", 2, "# means nothing"),
        ("a * b", 2, r"\* means nothing"),
        (r"\left x", 6, r"\\left needs a bracket"),
        (r"x \left", 7, r"\\left needs a bracket"),
        ("a \\", 2, "means nothing"),
        ("x\\%", 1, "means nothing"),
    ],
)
def test_what_means_nothing_is_an_error_with_its_place(
    latex: str, position: int, message: str
) -> None:
    with pytest.raises(LatexError, match=message) as caught:
        tokenize(latex)
    assert caught.value.position == position


def test_an_error_shows_a_caret_under_the_place() -> None:
    error = LatexError("no", 6)
    assert error.show("a = b\nc = d") == "c = d\n^ no"
    assert error.show("a = b + c") == "a = b + c\n      ^ no"
    assert str(error) == "no (at character 7)"
