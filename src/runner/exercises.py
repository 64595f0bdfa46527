"""Run the checks of exercises on their stubs, as a browser would, and on their solutions."""

from types import SimpleNamespace

from runner.edits import check_answer, findings_of
from runner.imports import find_function
from runner.protocol import ExercisesAnswer, ExercisesRequest, ExerciseTable, TriedExercise


def try_checks(request: ExercisesRequest) -> ExercisesAnswer:
    """The findings of each check for the stub and for the solution."""
    return {"answers": [_try(exercise) for exercise in request["exercises"]]}


def _try(exercise: ExerciseTable) -> TriedExercise:
    functions = [find_function(dotted) for dotted in exercise["solution"]]
    solution = SimpleNamespace(**{function.__name__: function for function in functions})
    return {
        "stub": check_answer(exercise["id"], exercise["stub"], exercise["check"]),
        "solution": findings_of(exercise["check"], solution),
    }
