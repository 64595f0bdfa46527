"""Runs inside a process of its own: imports the subject, runs it, and prints what happened as JSON.

The request comes as JSON on standard input, the answer goes to standard output. What the subject
prints goes to standard error.
"""

import contextlib
import dataclasses
import json
import os
import signal
import sys
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np

from eqcheck import Activation, Caller, observing
from eqcheck.instrument import instrumented_code
from site_builder.observe.example import NotComputedError, environment, find_function, run_example

Shape = list[int] | dict[str, Any]


def main() -> None:
    """Answer one request."""
    request = json.load(sys.stdin)
    root = Path(request["root"])
    # Bytecode is kept by the second: code edited twice within one would be run as it was before.
    sys.dont_write_bytecode = True
    sys.pycache_prefix = os.devnull
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as answer_to:
        os.dup2(2, 1)  # also what the subject writes past sys.stdout, or lets others write
        try:
            with _time_limit(request["time_limit"]):
                answer = _answer(request, root)
        except BaseException as error:  # noqa: BLE001 - SystemExit from the subject is one, too
            answer = {"failure": _failure(error, root)}
        answer_to.write(json.dumps(answer))  # in one piece: far faster than json.dump


def _answer(request: dict[str, Any], root: Path) -> dict[str, Any]:
    functions, expressions = _observable(request["functions"], request["expressions"])
    base = find_function(request["configuration"])()
    configs = [base, *(dataclasses.replace(base, **sizes) for sizes in request["sizes"])]
    runs = []
    for config in configs:
        with observing(
            functions, snapshot=_shape, keep=_once_per_call(), expressions=expressions
        ) as activations:
            for run in request["runs"]:
                find_function(run)(config)
        parameters = find_function(request["parameters"])(config)
        runs.append(
            {
                "dimensions": {
                    symbol: getattr(config, name) for symbol, name in request["dimensions"].items()
                },
                "activations": [_activation(activation, root) for activation in activations],
                "parameters": {name: _shape(array) for name, array in parameters.items()},
            }
        )
    decayed = find_function(request["decayed"])(base)
    parameters = find_function(request["parameters"])(base)
    return {
        "environment": environment(),
        "runs": runs,
        "starts": {name: _start(array) for name, array in parameters.items()},
        "decayed": sorted(decayed),
        "examples": {
            example["program"]: run_example(
                example["program"], example["inputs"], example["wanted"]
            )
            for example in request["examples"]
        },
    }


@contextlib.contextmanager
def _time_limit(seconds: float) -> Iterator[None]:
    def interrupt(*_: object) -> None:
        raise TimeoutError(f"was still running after {seconds:g} s")

    signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _observable(
    names: list[str], wanted: dict[str, list[str]]
) -> tuple[list[FunctionType], dict[FunctionType, frozenset[str]]]:
    """The functions that can be observed; properties, generators and the like cannot."""
    functions = []
    expressions = {}
    for name in names:
        with contextlib.suppress(LookupError, ValueError):
            function = find_function(name)
            expressions[function] = frozenset(wanted.get(name, ()))
            instrumented_code(function, expressions[function])
            functions.append(function)
    return functions, expressions


def _once_per_call() -> Callable[[str, Caller, dict[str, object]], bool]:
    """Keeps the first activation from each call with arguments of each shape."""
    seen: set[str] = set()

    def keep(function: str, caller: Caller, arguments: dict[str, object]) -> bool:
        key = f"{function} {caller} {arguments}"
        new = key not in seen
        seen.add(key)
        return new

    return keep


def _shape(value: object) -> Shape:
    """The sizes of an array, [] for a number, `items` for a tuple or list, else the type's name."""
    if isinstance(value, np.ndarray):
        return list(value.shape)
    if isinstance(value, float | int | np.number):
        return []
    if isinstance(value, tuple | list):
        return {"items": [_shape(item) for item in value]}
    return {"type": type(value).__name__}


def _activation(activation: Activation, root: Path) -> dict[str, Any]:
    caller = activation.caller
    return {
        "function": activation.function,
        "caller": [_relative(caller.path, root), caller.line, caller.column],
        "arguments": activation.arguments,
        "assigned": [[item.line, item.name, item.value] for item in activation.assigned],
        "evaluated": activation.evaluated,
        "result": activation.result,
    }


def _start(array: Any) -> str:  # noqa: ANN401 - whatever the subject keeps its parameters in
    if np.all(array == 1):
        return "ones"
    if np.all(array == 0):
        return "zeros"
    return f"random, deviation {np.std(array):.2g}"


def _failure(error: BaseException, root: Path) -> dict[str, Any]:
    """The deepest place in the project that the error went through."""
    places = [
        (path, frame.lineno or 0)
        for frame in traceback.extract_tb(error.__traceback__)
        if (path := _relative(frame.filename, root)) and not path.startswith("site_builder/")
    ]
    path, line = places[-1] if places else ("", 0)
    what = (
        str(error) if isinstance(error, TimeoutError) else f"raises {type(error).__name__}: {error}"
    )
    key = error.key if isinstance(error, NotComputedError) else ""
    return {"path": path, "line": line, "what": what, "key": key}


def _relative(path: str, root: Path) -> str:
    file = Path(path)
    return file.relative_to(root).as_posix() if file.is_relative_to(root) else ""


if __name__ == "__main__":
    main()
