"""Run the subject in a process of its own and record what it did."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from site_builder.cache import Cache, fingerprint
from site_builder.observe.observation import Observation
from site_builder.observe.process import SubjectProcess, observing_sources
from site_builder.observe.requests import ExampleRequest, ProgramRequest, Request
from site_builder.problem import Report
from site_builder.read.anchors import CodePlace
from site_builder.read.codebase import Codebase
from site_builder.read.page import Place
from site_builder.read.settings import SETTINGS_PATH, Settings


def observe(  # noqa: PLR0913 - each is a different fact
    process: SubjectProcess,
    settings: Settings,
    codebase: Codebase,
    requests: Sequence[Request],
    cache: Cache,
    report: Report,
) -> Observation:
    """Run the subject and what the pages ask for; what cannot be run is reported, and not known."""
    if not codebase.complete:
        return Observation.nothing()
    examples = [request for request in requests if isinstance(request, ExampleRequest)]
    programs = {r.program.dotted for r in requests if isinstance(r, ProgramRequest)}
    request = _request(settings, codebase, examples, sorted(programs))
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
        at = _row_that_shows(failure["key"], examples)
        report.add(at.path, at.line, failure["what"], "show what the program computes")
    elif failure:
        place = failure["path"] or SETTINGS_PATH
        report.add(place, failure["line"], failure["what"], "make it run by itself, then build")
    elif answer.table is None:
        limit = settings.observe.time_limit
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


def _row_that_shows(key: str, examples: Iterable[ExampleRequest]) -> Place:
    return next(at for e in examples for place, at in e.places if place.anchor == key)


def _request(
    settings: Settings,
    codebase: Codebase,
    examples: Iterable[ExampleRequest],
    printed: list[str],
) -> dict[str, Any]:
    runs: dict[str, dict[str, Any]] = {}
    expressions: dict[str, set[str]] = {}
    for example in examples:
        run = runs.setdefault(
            example.run,
            {
                "run": example.run,
                "program": example.program.dotted,
                "inputs": example.starts,
                "wanted": {},
            },
        )
        for place, _ in example.places:
            run["wanted"][place.anchor] = wanted(place)
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
        "examples": [{**run, "wanted": [*run["wanted"].values()]} for run in runs.values()],
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
