"""Run the subject under several configurations; record shapes, parameters and examples."""

import contextlib
import dataclasses
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np

from eqcheck import Activation, Caller, observing
from eqcheck.instrument import instrumented_code
from runner.examples import environment, run_example
from runner.failures import failure, relative_path
from runner.imports import find_function
from runner.programs import run_printed
from runner.protocol import (
    ActivationTable,
    FailureTable,
    RunTable,
    ShapeTable,
    StudiesAnswer,
    StudiesRequest,
    StudyTable,
)

_Observable = tuple[list[FunctionType], dict[FunctionType, frozenset[str]]]


def run_studies(request: StudiesRequest, root: Path) -> StudiesAnswer:
    """Run the subject, the lessons and the examples.

    If a run raises, the answer has the first error as its `failure`, and otherwise only the results
    of the other runs: enough to check the equations of their code.
    """
    observable = _observable(request["functions"], request["expressions"])
    parameters_of = find_function(request["parameters"])
    subject, *lessons = request["studies"]
    failures: list[FailureTable] = []
    studies = [
        _runs(subject, observable, root, parameters_of, failures),
        *(_runs(lesson, observable, root, _no_parameters, failures) for lesson in lessons),
    ]
    if failures:
        return {"failure": failures[0], "environment": environment(), "studies": studies}
    base = _configurations(subject)[0]
    return {
        "environment": environment(),
        "studies": studies,
        "starts": {name: _start(array) for name, array in parameters_of(base).items()},
        "decayed": sorted(find_function(request["decayed"])(base)),
        "examples": {name: run_example(asked) for name, asked in request["examples"].items()},
        "printed": {program: run_printed(program) for program in request["printed"]},
    }


def _runs(
    study: StudyTable,
    observable: _Observable,
    root: Path,
    parameters_of: Callable[[Any], dict[str, Any]],
    failures: list[FailureTable],
) -> list[RunTable]:
    """Run a study's code under each of its configurations; adds errors to `failures`."""
    functions, expressions = observable
    runs: list[RunTable] = []
    for config in _configurations(study):
        with observing(
            functions, snapshot=_shape, keep=_once_per_call(), expressions=expressions
        ) as activations:
            for run in study["runs"]:
                try:
                    find_function(run)(config)
                except TimeoutError:
                    raise
                except Exception as error:  # noqa: BLE001 - the code may raise anything
                    failures.append(failure(error, root))
        attributes = study["dimensions"]
        runs.append(
            {
                "attributes": attributes,
                "dimensions": {k: getattr(config, name) for k, name in attributes.items()},
                "activations": [_activation(activation, root) for activation in activations],
                "parameters": {k: _shape(array) for k, array in parameters_of(config).items()},
            }
        )
    return runs


def _no_parameters(_config: object) -> dict[str, Any]:
    return {}


def _configurations(study: StudyTable) -> list[Any]:
    """The configuration as it is, and with each set of other sizes."""
    base = find_function(study["configuration"])()
    return [base, *(dataclasses.replace(base, **sizes) for sizes in study["sizes"])]


def _observable(names: list[str], wanted: dict[str, list[str]]) -> _Observable:
    """The functions that can be observed, which excludes properties, generators and so on."""
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
    """A filter for the first activation from each call site with each set of argument shapes."""
    seen: set[str] = set()

    def keep(function: str, caller: Caller, arguments: dict[str, object]) -> bool:
        shapes = {name: _shape(value) for name, value in arguments.items()}
        key = f"{function} {caller} {shapes}"
        new = key not in seen
        seen.add(key)
        return new

    return keep


def _shape(value: object) -> ShapeTable:
    """The sizes of an array, [] for a number, `items` for a tuple or list, else the type's name."""
    if isinstance(value, np.ndarray):
        return list(value.shape)
    if isinstance(value, float | int | np.number):
        return []
    if isinstance(value, tuple | list):
        return {"items": [_shape(item) for item in value]}
    return {"type": type(value).__name__}


def _activation(activation: Activation[ShapeTable], root: Path) -> ActivationTable:
    caller = activation.caller
    return {
        "function": activation.function,
        "caller": {
            "path": relative_path(caller.path, root),
            "line": caller.line,
            "column": caller.column,
        },
        "arguments": activation.arguments,
        "assigned": [
            {"line": item.line, "name": item.name, "value": item.value}
            for item in activation.assigned
        ],
        "evaluated": activation.evaluated,
        "result": activation.result,
    }


def _start(array: Any) -> str:  # noqa: ANN401 - any array type of the subject
    if np.all(array == 1):
        return "ones"
    if np.all(array == 0):
        return "zeros"
    return f"random, deviation {np.std(array):.2g}"
