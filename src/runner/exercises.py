"""Run the checks of exercises: on the stub, as a browser would, and on the solution."""

from types import SimpleNamespace

from runner.edits import check_answer, findings_of
from runner.imports import find_function
from runner.protocol import ExercisesAnswer, ExercisesRequest, ExerciseTable, TriedExercise


def try_checks(request: ExercisesRequest) -> ExercisesAnswer:
    """What each check says of the stub and of the solution."""
    return {"answers": [_try(exercise) for exercise in request["exercises"]]}


def _try(exercise: ExerciseTable) -> TriedExercise:
    functions = [find_function(dotted) for dotted in exercise["solution"]]
    solution = SimpleNamespace(**{function.__name__: function for function in functions})
    return {
        "stub": check_answer(exercise["id"], exercise["stub"], exercise["check"]),
        "solution": findings_of(exercise["check"], solution),
    }
