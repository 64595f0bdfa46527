"""Run an example's program and say what its variables held.

This file runs twice: in the build, which records the results on the page, and in the reader's
browser, where Pyodide imports it. It needs NumPy, eqcheck and the program, and nothing else.
"""

import functools
import importlib
import json
import math
import platform
from types import FunctionType
from typing import Any

import numpy as np

from eqcheck import Activation, observing

_SMALLEST, _LARGEST = 1e-4, 1e9  # between these, four decimals say enough


class NotComputedError(LookupError):
    """Something wanted was not computed; `key` is what the caller calls it."""

    def __init__(self, key: str, message: str) -> None:
        super().__init__(message)
        self.key = key


Value = dict[str, Any]  # {"shape": [1, 4], "numbers": ["1.0", …], "texts": ["1", …]}


def run_json(request: str) -> str:
    """`run_example` for a caller that speaks JSON; an error becomes `{"error": …}`."""
    try:
        answer: dict[str, Any] = {"values": run_example(**json.loads(request))}
    except Exception as error:  # noqa: BLE001 - whatever the program raised is shown to the reader
        answer = {"error": f"{type(error).__name__}: {error}"}
    return json.dumps(answer)


def run_example(
    program: str, inputs: dict[str, Any], wanted: list[dict[str, Any]]
) -> dict[str, Value]:
    """Call the program with the inputs and pick the wanted values out of what ran.

    Args:
        program: dotted name of a function that takes the inputs as arrays, by name.
        inputs: nested lists of numbers, or of texts that `float` reads (`nan`, `1e308`).
        wanted: what to pick, each with `key`, `function` (dotted), `kind` (parameter, assignment,
            return or expression), `name`, `first` and `last` line, `index` into a returned tuple.

    Returns:
        By key: the shape, each number exactly (`repr`), and each as the page shows it. Where a
        function ran several times, the first run counts.

    Raises:
        NotComputedError: something wanted was not computed.
        LookupError: there is no such program, or no function that something is wanted of.
    """
    arrays = {name: np.array(value, dtype=np.float64) for name, value in inputs.items()}
    run = find_function(program)
    names = sorted({program, *(item["function"] for item in wanted)})
    functions = [find_function(name) for name in names]
    expressions = {
        function: frozenset(
            item["name"]
            for item in wanted
            if item["kind"] == "expression" and item["function"] == name
        )
        for name, function in zip(names, functions, strict=True)
    }
    seen: set[str] = set()

    def is_first(function: str, *_: object) -> bool:
        first = function not in seen
        seen.add(function)
        return first

    with (
        np.errstate(all="ignore"),  # infinities and NaN are results like any other
        observing(functions, keep=is_first, expressions=expressions) as activations,
    ):
        run(**arrays)
    by_name = {activation.function: activation for activation in activations}
    return {item["key"]: _numbers(_pick(by_name, item), item) for item in wanted}


@functools.cache
def find_function(dotted: str) -> FunctionType:
    """Import the function or method with that dotted name.

    Raises:
        LookupError: there is none.
    """
    parts = dotted.split(".")
    for length in range(len(parts) - 1, 0, -1):
        try:
            found: Any = importlib.import_module(".".join(parts[:length]))
        except ModuleNotFoundError:
            continue
        for part in parts[length:]:
            found = getattr(found, part, None)
        if isinstance(found, FunctionType):
            return found
    raise LookupError(f"there is no function {dotted}")


def _pick(activations: dict[str, Activation], item: dict[str, Any]) -> object:
    activation = activations.get(item["function"])
    if activation is None:
        raise NotComputedError(item["key"], f"{item['function']} was not called")
    name = item["name"]
    if item["kind"] == "parameter":
        return activation.arguments[name]
    if item["kind"] == "expression":
        if name not in activation.evaluated:
            raise NotComputedError(item["key"], f"{item['function']} did not compute {name}")
        return activation.evaluated[name]
    if item["kind"] == "return":
        value: Any = activation.result
        for position in item["index"]:
            if not isinstance(value, tuple | list) or len(value) <= position:
                what = f"{item['function']} returned nothing at {item['index']}"
                raise NotComputedError(item["key"], what)
            value = value[position]
        return value
    for assigned in activation.assigned:
        if assigned.name == name and item["first"] <= assigned.line <= item["last"]:
            return assigned.value
    raise NotComputedError(item["key"], f"{item['function']} did not assign {name}")


def _numbers(value: object, item: dict[str, Any]) -> Value:
    try:
        array = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        what = f"{item['name']} of {item['function']} holds no numbers but a {type(value).__name__}"
        raise NotComputedError(item["key"], what) from None
    numbers = [float(number) for number in array.ravel()]
    return {
        "shape": list(array.shape),
        "numbers": [repr(number) for number in numbers],
        "texts": [format_number(number) for number in numbers],
    }


def format_number(number: float) -> str:
    """Four decimals without idle zeros; powers of ten where those would say too little or much."""
    magnitude = abs(number)
    if not math.isfinite(number):
        return str(number)
    if magnitude != 0 and not _SMALLEST <= magnitude < _LARGEST:
        mantissa, _, exponent = f"{number:.{1 if magnitude < 1 else 4}e}".partition("e")
        return f"{mantissa.rstrip('0').rstrip('.')}e{int(exponent)}"
    text = f"{number:.4f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def largest_difference_json(request: str) -> str:
    """The largest gap between two results of `run_example`, given as a JSON list of the two."""
    first, second = json.loads(request)
    gaps = [
        _gap(float(a), float(b))
        for key in first
        for a, b in zip(first[key]["numbers"], second[key]["numbers"], strict=True)
    ]
    return format_number(float(np.max(gaps, initial=0.0)))  # unlike max, NaN counts


def _gap(a: float, b: float) -> float:
    same = a == b or (np.isnan(a) and np.isnan(b))
    return 0.0 if same else abs(a - b)


def environment() -> str:
    """Which Python and which NumPy run here."""
    return f"Python {platform.python_version()}, NumPy {np.__version__}"
