from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from eqcheck import (
    AxisError,
    Environment,
    MissingValueError,
    declare,
    evaluate,
    named,
    parse,
    parse_expression,
)
from eqcheck.axes import check_sides, free_names

AXES = {
    "X": ("T", "d"), "Y": ("T", "d"), "W": ("d", "m"), "b": ("m",), "g": ("d",), "m": ("T",),
    "S": ("T", "T"), "v": ("d",), "c": (),
}  # fmt: skip
SYMBOLS = declare(AXES)
SIZES = {"T": 3, "d": 4, "m": 2}
RNG = np.random.default_rng(5)
ARRAYS: dict[str, NDArray[Any]] = {
    symbol: RNG.normal(size=tuple(SIZES[name] for name in axes)) for symbol, axes in AXES.items()
}
X, Y, W, S = (ARRAYS[name] for name in "XYWS")
b, g, m, v, c = (ARRAYS[name] for name in "bgmvc")
POSITIVE = np.abs(X)
LOWER = np.tril(np.ones((3, 3)))
VALUES = {symbol: named(array, AXES[symbol]) for symbol, array in ARRAYS.items()}
ENVIRONMENT = Environment(values=VALUES, sizes=SIZES)


def value(latex: str) -> tuple[NDArray[Any], tuple[str, ...]]:
    result = evaluate(parse_expression(latex, SYMBOLS), ENVIRONMENT)
    return result.array, result.axes + result.unindexed


CASES: list[tuple[str, Any, tuple[str, ...]]] = [
    ("2.5", 2.5, ()),
    (r"\pi e", np.pi * np.e, ()),
    ("T d", 12, ()),
    ("X_{ti}", X, ("t", "i")),
    ("S_{tt}", np.diag(S), ("t",)),
    ("X_{ti} X_{ti}", X * X, ("t", "i")),
    ("X_{ti} X_{tj}", X[:, :, None] * X[:, None], ("t", "i", "j")),
    ("g_i X_{ti}", (g * X).T, ("i", "t")),
    ("X_{ti} - m_t", X - m[:, None], ("t", "i")),
    ("m_t / g_i", m[:, None] / g, ("t", "i")),
    (r"\sum_i X_{ti} g_i", X @ g, ("t",)),
    (r"\sum_{i=1}^{d} X_{ti}", X.sum(1), ("t",)),
    (r"\sum_{i=0}^{d-1} X_{ti}", X.sum(1), ("t",)),
    (r"\sum_{t,i} X_{ti}", X.sum(), ()),
    (r"\prod_i X_{ti}", X.prod(1), ("t",)),
    (r"\max_i X_{ti} - \min_i X_{ti}", np.ptp(X, axis=1), ("t",)),
    (r"\operatorname{mean}_t(X_{ti})", X.mean(0), ("i",)),
    (r"\operatorname{var}_i(X_{ti})", X.var(1), ("t",)),
    (r"\operatorname{std}_i(X_{ti})", X.std(1), ("t",)),
    (r"\operatorname{std}_{t,i}(X_{ti})", X.std(), ()),
    (r"\sum_{j \le t} S_{tj}", (S * LOWER).sum(1), ("t",)),
    (r"\max_{j \le t} S_{tj}", np.where(LOWER > 0, S, -np.inf).max(1), ("t",)),
    (r"[j \le t] S_{tj}", (LOWER * S).T, ("j", "t")),
    (r"\mathbb{1}[X_{ti} > 0]", X > 0, ("t", "i")),
    (r"\delta_{tj} m_t", np.diag(m), ("t", "j")),
    (r"\begin{cases} S_{tj} & j \le t \\ -\infty & \text{otherwise} \end{cases}",
     np.where(LOWER > 0, S, -np.inf).T, ("j", "t")),
    (r"\begin{cases} 1 & c > 100 \end{cases}", np.nan, ()),
    (r"\operatorname{softmax}_i(X_{ti})", np.exp(X) / np.exp(X).sum(1, keepdims=True), ("t", "i")),
    (r"\frac{\exp X_{ti}}{\sum_j \exp X_{tj}}", np.exp(X) / np.exp(X).sum(1, keepdims=True),
     ("t", "i")),
    (r"\tanh(X_{ti}) + \sin X_{ti} + \cos X_{ti}", np.tanh(X) + np.sin(X) + np.cos(X), ("t", "i")),
    (r"\cosh(m_t) + \sinh(m_t)", np.exp(m), ("t",)),
    (r"\operatorname{sigmoid}(m_t)", 1 / (1 + np.exp(-m)), ("t",)),
    (r"\operatorname{relu}(m_t) + \operatorname{sign}(m_t)", np.maximum(m, 0) + np.sign(m), ("t",)),
    (r"\log |X_{ti}|", np.log(POSITIVE), ("t", "i")),
    (r"\sqrt[3]{|m_t|}", np.cbrt(np.abs(m)), ("t",)),
    (r"|m_t|^{-3/2}", np.abs(m) ** -1.5, ("t",)),
    ("X W + b", X @ W + b, ("T", "m")),
    (r"X W W^\top", X @ W @ W.T, ("T", "d")),
    (r"X^\top Y", X.T @ Y, ("d", "d")),
    ("X v", X @ v, ("T",)),
    (r"v W", v @ W, ("m",)),
    (r"v^\top g", v @ g, ()),
    (r"v g^\top", np.outer(v, g), ("d", "d")),
    (r"v^\top W b", v @ W @ b, ()),
    (r"g \odot X + v", g * X + v, ("T", "d")),
    (r"X \odot Y \odot X", X * Y * X, ("T", "d")),
    (r"\frac{X}{c} - 2 Y", X / c - 2 * Y, ("T", "d")),
    (r"\sum X \odot Y", (X * Y).sum(), ()),
    (r"\operatorname{mean}(X)", X.mean(), ()),
]  # fmt: skip


