import json
import math
from collections.abc import Mapping

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from runner.browser import largest_difference_json, run_json
from runner.examples import run_example
from runner.imports import find_function
from runner.numbers_as_text import format_number
from runner.protocol import Numbers, RequestedValueTable, ValueTable
from tinygpt.arrays import Array

PROGRAM = "lessons.layer_norm_row.run"
INPUTS: dict[str, Numbers] = {
    "X": [[1, 2, 3, 6]],
    "gamma": [1, 1, 1, 2],
    "beta": [0, 0, 0, 1],
    "dY": [[1, 0, 0, 1]],
}
FORWARD = "tinygpt.ops.layer_norm_forward"
BACKWARD = "tinygpt.ops.layer_norm_backward"


def wanted(function: str, name: str, *path: int, line: int | None = None) -> RequestedValueTable:
    key = f"{name}{''.join(f'[{number}]' for number in path)}"
    return {"key": key, "function": function, "name": name, "line": line, "path": [*path]}


def values_of(
    program: str, inputs: Mapping[str, Numbers], items: list[RequestedValueTable]
) -> dict[str, ValueTable]:
    return run_example({"program": program, "inputs": inputs, "wanted": items})


def texts(X: Numbers, *items: RequestedValueTable) -> dict[str, list[str]]:
    values = values_of(PROGRAM, {**INPUTS, "X": X}, [*items])
    return {key: value["texts"] for key, value in values.items()}


def test_parameters_assignments_returns_and_expressions() -> None:
    mean = "dXhat.mean(axis=-1, keepdims=True)"
    values = values_of(
        PROGRAM,
        INPUTS,
        [
            wanted(FORWARD, "X"),
            wanted(FORWARD, "epsilon"),
            wanted(FORWARD, "mu"),
            wanted(FORWARD, "return", 0),
            wanted(FORWARD, "return", 1, 1),
            wanted(BACKWARD, mean),
        ],
    )
    assert {key: value["texts"] for key, value in values.items()} == {
        "X": ["1", "2", "3", "6"],
        "epsilon": ["1e-5"],
        "mu": ["3"],
        "return[0]": ["-1.069", "-0.5345", "0", "4.2071"],
        "return[1][1]": ["0.5345"],
        mean: ["0.75"],
    }
    assert values["mu"]["shape"] == [1, 1]
    assert values["epsilon"]["shape"] == []
    assert values["return[0]"]["numbers"][2] == "0.0"


def changed_later(X: Array) -> tuple[Array, list[float]]:
    before = X
    rows = (before, [X[0, 0]])
    X[:] = 0.0
    rows[1][0] = 0.0
    return rows


def test_values_are_those_of_their_moment() -> None:
    function = f"{__name__}.changed_later"
    items = [
        wanted(function, "X"),
        wanted(function, "before"),
        wanted(function, "return", 0),
    ]
    values = values_of(function, {"X": [[3.0, 4.0]]}, items)
    assert {key: value["texts"] for key, value in values.items()} == {
        "X": ["3", "4"],
        "before": ["3", "4"],
        "return[0]": ["0", "0"],
    }


def test_the_first_run_counts() -> None:
    # check_gradients calls the forward again and again with nudged numbers, those of beta last.
    values = values_of(PROGRAM, INPUTS, [wanted(FORWARD, "beta")])
    assert values["beta"]["numbers"] == ["0.0", "0.0", "0.0", "1.0"]


def test_all_equal_values_show_what_epsilon_is_for() -> None:
    shown = texts([[2, 2, 2, 2]], wanted(FORWARD, "var"), wanted(FORWARD, "s"))
    assert shown == {"var": ["0"], "s": [format_number(1 / math.sqrt(1e-5))]}


@pytest.mark.parametrize(
    ("X", "var", "s"),
    [
        ([["nan", 1, 2, 3]], "nan", "nan"),
        ([["inf", 1, 2, 3]], "nan", "nan"),
        ([["-inf", "inf", 2, 3]], "nan", "nan"),
        ([["1e308", 0, 0, 0]], "inf", "0"),
        ([[1e308, 1e308, 1e308, 1e308]], "inf", "0"),
        ([["1e200", "-1e200", 0, 0]], "inf", "0"),
    ],
)
def test_what_is_no_ordinary_number_gives_a_result(X: Numbers, var: str, s: str) -> None:
    shown = texts(X, wanted(FORWARD, "var"), wanted(FORWARD, "s"))
    assert shown == {"var": [var], "s": [s]}


