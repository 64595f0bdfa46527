"""Run the subject in its own process, and record the results."""

import json
from collections.abc import Iterable, Sequence

from runner.protocol import ExampleRequest, RequestedValueTable, StudiesRequest
from site_builder.cache import Cache, fingerprint
from site_builder.observe.observation import Observation, value_place
from site_builder.observe.process import SubjectProcess
from site_builder.observe.requests import ExampleRun, ProgramRun, Request
from site_builder.problem import Place, Report
from site_builder.read.anchors import CodePlace
from site_builder.read.codebase import Codebase
from site_builder.read.settings import SETTINGS_PATH, Settings
from site_builder.version import builder_version


def observe(  # noqa: PLR0913 - each is a different fact
    process: SubjectProcess,
    settings: Settings,
    codebase: Codebase,
    requests: Sequence[Request],
    cache: Cache,
    report: Report,
) -> Observation:
    """Run the subject and what the pages request; report what fails, and leave it out."""
    if not codebase.complete:
        return Observation.nothing()
    runs = [request for request in requests if isinstance(request, ExampleRun)]
    programs = {r.program.dotted for r in requests if isinstance(r, ProgramRun)}
    request = _request(settings, codebase, runs, sorted(programs))
    key = fingerprint(
        "observation",
        json.dumps(request, sort_keys=True),
        *(f"{module.path}\n{module.text}" for module in codebase.modules.values()),
        builder_version(),
    )
    cached: Observation | None = cache.latest("observation", key)
    if cached:
        return cached
    answer = process.studies(request)
    failure = answer.failure
    if failure and failure["key"]:
        at = _row_that_shows(failure["key"], runs)
        report.add(at, failure["what"], "show a value that the program computes")
    elif failure:
        place = failure["path"] or SETTINGS_PATH
        report.add(
            Place(path=place, line=failure["line"]),
            failure["what"],
            "make it run on its own, then build again",
        )
    elif answer.table is None:
        limit = settings.observe.time_limit
        last = (answer.output.strip().splitlines() or ["no output"])[-1]
        what = f"the code ended with exit code {answer.exit_code} before it finished ({last})"
        remedy = f"run the functions of [observe] by hand; the time limit is {limit:g} s"
        report.add(Place(path=SETTINGS_PATH), what, remedy)
    else:
        observation = Observation.from_table(answer.table)
        cache.keep("observation", key, observation)
        return observation
    report.mark_incomplete()
    if answer.table:
        return Observation.from_table(answer.table)
    return Observation.nothing()


def _row_that_shows(key: str, runs: Iterable[ExampleRun]) -> Place:
    return next(at for run in runs for place, at in run.places if place.anchor == key)


def _request(
    settings: Settings,
    codebase: Codebase,
    runs: Iterable[ExampleRun],
    printed: list[str],
) -> StudiesRequest:
    examples: dict[str, ExampleRequest] = {}
    expressions: dict[str, set[str]] = {}
    for run in runs:
        example = examples.setdefault(
            run.run, {"program": run.program.dotted, "inputs": run.starts, "wanted": []}
        )
        for place, _ in run.places:
            if (item := requested_value(place)) not in example["wanted"]:
                example["wanted"].append(item)
            if place.kind == "expression" and place.function:
                expressions.setdefault(place.function.dotted, set()).add(place.name)
    observed = settings.observe
    return {
        "studies": [
            {
                "configuration": study.configuration,
                "runs": [*study.runs],
                "sizes": [*study.sizes],
                "dimensions": study.dimensions,
            }
            for study in observed.studies
        ],
        "parameters": observed.parameters,
        "decayed": observed.decayed,
        "functions": [
            function.dotted
            for function in codebase.functions.values()
            if not function.module.startswith("tests")
        ],
        "printed": printed,
        "expressions": {name: sorted(texts) for name, texts in sorted(expressions.items())},
        "examples": examples,
    }


def requested_value(place: CodePlace) -> RequestedValueTable:
    """The request to `run_example` for the value at a place."""
    at = value_place(place)
    return {
        "key": place.anchor,
        "function": at.function,
        "name": at.name,
        "line": at.line,
        "path": [*at.path],
    }