@pytest.mark.parametrize(("latex", "expected", "axes"), CASES)
def test_values(latex: str, expected: object, axes: tuple[str, ...]) -> None:
    array, names = value(latex)
    assert names == axes
    np.testing.assert_allclose(array, np.asarray(expected, dtype=float), rtol=1e-13)


@pytest.mark.parametrize(("latex", "expected", "axes"), CASES)
def test_the_bound_on_the_rounding_is_small_and_no_number_is_outside(
    latex: str, expected: object, axes: tuple[str, ...]
) -> None:
    result = evaluate(parse_expression(latex, SYMBOLS), ENVIRONMENT)
    assert result.axes + result.unindexed == axes
    exact = np.asarray(expected, dtype=float)
    finite = np.isfinite(exact)
    gap = np.abs(result.array[finite] - exact[finite])
    assert (gap <= 2 * result.rounding[finite] + 1e-300).all()
    assert (result.rounding[finite] < 1e-12 * (1 + np.abs(exact[finite]))).all()


def test_cancelled_digits_are_counted() -> None:
    values = {"X": named(X + 1e6, ("T", "d")), "m": named(m + 1e6, ("T",))}
    environment = Environment(values=values, sizes=SIZES)
    difference = evaluate(parse_expression("X_{ti} - m_t", SYMBOLS), environment)
    assert (np.abs(difference.array) < 10).all()
    assert (difference.rounding > 1e-10).all()
    assert (difference.rounding < 1e-8).all()


@pytest.mark.parametrize(
    ("latex", "known"),
    [
        (r"\sum_i \exp(X_{ti} + \log(\mathbb{1}[X_{ti} > 0]))", True),  # log 0 is a mask
        (r"\sum_i \frac{1}{\frac{1}{[X_{ti} > 0]}}", True),
        (r"\sum_i \frac{1}{X_{ti} + \exp(1000)}", False),  # an overflow
        (r"\sum_i \exp(X_{ti} + \log(\exp(-1000)))", False),
    ],
)
def test_infinities_are_exact_at_poles_and_unknown_after_an_overflow(
    latex: str,
    known: bool,  # noqa: FBT001 - a table
) -> None:
    result = evaluate(parse_expression(latex, SYMBOLS), ENVIRONMENT)
    assert np.isfinite(result.array).all()
    assert np.isfinite(result.rounding).all() == known


