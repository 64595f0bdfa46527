from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pytest

from eqcheck import (
    InputSet,
    MissingValueError,
    Subject,
    ValuePlace,
    check,
    declare,
    hard_inputs,
    observe_samples,
    random_inputs,
)
from tests.eqcheck.layer_norm import EQUATIONS, SHAPES, SYMBOLS, WORKED, compiled, subject

if TYPE_CHECKING:
    from types import FunctionType

    from eqcheck.inputs import Inputs

SOURCE = """
import numpy as np

def step(x, times):
    for _ in range(times):
        y = x * 2
        x = y + 1
    total = np.abs(x).sum(axis=0, keepdims=True)
    return x, [total, (x - total) ** 2]
"""
AXES = {"x": ("n",), "y": ("n",), "z": ("n",), "t": (), "q": ("n",), "r": ("n",)}
LINE_OF_X = 7


def made(places: dict[str, ValuePlace] | None = None, definitions: tuple[str, ...] = ()) -> Subject:
    function = cast("FunctionType", compiled(SOURCE)["step"])

    def run(inputs: "Inputs") -> None:
        function(inputs["x"], 2)
        function(inputs["x"], 1)

    place = {
        "x": ValuePlace(function="norm.step", name="x", call=1, line=LINE_OF_X),
        "y": ValuePlace(function="norm.step", name="y", call=0, iteration=-1),
        "z": ValuePlace(function="norm.step", name="return", call=0, path=(0,)),
        "t": ValuePlace(function="norm.step", name="return", call=0, path=(1, 0)),
        "q": ValuePlace(function="norm.step", name="return", call=0, path=(1, 1)),
    }
    return Subject(
        run=run,
        functions=(function,),
        places=places or place,
        inputs={"r": "x"},
        definitions=definitions,
    )


def inputs(*numbers: float) -> dict[str, Any]:
    return {"x": np.array(numbers)}


def test_places() -> None:
    (sample,) = observe_samples(made(), declare(AXES), [inputs(1.0, -2.0)])
    (view,) = sample.views("xyztq")
    values = {name: value.array.tolist() for name, value in view.environment.values.items()}
    assert values == {
        "x": [[3.0, -3.0]],  # of the second call
        "y": [[6.0, -6.0]],  # in the last iteration of the first
        "z": [[7.0, -5.0]],
        "t": [12.0],  # keepdims left an axis of size 1
        "q": [[25.0, 289.0]],
    }
    assert view.environment.sizes == {"n": 2}


@pytest.mark.parametrize(
    ("place", "message"),
    [
        (ValuePlace(function="norm.step", name="w"), "norm.step assigns no w"),
        (ValuePlace(function="norm.step", name="y", line=99), "assigns no y on line 99"),
        (ValuePlace(function="norm.step", name="y", call=2), "norm.step was called 2 times"),
        (ValuePlace(function="norm.leap", name="y"), "norm.leap was not called"),
        (ValuePlace(function="norm.step", name="return", path=(5,)), "returned nothing at"),
    ],
)
def test_places_that_hold_nothing(place: ValuePlace, message: str) -> None:
    samples = observe_samples(made({"y": place}), declare(AXES), [inputs(1.0)])
    with pytest.raises(MissingValueError, match=message):
        check("y_i = 1", declare(AXES), samples)


def test_shapes_must_be_those_declared() -> None:
    def checked(axes: dict[str, tuple[str, ...]]) -> None:
        symbols = declare(axes)
        check("z = z", symbols, observe_samples(made(), symbols, [inputs(1.0, 2.0)]))
        check("t = t", symbols, observe_samples(made(), symbols, [inputs(1.0, 2.0)]))

    with pytest.raises(MissingValueError, match=r"t has shape \(1,\), the equation needs \(n, m\)"):
        checked({**AXES, "t": ("n", "m")})
    with pytest.raises(MissingValueError, match="n is 2 in z and 1 in t"):
        checked({"z": ("n",), "q": ("n",), "t": ("n",)})


def test_code_that_is_not_analytic_is_differentiated_by_differences() -> None:
    samples = observe_samples(made(), declare(AXES), [inputs(1.0, -2.0), inputs(0.5, 3.0, -4.0)])
    symbols = declare(AXES)
    (verdict,) = check(
        r"\frac{\partial t}{\partial r_i} = \begin{cases} 4 & z_i > 0 \\ -4 & z_i < 0 \end{cases}",
        symbols,
        samples,
    )
    assert verdict.holds
    assert verdict.methods == {"central differences"}
    (verdict,) = check(r"\frac{\partial y_i}{\partial r_j} = 4 \delta_{ij}", symbols, samples)
    assert verdict.holds
    assert verdict.methods == {"complex step"}


def test_at_a_kink_there_is_no_derivative() -> None:
    symbols = declare(AXES)
    latex = (
        r"\frac{\partial t}{\partial r_i} = \begin{cases} 4 & z_i > 0 \\ -4 & z_i < 0 \end{cases}"
    )
    kink = InputSet(name="a kink", values=inputs(-0.75, 2.0), hard=True)  # z is 0 there
    samples = observe_samples(made(), symbols, [inputs(1.0, -2.0), kink])
    (verdict,) = check(latex, symbols, samples)
    assert verdict.holds
    assert [(remark.occasion.input, remark.reason) for remark in verdict.remarks] == [
        ("a kink", "there is no derivative here: the function has a kink")
    ]
    ordinary = InputSet(name="a kink", values=kink.values)
    (verdict,) = check(latex, symbols, observe_samples(made(), symbols, [ordinary]))
    assert not verdict.holds
    assert "no derivative" in verdict.reason