def test_nothing_but_numbers_leaves_the_results() -> None:
    request = {
        "program": PROGRAM,
        "inputs": {**INPUTS, "X": [["nan", "inf", "1e308", "-0"]]},
        "wanted": [wanted(BACKWARD, "dX"), wanted(FORWARD, "X")],
    }
    text = run_json(json.dumps(request))
    answer = json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))
    assert answer["values"]["X"]["numbers"] == ["nan", "inf", "1e+308", "-0.0"]
    assert answer["values"]["X"]["texts"][3] == "0"


@pytest.mark.parametrize(
    ("item", "message"),
    [
        (wanted("tinygpt.ops.gelu_forward", "u"), "gelu_forward was not called"),
        (wanted(FORWARD, "sigma"), "layer_norm_forward assigns no sigma"),
        (wanted("tinygpt.ops.nothing", "x"), "no function tinygpt.ops.nothing"),
        (wanted("tinygpt.ops.GELU_CUBIC", "x"), "no function tinygpt.ops.GELU_CUBIC"),
        (wanted("nothing.at.all", "x"), "there is no function nothing.at.all"),
        (wanted(FORWARD, "X.max()"), "layer_norm_forward did not compute X.max()"),
        (wanted(FORWARD, "return", 2), "returned nothing at [2]"),
        (wanted(FORWARD, "return", 0, 0), "returned nothing at [0, 0]"),
        (
            wanted("lessons.layer_norm_row.check_gradients.weighted_sum", "return"),
            "there is no function",
        ),
    ],
)
def test_what_was_not_computed_says_so(item: RequestedValueTable, message: str) -> None:
    request = {"program": PROGRAM, "inputs": INPUTS, "wanted": [item]}
    answer = json.loads(run_json(json.dumps(request)))
    assert message in answer["error"]
    assert answer["error"].startswith(("LookupError: ", "NotComputedError: "))


def test_an_error_of_the_program_is_told() -> None:
    request = {"program": PROGRAM, "inputs": {**INPUTS, "gamma": [1, 2]}, "wanted": []}
    answer = json.loads(run_json(json.dumps(request)))
    assert answer["error"].startswith("ValueError: operands could not be broadcast")


def test_find_function_finds_methods() -> None:
    assert find_function("tinygpt.optimizer.AdamW.step").__qualname__ == "AdamW.step"


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0.0, "0"),
        (-0.0, "0"),
        (1.0, "1"),
        (-1.5, "-1.5"),
        (0.53452, "0.5345"),
        (-0.00004, "-4e-5"),
        (4.7e-11, "4.7e-11"),
        (0.9999999, "1"),
        (0.0001, "0.0001"),
        (float("inf"), "inf"),
        (float("-inf"), "-inf"),
        (float("nan"), "nan"),
        (1e308, "1e308"),
        (1000003.0, "1000003"),
    ],
)
def test_numbers_as_the_page_shows_them(number: float, text: str) -> None:
    assert format_number(number) == text


@given(st.floats(-1.79e308, 1.79e308))
@example(-1e-5)
@example(99999.99999)
@example(999999999.9)
@example(9.9996e-5)
@example(5e-324)
def test_shown_numbers_read_back_within_their_rounding(number: float) -> None:
    text = format_number(number)
    read = float(text)
    assert abs(read - number) <= 5.1e-5 or abs(read - number) <= 0.051 * abs(number)
    assert not text.startswith("-0") or float(text) < 0
    assert (read > 0) - (read < 0) == (number > 0) - (number < 0)
    assert len(text) <= 16


def test_numbers_of_numpy_are_shown_alike() -> None:
    assert format_number(np.float64(0.75)) == "0.75"


def difference(first: list[str], second: list[str]) -> str:
    return largest_difference_json(json.dumps([{"a": {"numbers": first}},
                                               {"a": {"numbers": second}}]))  # fmt: skip


@pytest.mark.parametrize(
    ("first", "second", "gap"),
    [
        (["1.0", "2.0"], ["1.0", "2.0"], "0"),
        (["1.0", "2.0"], ["1.5", "2.25"], "0.5"),
        (["nan", "inf", "-inf"], ["nan", "inf", "-inf"], "0"),
        (["nan", "1.0"], ["1.0", "1.0"], "nan"),
        (["1.0", "nan"], ["1.5", "2.0"], "nan"),
        (["inf"], ["1.0"], "inf"),
        (["inf"], ["-inf"], "inf"),
        (["0.0"], ["-0.0"], "0"),
        ([], [], "0"),
    ],
)
def test_largest_difference(first: list[str], second: list[str], gap: str) -> None:
    assert difference(first, second) == gap


def test_results_of_different_size_are_not_compared_in_silence() -> None:
    with pytest.raises(ValueError, match=r"longer|shorter"):
        difference(["1.0"], ["1.0", "2.0"])
