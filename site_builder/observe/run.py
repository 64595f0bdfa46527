"""Run the subject in a process of its own and record what it did."""

import json
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from site_builder.cache import Cache, fingerprint
from site_builder.observe.observation import Observation
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
    kept = cache.get(key)
    if kept is not None:
        return Observation.from_table(kept)
    answer = process.ask("watch", request)
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
    if answer.table and "studies" in answer.table:
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
) -> dict[str, Any]:
    programs: dict[str, dict[str, Any]] = {}
    expressions: dict[str, set[str]] = {}
    for block in live:
        program = programs.setdefault(
            block.run,
            {
                "run": block.run,
                "program": block.program.dotted,
                "inputs": block.starts,
                "wanted": {},
            },
        )
        for place in block.observed():
            program["wanted"][place.anchor] = wanted(place)
            if place.kind == "expression" and place.function:
                expressions.setdefault(place.function.dotted, set()).add(place.name)
    observed = settings.observe
    return {
        "studies": [asdict(study) for study in observed.studies],
        "parameters": observed.parameters,
        "decayed": observed.decayed,
        "functions": [
            function.dotted
            for function in codebase.functions.values()
            if not function.module.startswith("tests")
        ],
        "printed": printed,
        "expressions": {name: sorted(texts) for name, texts in sorted(expressions.items())},
        "examples": [
            {**program, "wanted": [*program["wanted"].values()]} for program in programs.values()
        ],
    }


def wanted(place: CodePlace) -> dict[str, Any]:
    """What `run_example` needs to know to pick the value at a place."""
    return {
        "key": place.anchor,
        "function": place.function.dotted if place.function else "",
        "kind": place.kind,
        "name": place.name,
        "first": place.span.first,
        "last": place.span.last,
        "index": list(place.index),
    }
