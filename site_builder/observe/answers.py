"""Runs the checks of exercises: on the stub, as a browser would, and on the solution."""

import json
from dataclasses import asdict
from types import SimpleNamespace
from typing import Any

from site_builder.observe.example import find_function
from site_builder.observe.reader_code import check_answer_json


def check_exercises(request: dict[str, Any]) -> dict[str, Any]:
    """Answer a request of `site_builder.observe.exercises`: what each check says of both."""
    return {"answers": [_check(exercise) for exercise in request["exercises"]]}


def _check(exercise: dict[str, Any]) -> dict[str, Any]:
    stub = {"cell": exercise["id"], "text": exercise["stub"], "check": exercise["check"]}
    functions = [find_function(dotted) for dotted in exercise["solution"]]
    solution = SimpleNamespace(**{function.__name__: function for function in functions})
    return {
        "stub": json.loads(check_answer_json(json.dumps(stub))),
        "solution": [asdict(finding) for finding in find_function(exercise["check"])(solution)],
    }