def test_derivatives_by_definition_go_through_other_definitions() -> None:
    definitions = (r"z_i = y_i + 1", r"q_i = (z_i - t)^2", r"t = \sum_i |z_i|")
    symbols = declare(AXES)
    samples = observe_samples(made(definitions=definitions), symbols, [inputs(1.0, -2.0, 0.3)])

    def verdict(latex: str) -> tuple[bool, set[str]]:
        (found,) = check(latex, symbols, samples)
        return found.holds, set(found.methods)

    assert verdict(r"\frac{\partial z_i}{\partial y_j} = \delta_{ij}") == (True, {"complex step"})
    sign = r"\left([y_j > -1] - [y_j < -1]\right)"
    # q depends on y through z, and through t, which is not analytic
    latex = rf"\frac{{\partial q_i}}{{\partial y_j}} = 2 (z_i - t) (\delta_{{ij}} - {sign})"
    assert verdict(latex) == (True, {"central differences"})
    wrong = rf"\frac{{\partial q_i}}{{\partial y_j}} = 2 (z_i - t) (\delta_{{ij}} + {sign})"
    assert verdict(wrong) == (False, {"central differences"})


def test_displays_that_cannot_be_read_define_nothing() -> None:
    definitions = ("z_i = ", "z_i = t_j", r"z_j = y_j + 1")
    symbols = declare(AXES)
    samples = observe_samples(made(definitions=definitions), symbols, [inputs(1.0, -2.0)])
    (verdict,) = check(r"\frac{\partial z_i}{\partial y_i} = 1", symbols, samples)
    assert verdict.holds


@pytest.mark.parametrize(
    ("definitions", "slope"),
    [
        ((r"z_i = x_i", r"z_i = y_i + 1"), 1),  # the first says nothing about y
        ((r"z_i = y_i + 1", r"z_i = 2 y_i - x_i + 1", "x_i = y_i"), 1),  # both agree
        ((r"z_i = y_i + 1", r"z_i = 3 y_i"), None),
        ((r"z_i = y_i + 1 = 3 y_i",), None),  # each term of a chain defines
        ((r"z_i = y_i + 1", r"y_i = z_i - 1"), 1),  # each by the other
        ((r"z_i = q_i + y_i", r"q_i = z_i - y_i"), 1),  # q only by z
    ],
)
def test_all_equations_that_define_a_symbol_count(
    definitions: tuple[str, ...], slope: int | None
) -> None:
    symbols = declare(AXES)
    samples = observe_samples(made(definitions=definitions), symbols, [inputs(1.0, -2.0)])
    latex = rf"\frac{{\partial z_i}}{{\partial y_i}} = {slope or 1}"
    if slope is None:
        with pytest.raises(MissingValueError, match="two equations define z, and they differ"):
            check(latex, symbols, samples)
    else:
        assert check(latex, symbols, samples)[0].holds
        assert not check(latex.replace("= 1", "= 2"), symbols, samples)[0].holds


@pytest.mark.parametrize(
    ("latex", "message"),
    [
        (r"\frac{\partial y_i}{\partial z_i} = 1", "no equation on the page says how y depends"),
        (r"\frac{\partial y_i}{\partial w} = 1", "w has no value"),
        (r"\frac{\partial w}{\partial r_i} = 1", "neither the code nor a definition says what w"),
    ],
)
def test_derivatives_that_nothing_defines(latex: str, message: str) -> None:
    symbols = declare({**AXES, "w": ()})
    samples = observe_samples(made(), symbols, [inputs(1.0, -2.0)])
    with pytest.raises(MissingValueError, match=message):
        check(latex, symbols, samples)


def test_single_precision_code_is_held_to_single_precision() -> None:
    single = [
        {name: value.astype(np.float32) for name, value in each.items()}
        for each in [WORKED, *random_inputs(SHAPES, 3, 4)]
    ]
    samples = observe_samples(subject(), SYMBOLS, single)
    for name, latex in EQUATIONS.items():
        if r"\partial" not in latex:
            (verdict,) = check(latex, SYMBOLS, samples)
            assert verdict.holds, (name, verdict)
    (verdict,) = check(r"Y_{ti} = \gamma_i \hat{X}_{ti} - \beta_i", SYMBOLS, samples)
    assert not verdict.holds


def test_random_inputs_have_sizes_that_differ() -> None:
    many = random_inputs(SHAPES, seed=1, count=20)
    shapes = {each["X"].shape for each in many}
    assert len(shapes) == 2  # inputs alike in size are computed in one go
    for each in many:
        T, d = each["X"].shape
        assert d != T
        assert each["gamma"].shape == (d,)
        assert max(T, d) <= 6
    again = random_inputs(SHAPES, seed=1, count=20)
    assert all((a["X"] == b["X"]).all() for a, b in zip(many, again, strict=True))
    assert random_inputs(SHAPES, seed=2, count=1)[0]["beta"][0] != many[0]["beta"][0]
    wide = random_inputs({"x": tuple("abcdefg")}, seed=0, count=1)[0]["x"].shape
    assert sorted(wide) == [2, 3, 4, 5, 6, 7, 8]


def test_hard_inputs() -> None:
    hard = hard_inputs(SHAPES, "X", seed=0)
    assert np.ptp(hard["constant row"]["X"][0]) == 0
    assert np.ptp(hard["constant row"]["X"][1]) > 0
    assert hard["one feature"]["X"].shape[1] == hard["one feature"]["gamma"].shape[0] == 1
    assert hard["huge offset"]["X"].min() > 9e5
    assert np.abs(hard["huge offset"]["dY"]).max() < 10
