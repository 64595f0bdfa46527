"""Run an example's program, and return the values of its variables.

The build records these values on the page; the browser computes them for other inputs.
"""

import platform

import numpy as np

from eqcheck import ValuePlace, observing, snapshot, value_at
from runner.imports import find_function
from runner.numbers_as_text import format_number
from runner.protocol import ExampleRequest, RequestedValueTable, ValueTable


class NotComputedError(LookupError):
    """A requested value was not computed; `key` is its key on the page."""

    def __init__(self, key: str, message: str) -> None:
        super().__init__(message)
        self.key = key


def run_example(request: ExampleRequest) -> dict[str, ValueTable]:
    """Call the program with the inputs, and return the requested values.

    Returns:
        The requested values by key. If a function ran several times, its first call counts; if a
        variable was assigned several times on one line, the first assignment.

    Raises:
        NotComputedError: a requested value was not computed.
        LookupError: the program, or the function of a requested value, does not exist.
    """
    inputs = {name: np.array(value, dtype=np.float64) for name, value in request["inputs"].items()}
    wanted = {item["key"]: (item, _place(item)) for item in request["wanted"]}
    run = find_function(request["program"])
    names = sorted({request["program"], *(place.function for _, place in wanted.values())})
    functions = [find_function(name) for name in names]
    expressions = {
        function: frozenset(
            place.name
            for _, place in wanted.values()
            if place.function == name and place.line is None
        )
        for name, function in zip(names, functions, strict=True)
    }
    seen: set[str] = set()

    def is_first(function: str, *_: object) -> bool:
        first = function not in seen
        seen.add(function)
        return first

    with (
        np.errstate(all="ignore"),  # infinities and NaN are valid results
        observing(
            functions, snapshot=snapshot, keep=is_first, expressions=expressions
        ) as activations,
    ):
        run(**inputs)
    values = {}
    for key, (item, place) in wanted.items():
        try:
            found = value_at(activations, place)
        except LookupError as error:
            raise NotComputedError(key, str(error.args[0])) from None
        values[key] = _numbers(found, item)
    return values


def _place(item: RequestedValueTable) -> ValuePlace:
    return ValuePlace(
        function=item["function"],
        name=item["name"],
        line=item["line"],
        path=tuple(item["path"]),
        occurrence=0,
    )


def _numbers(value: object, item: RequestedValueTable) -> ValueTable:
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


def environment() -> str:
    """The versions of Python and NumPy."""
    return f"Python {platform.python_version()}, NumPy {np.__version__}"
