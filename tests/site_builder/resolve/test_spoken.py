import pytest

from site_builder.resolve.spoken import spoken


@pytest.mark.parametrize(
    ("latex", "words"),
    [
        ("X", "X"),
        ("dX", "d X"),
        (r"\gamma", "gamma"),
        (r"\varepsilon", "epsilon"),
        (r"d\gamma", "d gamma"),
        (r"\hat{X}", "X hat"),
        (r"d\hat X", "d X hat"),
        (r"\bar{\mathbf{x}}", "x bar"),
        (r"\widetilde{W}", "W tilde"),
        (r"\sigma^2", "sigma squared"),
        (r"W^\top", "W transposed"),
        (r"x'", "x prime"),
        (r"x^{n}", "x to the power n"),
        (r"\delta_{ij}", "delta sub i j"),
        (r"\operatorname{mean}_i", "mean sub i"),
        (r"\text{loss}", "loss"),
        (r"i,\, j,\, k", "i, j, k"),
    ],
)
def test_a_symbol_in_words(latex: str, words: str) -> None:
    assert spoken(latex, "name") == words


@pytest.mark.parametrize("latex", [r"\frac{a}{b}", "a + b", "x^", r"x_{}", "€", r"\left x"])
def test_what_is_no_symbol_is_said_by_its_name(latex: str) -> None:
    assert spoken(latex, "name") == "name"
