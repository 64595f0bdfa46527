from collections.abc import Mapping

import numpy as np
import pytest

from eqcheck import (
    AxisError,
    Comparison,
    Environment,
    Occasion,
    Outcome,
    compare,
    declare,
    named,
    parse,
)

AXES = {"a": ("n",), "b": ("n",), "c": (), "M": ("n", "m"), "N": ("m", "n")}
SYMBOLS = declare(AXES)
MATRIX = np.arange(6.0).reshape(3, 2)


def verdict(latex: str, a: list[float], b: list[float], unit: float = 2.2e-16) -> Comparison:
    values = {
        "a": named(np.array(a), ("n",), unit),
        "b": named(np.array(b), ("n",), unit),
        "c": named(2.0, ()),
        "M": named(MATRIX, ("n", "m")),
        "N": named(MATRIX.T, ("m", "n")),
    }
    environment = Environment(values=values, sizes={"n": len(a), "m": 2})
    return compare(parse(latex, SYMBOLS)[0], [environment])


INF, NAN = float("inf"), float("nan")


@pytest.mark.parametrize(
    ("relation", "a", "b", "holds"),
    [
        ("=", 1.0, 1.0, True),
        ("=", 1.0, 1.0 + 1e-15, True),
        ("=", 1.0, 1.0 + 1e-13, False),
        ("=", 0.0, 1e-300, False),
        ("=", INF, INF, True),
        ("=", INF, -INF, False),
        ("=", NAN, NAN, False),
        ("=", NAN, 1.0, False),
        ("=", INF, 1.0, False),
        (r"\approx", 1.0, 1.0005, True),
        (r"\approx", 1.0, 1.01, False),
        (r"\le", 1.0, 2.0, True),
        (r"\le", 1.0, 1.0, True),
        (r"\le", 1.0 + 1e-15, 1.0, True),
        (r"\le", 2.0, 1.0, False),
        (r"\le", NAN, 1.0, False),
        (r"\ge", 2.0, 1.0, True),
        (r"\ge", 1.0, 2.0, False),
        ("<", 1.0, 2.0, True),
        ("<", 1.0, 1.0, False),
        ("<", 2.0, 1.0, False),
        (">", 2.0, 1.0, True),
        (">", 1.0, 1.0, False),
    ],
)
def test_relations(relation: str, a: float, b: float, holds: bool) -> None:  # noqa: FBT001 - a table
    assert verdict(f"a_i {relation} b_i", [a], [b]).holds is holds


def test_the_worst_place_is_reported() -> None:
    found = verdict("a_i = b_i", [1.0, 2.0, 3.0], [1.0, 2.5, 3.25])
    assert not found.holds
    assert (found.where, found.left, found.right) == ({"i": 1}, 2.0, 2.5)
    assert found.largest_absolute == 0.5
    assert 0.01 < found.largest_relative < 1


def test_every_relation_of_a_chain_counts() -> None:
    found = verdict("a_i = a_i = b_i = b_i", [1.0], [2.0])
    assert (found.holds, found.relation) == (False, 1)


def test_the_input_that_fails_is_named() -> None:
    environments = [
        Environment(values={"a": named(np.ones(2), ("n",)), "c": named(c, ())}, sizes={"n": 2})
        for c in (1.0, 1.0, 3.0)
    ]
    found = compare(parse("a_i = c", SYMBOLS)[0], environments)
    assert (found.holds, found.occasion.input, found.inputs) == (False, "input 3", 3)
    with pytest.raises(ValueError, match="nothing to compare on"):
        compare(parse("a_i = c", SYMBOLS)[0], [])


def test_what_was_cancelled_is_allowed_for() -> None:
    big = 1e9
    assert verdict(r"a_i = (b_i + 10^{9}) - 10^{9}", [0.1], [0.1]).holds
    assert (0.1 + big) - big != 0.1
    assert not verdict(r"a_i = b_i + 0", [0.1], [(0.1 + big) - big]).holds


