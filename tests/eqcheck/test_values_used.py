"""Equations hold for every call and every iteration, and for the values that are used."""

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from eqcheck import (
    Comparison,
    EquationError,
    Subject,
    ValuePlace,
    check,
    declare,
    observe_samples,
)
from tests.eqcheck.layer_norm import compiled

if TYPE_CHECKING:
    from collections.abc import Mapping

SOURCE = """
import numpy as np

class Adam:
    def __init__(self):
        self.m, self.v, self.t = 0.0, 0.0, 0

    def step(self, g):
        self.t += 1
        t = self.t
        before = self.m
        m = 0.9 * before + 0.1 * g
        self.m = m
        m_hat = m / (1 - 0.9 ** t)
        return m_hat

def scan(x):
    h = np.zeros_like(x[0])
    for row in x:
        old = h
        h = 0.5 * old + row
    return h

def guarded(x):
    total = 0.0
    for n, row in enumerate(x):
        if n % 2:
            double = 2 * row
            total = total + double
    return total

def two_loops(x):
    for row in x:
        a = row + 1
    for row in x:
        b = row + 1
    return a, b

def inner(x):
    y = 3 * x
    return y

def outer(x):
    for row in x:
        z = row + 1
        w = inner(z)
    return w

def other(x):
    u = inner(x)
    v = inner(2 * x)
    return u + v

def scatter(dX, ids, W):
    dW = np.zeros_like(W)
    np.add.at(dW, ids, dX)
    return dW

def loss_backward(P, targets):
    dlogits = P.copy()
    dlogits[np.arange(len(targets)), targets] -= 1.0
    return dlogits / len(targets)

def into(x):
    y = np.zeros_like(x)
    np.multiply(x, 2, out=y)
    z = x.copy()
    z.sort()
    a = x.copy()
    a += 1
    b = x.copy(); b = 2 * b
    return y, z, a, b

def changes(x):
    x[0] = 7.0
    return x

def reassigned(x):
    x = x - x.mean()
    return x

def returns(x):
    if x.sum() > 1e9:
        return 5 * x
    return 2 * x

def twice(x):
    a = (x + 1) * 2
    x = 3 * x
    b = (x + 1) * 5
    return a + b
"""
SPACE = compiled(SOURCE)
F = "norm."
X = np.array([[0.3, -1.2], [2.0, 0.7], [-0.4, 1.1]])


def checked(  # noqa: PLR0913 - what a check consists of
    latex: str,
    program: str,
    places: "Mapping[str, ValuePlace]",
    axes: "Mapping[str, tuple[str, ...]]",
    inputs: "Mapping[str, object]",
    functions: tuple[str, ...] = (),
    expressions: "Mapping[Any, frozenset[str]] | None" = None,
) -> Comparison:
    subject = Subject(
        run=lambda values: SPACE[program](**values),
        functions=tuple(SPACE[name] for name in functions or (program,)),
        places=places,
        inputs={},
        expressions=expressions or {},
    )
    symbols = declare(dict(axes))
    (found,) = check(latex, symbols, observe_samples(subject, symbols, [inputs]))
    return found


def adam(latex: str) -> Comparison:
    step = SPACE["Adam"].step
    names = {"g": "g", "m": "m", r"\hat{m}": "m_hat", "t": "t", "m_0": "before"}
    places = {
        symbol: ValuePlace(function="norm.Adam.step", name=name) for symbol, name in names.items()
    }

    def three_steps(values: "Mapping[str, Any]") -> None:
        optimizer = SPACE["Adam"]()
        for factor in (1.0, -2.0, 0.5):
            optimizer.step(factor * values["g"])

    subject = Subject(run=three_steps, functions=(step,), places=places, inputs={})
    symbols = declare({"g": ("n",), "m": ("n",), r"\hat{m}": ("n",), "t": (), "m_0": ("n",)})
    with_zeros = {"g": X[0]}
    samples = observe_samples(subject, symbols, [with_zeros])
    (found,) = check(latex, symbols, samples)
    return found


@pytest.mark.parametrize(
    ("latex", "holds"),
    [
        (r"\hat{m} = \frac{m}{1 - 0.9^t}", True),
        (r"\hat{m} = g", False),
        (r"m = 0.1 g", False),
        (r"m = 123 \hat{m} - 122 \hat{m} - 0.9 \hat{m}", False),
        (r"t = 1", False),
    ],
)
def test_every_call_counts(latex: str, holds: bool) -> None:  # noqa: FBT001 - a table
    found = adam(latex)
    assert found.holds is holds
    if holds:
        assert found.calls == 3
    else:
        assert found.occasion.call in {"occurrence 2", "occurrence 3"}


