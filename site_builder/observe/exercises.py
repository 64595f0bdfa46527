"""Test the check of each exercise: it must pass the solution and fail the stub."""

import json
from collections.abc import Sequence

from runner.protocol import (
    ExercisesAnswer,
    ExercisesRequest,
    ExerciseTable,
    FailureTable,
    FindingTable,
    TriedExercise,
)
from site_builder.cache import Cache, fingerprint
from site_builder.observe.process import SubjectProcess
from site_builder.observe.requests import ExerciseTrial, Request
from site_builder.problem import Place, Report
from site_builder.read.codebase import Codebase
from site_builder.version import builder_version


def try_exercises(
    process: SubjectProcess,
    codebase: Codebase,
    requests: Sequence[Request],
    cache: Cache,
    report: Report,
) -> None:
    """Run the checks; report each exercise that marks its stub or its solution wrongly."""
    exercises = [request for request in requests if isinstance(request, ExerciseTrial)]
    if not exercises or not codebase.complete:
        return
    request: ExercisesRequest = {"exercises": [_as_table(exercise) for exercise in exercises]}
    modules = [module.text for module in codebase.modules.values()]
    key = fingerprint("exercises", json.dumps(request), *modules, builder_version())
    table: ExercisesAnswer | None = cache.get(key)
    if table is None:
        answer = process.exercises(request)
        table = answer.table
        if table is None or answer.failure:
            _report_failure(answer.failure, exercises[0].place, report)
            return
        cache.put(key, table)
    for exercise, found in zip(exercises, table["answers"], strict=True):
        _report_wrong_marks(exercise, found, report)


def _report_wrong_marks(exercise: ExerciseTrial, found: TriedExercise, report: Report) -> None:
    stub, solution = found["stub"], found["solution"]
    passes = all(finding["holds"] for finding in stub["findings"])
    if stub["findings"] and passes and not stub["failure"]:
        what = f"the stub of the exercise '{exercise.id}' passes {exercise.check.dotted}"
        at = exercise.stub_place
        report.add(at, what, "leave work to do, or let the check find what is missing")
    if not solution:
        what = f"{exercise.check.dotted} yields no findings for the solution of '{exercise.id}'"
        at = exercise.solution_place
        report.add(at, what, "let it yield a finding for each property")
    wrong = [finding for finding in solution if not finding["holds"]]
    if wrong:
        says = "; ".join(_in_words(finding) for finding in wrong)
        what = f"the solution of the exercise '{exercise.id}' does not pass: {says}"
        at = exercise.solution_place
        report.add(at, what, "correct the solution, or the check")


def _in_words(finding: FindingTable) -> str:
    where = f" at {finding['where']}" if finding["where"] else ""
    return f"{finding['property']}{where}: expected {finding['expected']}, got {finding['got']}"


def _report_failure(failure: FailureTable | None, at: Place, report: Report) -> None:
    if failure and failure["path"]:
        report.add(
            Place(path=failure["path"], line=failure["line"]), failure["what"], "correct the check"
        )
    else:
        what = failure["what"] if failure else "the process ended before it finished"
        report.add(at, f"the exercises cannot be checked: {what}", "run the checks by hand")


def _as_table(exercise: ExerciseTrial) -> ExerciseTable:
    return {
        "id": exercise.id,
        "stub": exercise.stub,
        "check": exercise.check.dotted,
        "solution": [function.dotted for function in exercise.solution],
    }