def test_single_precision_is_allowed_for() -> None:
    assert verdict("a_i = b_i", [1.0], [1.0 + 1e-7], unit=1.2e-7).holds
    assert not verdict("a_i = b_i", [1.0], [1.0 + 1e-4], unit=1.2e-7).holds


def test_arrays_without_indices() -> None:
    assert verdict(r"M = N^\top", [1.0, 1.0, 1.0], [1.0, 1.0, 1.0]).holds
    assert verdict("a = 1", [1.0], [1.0]).holds
    with pytest.raises(AxisError, match=r"this side has the axes \(m, n\), and the one before"):
        verdict("M = N", [1.0, 1.0, 1.0], [1.0, 1.0, 1.0])


def compared(
    latex: str,
    values: Mapping[str, object],
    *,
    hard: bool = False,
) -> Comparison:
    """Compare on an ordinary input where all is finite, and then on the one that is given."""
    ordinary = {"a": [1.0, 2.0], "b": [1.0, 2.0], "c": 2.0}
    environments = [
        Environment(
            values={
                name: named(np.asarray(value)[None], ("<input>", *AXES[name]))
                for name, value in {**ordinary, **given}.items()
            },
            sizes={"n": 2},
            occasions=(Occasion(input=input_name, hard=is_hard),),
        )
        for given, input_name, is_hard in ((ordinary, "ordinary", False), (values, "given", hard))
    ]
    return compare(parse(latex, SYMBOLS)[0], environments)


@pytest.mark.parametrize(
    "latex",
    [
        r"c = \exp(1000)",
        r"c = \frac{1}{0}",
        r"c = c + \infty",
        r"\frac{1}{0} = \frac{2}{0}",
        r"\frac{0}{0} = \frac{0}{0}",
        r"c = c + \frac{0}{0}",
        r"\frac{0}{0} = c",
        r"c \le \infty",
        r"-\infty < c",
        r"c \approx \exp(1000)",
        r"a_i = a_i + \log(0)",
        r"c = c + 0 \cdot \frac{1}{0}",
        r"c = \frac{c}{\exp(-1000)}",
        r"c = \log(\exp(-1000) \exp(1000))",
        r"c = c + \exp(800) - \exp(800)",
        r"\max_i(a_i) = \max_i(a_i) + \log 0",
    ],
)
@pytest.mark.parametrize("hard", [False, True])
def test_no_formula_that_is_not_finite_equals_anything(latex: str, hard: bool) -> None:  # noqa: FBT001
    found = compared(latex, {}, hard=hard)
    assert found.outcome is Outcome.FAILS
    assert found.occasion.input == "ordinary"
    assert "infinity" in found.reason or "NaN" in found.reason


@pytest.mark.parametrize("latex", [r"a_i = b_i", r"a_i \le b_i", r"\exp(a_i) = \exp(b_i)"])
def test_infinities_from_the_code_are_values(latex: str) -> None:
    infinite = {"a": [-INF, 1.0], "b": [-INF, 1.0]}
    assert compared(latex, infinite).holds
    assert compared("a_i = b_i", {"a": [INF, INF], "b": [INF, INF]}).inputs == 2


@pytest.mark.parametrize(("a", "b"), [(-INF, INF), (-INF, 1.0), (1.0, INF), (NAN, 1.0), (INF, NAN)])
@pytest.mark.parametrize("hard", [False, True])
def test_the_code_must_agree_where_it_is_not_finite(a: float, b: float, hard: bool) -> None:  # noqa: FBT001
    found = compared("a_i = b_i", {"a": [a, 1.0], "b": [b, 1.0]}, hard=hard)
    assert found.outcome is Outcome.FAILS
    assert (found.occasion.input, found.where) == ("given", {"i": 0})