def scan(latex: str, **places: ValuePlace) -> Comparison:
    given = {"old": "old", "h": "h", "r": "row"}
    found = {
        symbol: ValuePlace(function="norm.scan", name=name, number=1 if name == "h" else None)
        for symbol, name in given.items()
    }
    found["p"] = found.pop("old")
    axes = {"p": ("n",), "h": ("n",), "r": ("n",)}
    return checked(latex, "scan", {**found, **places}, axes, {"x": X})


def test_every_iteration_counts() -> None:
    found = scan("h_i = 0.5 p_i + r_i")
    assert (found.holds, found.calls) == (True, 3)
    assert scan("h_i = 123 p_i + r_i").occasion.call == "occurrence 2"
    assert not scan("h_i = r_i").holds
    assert not scan("h_i = 0.5 p_i + 2 r_i").holds


def test_a_place_may_select_an_iteration() -> None:
    first = {
        symbol: ValuePlace(function="norm.scan", name=name, number=number, iteration=0)
        for symbol, name, number in (("h", "h", 1), ("r", "row", None), ("p", "old", None))
    }
    found = scan("h_i = r_i", **first)
    assert (found.holds, found.calls) == (True, 1)
    assert not scan("h_i = r_i", **{**first, "h": ValuePlace(function="norm.scan", name="h")}).holds


def test_iterations_that_skip_a_branch_are_left_out() -> None:
    places = {name: ValuePlace(function="norm.guarded", name=name) for name in ("double", "row")}
    named = {"D": places["double"], "r": places["row"]}
    axes = {"D": ("n",), "r": ("n",)}
    found = checked("D_i = 2 r_i", "guarded", named, axes, {"x": X})
    assert (found.holds, found.calls) == (True, 1)
    assert not checked("D_i = 3 r_i", "guarded", named, axes, {"x": X}).holds


def test_values_of_two_loops_do_not_belong_together() -> None:
    places = {name: ValuePlace(function="norm.two_loops", name=name) for name in "ab"}
    axes = {"a": ("n",), "b": ("n",)}
    with pytest.raises(LookupError, match="a has 3 and b has 3: say which"):
        checked("a_i = b_i", "two_loops", places, axes, {"x": X})
    chosen = {name: ValuePlace(function="norm.two_loops", name=name, iteration=-1) for name in "ab"}
    assert checked("a_i = b_i", "two_loops", chosen, axes, {"x": X}).holds


def test_a_call_belongs_to_the_iteration_that_it_is_made_in() -> None:
    places = {
        "z": ValuePlace(function="norm.outer", name="z"),
        "y": ValuePlace(function="norm.inner", name="y"),
        "w": ValuePlace(function="norm.outer", name="w"),
    }
    axes = {"z": ("n",), "y": ("n",), "w": ("n",)}
    both = ("outer", "inner")
    found = checked("y_i = 3 z_i", "outer", places, axes, {"x": X}, both)
    assert (found.holds, found.calls) == (True, 3)
    assert checked("w_i = y_i", "outer", places, axes, {"x": X}, both).holds
    assert not checked("y_i = 4 z_i", "outer", places, axes, {"x": X}, both).holds


def test_two_calls_in_one_iteration_must_be_selected() -> None:
    places = {
        "x": ValuePlace(function="norm.other", name="x"),
        "y": ValuePlace(function="norm.inner", name="y"),
    }
    axes = {"x": ("n",), "y": ("n",)}
    both = ("other", "inner")
    inputs = {"x": X[0]}
    assert not checked("y_i = 3 x_i", "other", places, axes, inputs, both).holds
    first = {**places, "y": ValuePlace(function="norm.inner", name="y", call=0)}
    assert checked("y_i = 3 x_i", "other", first, axes, inputs, both).holds
    second = {**places, "y": ValuePlace(function="norm.inner", name="y", call=1)}
    assert checked("y_i = 6 x_i", "other", second, axes, inputs, both).holds


@pytest.mark.parametrize(
    ("latex", "holds"),
    [
        (r"G_{vi} = 0", False),
        (r"\sum_v G_{vi} = \sum_t D_{ti}", True),
        (r"\sum_v G_{vi} = 2 \sum_t D_{ti}", False),
    ],
)
def test_an_array_that_is_filled_in_place_has_its_final_value(latex: str, holds: bool) -> None:  # noqa: FBT001
    places = {
        "G": ValuePlace(function="norm.scatter", name="dW", number=0),
        "D": ValuePlace(function="norm.scatter", name="dX"),
    }
    axes = {"G": ("V", "d"), "D": ("T", "d")}
    inputs = {"dX": X, "ids": np.array([1, 3, 1]), "W": np.ones((4, 2))}
    assert checked(latex, "scatter", places, axes, inputs).holds is holds


