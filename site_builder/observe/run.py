"""Run the subject in a process of its own and record what it did."""

import json
from collections.abc import Iterable

from runner.protocol import ExampleRequest, StudiesAnswer, StudiesRequest, WantedTable
from site_builder.cache import Cache, fingerprint
from site_builder.observe.observation import Observation, value_place
from site_builder.observe.process import SubjectProcess, observing_sources
from site_builder.problem import Report
from site_builder.read.anchors import CodePlace
from site_builder.read.codebase import Codebase
from site_builder.read.live import Live
from site_builder.read.page import Place
from site_builder.read.project import Project
from site_builder.read.settings import SETTINGS_PATH, Settings


def observe(process: SubjectProcess, project: Project, cache: Cache, report: Report) -> Observation:
    """Run the subject and the examples; what cannot be run is reported, and not known."""
    codebase, live = project.codebase, project.live.values()
    if not codebase.complete:
        return Observation.nothing()
    request = _request(project.settings, codebase, live, sorted(project.programs))
    key = fingerprint(
        "observation",
        json.dumps(request, sort_keys=True),
        *(f"{module.path}\n{module.text}" for module in codebase.modules.values()),
        *observing_sources(),
    )
    cached: StudiesAnswer | None = cache.get(key)
    if cached is not None:
        return Observation.from_table(cached)
    answer = process.studies(request)
    failure = answer.failure
    if failure and failure["key"]:
        at = _row_that_shows(failure["key"], live)
        report.add(at.path, at.line, failure["what"], "show what the program computes")
    elif failure:
        place = failure["path"] or SETTINGS_PATH
        report.add(place, failure["line"], failure["what"], "make it run by itself, then build")
    elif answer.table is None:
        limit = project.settings.observe.time_limit
        last = (answer.output.strip().splitlines() or ["no output"])[-1]
        what = f"the code ended with exit code {answer.exit_code} before it was done ({last})"
        report.add(SETTINGS_PATH, 0, what, f"run what [observe] names by hand; limit {limit:g} s")
    else:
        cache.put(key, answer.table)
        return Observation.from_table(answer.table)
    report.go_blind()
    if answer.table:
        return Observation.from_table(answer.table)
    return Observation.nothing()


def _row_that_shows(key: str, live: Iterable[Live]) -> Place:
    return next(
        row.place
        for block in live
        for row in block.rows
        if any(place.anchor == key for place in row.observed())
    )


def _request(
    settings: Settings, codebase: Codebase, live: Iterable[Live], printed: list[str]
) -> StudiesRequest:
    examples: dict[str, ExampleRequest] = {}
    expressions: dict[str, set[str]] = {}
    for block in live:
        example = examples.setdefault(
            block.run, {"program": block.program.dotted, "inputs": block.starts, "wanted": []}
        )
        for place in block.observed():
            if (item := wanted(place)) not in example["wanted"]:
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


def wanted(place: CodePlace) -> WantedTable:
    """What `run_example` needs to know to pick the value at a place."""
    at = value_place(place)
    return {
        "key": place.anchor,
        "function": at.function,
        "name": at.name,
        "line": at.line,
        "path": [*at.path],
    }