def test_a_formula_may_overflow_on_a_hard_input_where_the_code_does_not() -> None:
    values = {"a": [1000.0, 1.0], "b": [1000.0, 1.0]}
    found = compared(r"a_i = \log(\exp(b_i))", values, hard=True)
    assert found.holds
    assert found.inputs == 2  # the second entry of the hard one was compared
    (remark,) = found.remarks
    assert remark.occasion.input == "given"
    assert "the formula overflows: the right side is infinity" in remark.reason
    assert not compared(r"a_i = \log(\exp(b_i))", values, hard=False).holds
    assert not compared(r"a_i = 2 \log(\exp(b_i)) - 1", values, hard=True).holds


def test_the_code_may_not_overflow_on_a_hard_input_where_the_formula_does_not() -> None:
    found = compared("a_i = b_i", {"a": [-INF, 1.0], "b": [-1000.0, 1.0]}, hard=True)
    assert found.outcome is Outcome.FAILS
    assert found.reason == "the left side is minus infinity"
    found = compared(r"\log(\exp(b_i)) = a_i", {"a": [NAN, 1.0], "b": [5.0, 1.0]}, hard=True)
    assert found.outcome is Outcome.FAILS


def test_a_mask_may_stand_beside_a_formula_that_overflows() -> None:
    values = {"a": [-INF, 1000.0], "b": [0.0, 1.0]}
    assert compared(r"\exp(a_i) = \exp(a_i)", values, hard=True).holds
    latex = r"b_i = \frac{\exp(a_i)}{\exp(a_i)}"
    assert compared(latex, {**values, "b": [1.0, 1.0]}, hard=False).outcome is Outcome.FAILS


def test_where_no_digit_is_known_nothing_is_compared() -> None:
    latex = r"c = \frac{a_i - b_i}{(a_i + 10^{20}) - 10^{20} + 10^{-20}} + 2"
    found = compared(latex, {"a": [1.0, 2.0], "b": [1.0, 1.5]}, hard=True)
    assert found.holds
    assert "no digit" in found.remarks[0].reason
    assert not compared(latex, {"a": [1.0, 2.0], "b": [1.0, 1.5]}, hard=False).holds


def test_what_is_computed_from_an_overflow_has_no_known_digit() -> None:
    values = {"a": [700.0, 700.0], "b": [1000.0, 1000.0], "c": 2 * np.exp(-300)}
    latex = r"c = 2 \frac{\exp(a_i)}{\exp(b_i)}"
    found = compared(latex, values, hard=True)
    assert found.holds  # on the ordinary input
    assert [remark.occasion.input for remark in found.remarks] == ["given"]
    assert "no digit" in found.remarks[0].reason
    assert not compared(latex, values, hard=False).holds


def test_a_formula_may_overflow_beside_a_mask() -> None:
    values = {"a": [-INF, 1.0], "b": [1000.0, 1.0]}
    latex = r"b_i = \log(\exp(b_i)) + [a_i > 10^{9}]"
    found = compared(latex, values, hard=True)
    assert found.holds
    assert [remark.reason for remark in found.remarks] == [
        "the formula overflows: the right side is infinity"
    ]
    assert not compared(latex, values, hard=False).holds


def test_nan_everywhere_is_not_checked() -> None:
    found = verdict("a_i = b_i", [NAN, NAN], [NAN, NAN])
    assert (found.outcome, found.reason) == (Outcome.NOT_CHECKED, "both sides are NaN")
    assert verdict("a_i = b_i", [NAN, 1.0], [NAN, 1.0]).holds
    assert not verdict("a_i = b_i", [NAN, 1.0], [NAN, 2.0]).holds


def test_an_approximate_sign_where_equality_holds_is_named() -> None:
    assert verdict(r"a_i \approx b_i", [1.0], [1.0005]).approximate == ()
    assert verdict(r"a_i \approx b_i = b_i", [1.0], [1.0]).approximate == (0,)
