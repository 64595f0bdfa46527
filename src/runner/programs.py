"""Run a program without inputs, and record its output and result."""

import contextlib
import io

import numpy as np

from runner.imports import find_function
from runner.protocol import PrintedTable


def run_printed(program: str) -> PrintedTable:
    """Call a function that needs no arguments.

    Returns:
        `output`, the text it printed, and `result`, what it returned, as JSON types.

    Raises:
        TypeError: it returned something other than numbers, strings, arrays, and lists or
            dictionaries of those.
        LookupError: there is no such function.
    """
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        result = find_function(program)()
    return {"output": output.getvalue(), "result": _plain(result)}


def _plain(value: object) -> object:
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if value is None or isinstance(value, bool | int | float | str):
        return value
    raise TypeError(f"a program cannot return a value of type {type(value).__name__}")