def test_symbols_without_indices_keep_their_batch_axes() -> None:
    symbols = declare({"x": ("B", "C"), "n": ("B",), "g": ("C",)}, batch=("B",))
    x, n, gain = RNG.normal(size=(2, 3)), RNG.normal(size=2), RNG.normal(size=3)
    values = {"x": named(x, ("B", "C")), "n": named(n, ("B",)), "g": named(gain, ("C",))}
    environment = Environment(values=values, sizes={"B": 2, "C": 3})

    def batched(latex: str) -> tuple[NDArray[Any], tuple[str, ...], tuple[str, ...]]:
        result = evaluate(parse_expression(latex, symbols), environment)
        return result.array, result.axes, result.unindexed

    array, axes, unindexed = batched(r"g \odot (x - n)")
    assert (axes, unindexed) == (("B",), ("C",))
    np.testing.assert_allclose(array, gain * (x - n[:, None]))
    array, axes, unindexed = batched(r"\sum_k x_k g_k + n")
    assert (axes, unindexed) == (("B",), ())
    np.testing.assert_allclose(array, x @ gain + n)
    assert batched(r"\sum x")[0] == pytest.approx(x.sum())
    assert batched(r"\sum_{b}\sum_{k} x_{bk}")[0] == pytest.approx(x.sum())


@pytest.mark.parametrize(
    ("latex", "position", "message"),
    [
        (r"m_t = X_{ti}", 6, "free indices i, t, the one before it t"),
        (r"X_{ti} = \sum_i X_{ti}", 9, "free indices t, the one before it i, t"),
        (r"1 = m_t = g_i", 10, "free indices i, the one before it t"),
        (r"m_t = g_t", 6, "t runs over d here and over T elsewhere"),
        (r"m_t = \sum_i \sum_i X_{ti}", 13, "i is bound twice"),
        (r"m_t = \sum_{i,i} X_{ti}", 6, "i is bound twice"),
        (r"m_t = \sum_i m_t", 6, "sum runs over i, and nothing in it"),
        (r"m_t = \operatorname{softmax}_j(m_t)", 6, "no index j"),
        (r"m_t = \delta_{jk}", 6, "nothing says over which axis j runs"),
    ],
)
def test_indices_that_do_not_fit(latex: str, position: int, message: str) -> None:
    (chain,) = parse(latex, SYMBOLS)
    with pytest.raises(AxisError, match=message) as caught:
        check_sides(chain)
    assert caught.value.position == position


@pytest.mark.parametrize("latex", ["X_{ti} = 1", r"X_{ti} = \frac{1}{d} = 2", "1 = X_{ti}"])
def test_a_side_without_any_index_fits_all(latex: str) -> None:
    (chain,) = parse(latex, SYMBOLS)
    assert check_sides(chain) == {"t": "T", "i": "d"}


def test_free_names() -> None:
    latex = r"\sum_i \delta_{ij} X_{ti} + [k \le t]"
    assert free_names(parse_expression(latex, SYMBOLS)) == {"j", "t", "k"}


@pytest.mark.parametrize(
    ("latex", "message"),
    [
        (r"X Y", r"\(T, d\) and \(T, d\) cannot be multiplied"),
        (r"v g", "two vectors"),
        (r"X + W", "do not fit entry by entry"),
        (r"X \odot W", "do not fit entry by entry"),
        (r"S^2", "the matrix power"),
        (r"c^\top", "only a matrix or a vector"),
        (r"\sum_{i=1}^{T} X_{ti}", "i runs over d, whose last value is not T"),
        (r"\sum_{i=1}^{5} X_{ti}", "the limits are not within those of d, which are 1 and 4"),
        (r"\sum_{i=0}^{d} X_{ti}", "the limits are not within those of d, which are 0 and 3"),
        (r"\operatorname{mean}(c)", "mean over which index"),
        (r"\operatorname{mean}_{j \le t}(S_{tj})", "mean takes no condition"),
    ],
)
def test_arrays_that_do_not_fit(latex: str, message: str) -> None:
    with pytest.raises(AxisError, match=message):
        value(latex)


def test_what_has_no_value() -> None:
    symbols = declare({"X": ("T", "d"), "Z": ("T", "d"), "d": ()})
    expression = parse_expression(r"X_{ti} + Z_{ti}", symbols)
    with pytest.raises(MissingValueError, match="Z has no value") as caught:
        evaluate(expression, ENVIRONMENT)
    assert caught.value.position == 9
    derivative = parse_expression(r"\frac{\partial Z_{ti}}{\partial X_{ti}}", symbols)
    with pytest.raises(MissingValueError, match="no derivatives"):
        evaluate(derivative, ENVIRONMENT)


def test_a_value_must_have_its_axes() -> None:
    with pytest.raises(ValueError, match=r"shape \(3, 4\) has not the axes"):
        named(X, ("T",))
    with pytest.raises(ValueError, match="is no number"):
        named("text", ())
