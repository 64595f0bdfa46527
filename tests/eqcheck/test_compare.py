import numpy as np
import pytest

from eqcheck import AxisError, Comparison, Environment, compare, declare, named, parse

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
        ("=", NAN, NAN, True),
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
    assert (found.holds, found.input, found.inputs) == (False, 2, 3)
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
