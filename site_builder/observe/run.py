"""Run the subject in a process of its own and record what it did."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from site_builder.cache import Cache, fingerprint
from site_builder.observe.observation import Observation
from site_builder.problem import Report
from site_builder.read.anchors import CodePlace
from site_builder.read.codebase import Codebase
from site_builder.read.example import Example
from site_builder.read.page import Place
from site_builder.read.settings import SETTINGS_PATH, Settings

_GRACE = 10.0  # seconds for a process that does not heed its own time limit


@dataclass(frozen=True, slots=True, kw_only=True)
class _Answer:
    table: dict[str, Any] | None
    exit_code: int
    output: str


def observe(  # noqa: PLR0913 - the observation depends on all of these
    root: Path,
    settings: Settings,
    codebase: Codebase,
    examples: Iterable[Example],
    cache: Cache,
    report: Report,
) -> Observation:
    """Run the subject and the examples; what cannot be run is reported, and nothing is known."""
    if not codebase.complete:
        return Observation.nothing()
    request = _request(settings, codebase, examples)
    key = fingerprint(
        "observation",
        sys.version,
        json.dumps(request, sort_keys=True),
        *(f"{module.path}\n{module.text}" for module in codebase.modules.values()),
        *_own_sources(),
    )
    kept = cache.get(key)
    if kept is not None:
        return Observation.from_table(kept)
    answer = _ask(root, request, settings.observe.time_limit)
    failure = (answer.table or {}).get("failure")
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
    return Observation.nothing()


def _row_that_shows(key: str, examples: Iterable[Example]) -> Place:
    return next(
        row.place
        for example in examples
        for row in example.rows
        if any(place.anchor == key for place in row.observed())
    )


def _request(settings: Settings, codebase: Codebase, examples: Iterable[Example]) -> dict[str, Any]:
    programs: dict[str, dict[str, Any]] = {}
    expressions: dict[str, set[str]] = {}
    for example in examples:
        program = programs.setdefault(
            example.program.dotted,
            {"program": example.program.dotted, "inputs": example.starts, "wanted": {}},
        )
        for place in example.observed():
            program["wanted"][place.anchor] = wanted(place)
            if place.kind == "expression" and place.function:
                expressions.setdefault(place.function.dotted, set()).add(place.name)
    observed = settings.observe
    return {
        "time_limit": observed.time_limit,
        "configuration": observed.configuration,
        "runs": observed.runs,
        "parameters": observed.parameters,
        "decayed": observed.decayed,
        "sizes": observed.sizes,
        "dimensions": settings.dimensions,
        "functions": [
            function.dotted
            for function in codebase.functions.values()
            if not function.module.startswith("tests")
        ],
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


def _own_sources() -> list[bytes]:
    """The code that observes: when it changes, what was kept is no longer good."""
    here = Path(__file__).parent
    eqcheck = here.parent.parent / "src" / "eqcheck"
    return [
        file.read_bytes() for file in [*sorted(here.glob("*.py")), *sorted(eqcheck.glob("*.py"))]
    ]


def _ask(root: Path, request: dict[str, Any], time_limit: float) -> _Answer:
    builder = Path(__file__).parent.parent.parent
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(root / "src"), str(builder / "src"), str(builder)]),
        "PYTHONHASHSEED": "0",
        "PYTHONSAFEPATH": "1",
    }
    process = subprocess.Popen(
        [sys.executable, "-m", "site_builder.observe.child"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=root,
        env=environment,
        start_new_session=True,  # so that what the subject starts can be ended with it
        text=True,
        encoding="utf-8",
        errors="replace",  # the subject may print any bytes
    )
    question = json.dumps({**request, "root": str(root)})
    try:
        answer, output = process.communicate(question, timeout=time_limit + _GRACE)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        answer, output = process.communicate()
    try:
        return _Answer(table=json.loads(answer), exit_code=process.returncode, output=output)
    except json.JSONDecodeError:
        return _Answer(table=None, exit_code=process.returncode, output=output)