def test_the_gradient_of_the_loss_is_the_final_one() -> None:
    places = {
        "G": ValuePlace(function="norm.loss_backward", name="dlogits", number=0),
        "P": ValuePlace(function="norm.loss_backward", name="P", entry=True),
        "R": ValuePlace(function="norm.loss_backward", name="return"),
    }
    axes = {"G": ("T", "V"), "P": ("T", "V"), "R": ("T", "V")}
    inputs = {"P": np.abs(X), "targets": np.array([1, 0, 1])}
    assert not checked("G_{tv} = P_{tv}", "loss_backward", places, axes, inputs).holds
    assert checked(r"R_{tv} = \frac{G_{tv}}{T}", "loss_backward", places, axes, inputs).holds
    assert not checked(r"R_{tv} = \frac{P_{tv}}{T}", "loss_backward", places, axes, inputs).holds


@pytest.mark.parametrize(
    ("latex", "holds"),
    [
        ("y_i = 0", False),
        ("y_i = 2 x_i", True),  # out=
        ("z_i = x_i", False),  # sort()
        ("a_i = x_i + 1", True),  # the last of two statements
        ("b_i = x_i", True),  # the first of two on one line
        ("c_i = 2 x_i", True),  # the second
        ("c_i = x_i", False),
        ("s_i = x_i", True),  # before the +=, which is a statement of its own
    ],
)
def test_each_assignment_has_its_own_value(latex: str, holds: bool) -> None:  # noqa: FBT001 - a table
    def place(name: str, number: int | None = None) -> ValuePlace:
        return ValuePlace(function="norm.into", name=name, number=number)

    places = {
        "x": place("x"), "y": place("y", 0), "z": place("z", 0), "a": place("a"),
        "b": place("b", 0), "c": place("b", 1), "s": place("a", 0),
    }  # fmt: skip
    axes = dict.fromkeys(places, ("n",))
    assert checked(latex, "into", places, axes, {"x": X[:, 0]}).holds is holds


def test_a_parameter_that_is_changed_in_place_is_refused() -> None:
    places = {"x": ValuePlace(function="norm.changes", name="x", entry=True)}
    with pytest.raises(EquationError, match="changes x in place"):
        checked("x_i = 1", "changes", places, {"x": ("n",)}, {"x": X[:, 0].copy()})


def test_a_parameter_that_is_assigned_again_has_two_values() -> None:
    places = {
        "x": ValuePlace(function="norm.reassigned", name="x", entry=True),
        "y": ValuePlace(function="norm.reassigned", name="x", number=0),
    }
    axes = {"x": ("n",), "y": ("n",)}
    latex = r"y_i = x_i - \frac{1}{n} \sum_j x_j"
    assert checked(latex, "reassigned", places, axes, {"x": X[:, 0]}).holds
    assert not checked("y_i = x_i", "reassigned", places, axes, {"x": X[:, 0]}).holds


def test_a_return_that_never_ran_has_no_value() -> None:
    line = SOURCE.split("\n").index("        return 5 * x") + 1

    def verdict(latex: str, line: int) -> Comparison:
        places = {
            "x": ValuePlace(function="norm.returns", name="x"),
            "r": ValuePlace(function="norm.returns", name="return", line=line),
        }
        return checked(latex, "returns", places, {"x": ("n",), "r": ("n",)}, {"x": X[:, 0]})

    assert verdict("r_i = 2 x_i", line + 1).holds
    with pytest.raises(EquationError, match=rf"the return of norm.returns on line {line} never"):
        verdict("r_i = 2 x_i", line)


def test_an_expression_that_stands_twice_must_say_where() -> None:
    line = SOURCE.split("\n").index("    a = (x + 1) * 2") + 1

    def verdict(latex: str, line: int | None) -> Comparison:
        places = {
            "x": ValuePlace(function="norm.twice", name="x", entry=True),
            "e": ValuePlace(function="norm.twice", name="x + 1", line=line),
        }
        return checked(
            latex, "twice", places, {"x": ("n",), "e": ("n",)}, {"x": X[:, 0]},
            expressions={SPACE["twice"]: frozenset({"x + 1"})},
        )  # fmt: skip

    assert verdict("e_i = x_i + 1", line).holds
    assert not verdict("e_i = x_i + 1", line + 2).holds
    assert verdict("e_i = 3 x_i + 1", line + 2).holds
    with pytest.raises(EquationError, match=f"on lines {line} and {line + 2}: name one"):
        verdict("e_i = x_i + 1", None)
