"""Compare the equations of the pages with the code."""

from collections.abc import Sequence
from dataclasses import dataclass

from runner.mentions import mentions
from runner.protocol import (
    CheckTable,
    ComparedTable,
    EquationAnswer,
    EquationsAnswer,
    EquationTable,
    FailureTable,
    PageCheck,
    SymbolPlaceTable,
)
from site_builder.cache import Cache, fingerprint
from site_builder.observe.observation import Observation
from site_builder.observe.process import SubjectProcess, TaskResult
from site_builder.observe.requests import EquationCheck
from site_builder.observe.sizes import Sizes, UnknownSizeError
from site_builder.observe.verdict_keys import program_code, verdict_keys
from site_builder.problem import Place, Report
from site_builder.read.anchors import CodePlace, assignment_number
from site_builder.read.codebase import Codebase
from site_builder.read.equations import Equation
from site_builder.read.page import Option
from site_builder.version import builder_version


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """An equation that holds.

    Attributes:
        inputs: on how many inputs it was compared.
        relative: the largest difference between its sides, relative to the size of the operands,
            as rounding errors are.
        absolute: the largest absolute difference.
        methods: how its derivatives were computed, if it has any.
    """

    inputs: int
    relative: float
    absolute: float
    methods: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EquationResults:
    """Results of checking the equations of all pages.

    Attributes:
        verdicts: one for each equation that holds, by id; the others were reported.
        checks: for each page with a check, by slug, what the browser needs to check it again on
            edited code.
    """

    verdicts: dict[str, Verdict]
    checks: dict[str, PageCheck]


@dataclass(frozen=True, slots=True, kw_only=True)
class EquationsOfPage:
    """The equations of a page, how to check them, and where their symbols' values are found.

    Attributes:
        version: a fingerprint of the page's text.
        check: None if the page has no check, or its check was reported.
        has_check: whether it has one.
        symbols: places in the code by the symbol's LaTeX.
    """

    slug: str
    version: str
    check: EquationCheck | None
    has_check: bool
    equations: tuple[Equation, ...]
    symbols: dict[str, CodePlace]


def verify_equations(  # noqa: PLR0913 - each is a different fact
    process: SubjectProcess,
    codebase: Codebase,
    pages: Sequence[EquationsOfPage],
    observation: Observation,
    cache: Cache,
    report: Report,
) -> EquationResults:
    """Check the equations of all pages."""
    _report_never_executed(pages, report)
    verdicts: dict[str, Verdict] = {}
    requests: dict[str, PageCheck] = {}
    if not observation.runs:
        return EquationResults(verdicts=verdicts, checks=requests)
    for page in (page for page in pages if page.check):
        name, key = f"verdicts-{page.slug}", _page_key(page, codebase, observation)
        found: _PageResults | None = cache.latest(name, key)
        if found is None:
            own = Report()
            found = _verify_page(process, codebase, page, observation, cache, own)
            if own.is_empty:
                cache.keep(name, key, found)
            report.extend(own)
        verdicts |= found.verdicts
        if found.check:
            requests[page.slug] = found.check
    return EquationResults(verdicts=verdicts, checks=requests)


def _page_key(page: EquationsOfPage, codebase: Codebase, observation: Observation) -> str:
    assert page.check  # noqa: S101 - the caller selects pages with a check
    return fingerprint(
        builder_version(),
        page.version,
        codebase.names_and_calls,
        *program_code(page.check, codebase),
        observation.version,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _PageResults:
    """The verdicts of a page, and what the browser needs to recheck it."""

    verdicts: dict[str, Verdict]
    check: PageCheck | None


def _verify_page(  # noqa: PLR0913 - each is a different fact
    process: SubjectProcess,
    codebase: Codebase,
    page: EquationsOfPage,
    observation: Observation,
    cache: Cache,
    report: Report,
) -> _PageResults:
    """Check the equations of a page."""
    check = page.check
    assert check  # noqa: S101 - the caller selects pages with a check
    checked = {e.id: e for e in page.equations if e.unchecked is None}
    request = check_request(check, page, codebase, observation, report)
    if not request:
        return _PageResults(verdicts={}, check=None)
    if not observation.complete:
        known = request["symbols"].keys() | request["places"].keys()
        checked = _without(page.symbols.keys() - known, checked)
    defining = {f"definition {n}": option for n, option in enumerate(check.definitions)}
    latex = {id_: equation.latex for id_, equation in checked.items()}
    latex |= {id_: option.value for id_, option in defining.items()}
    tables = _tables(process, request, latex, program_code(check, codebase), cache)
    if isinstance(tables, TaskResult):
        _report_failure(tables.failure, check, report)
        return _PageResults(verdicts={}, check=None)
    verdicts = {}
    for id_, table in tables.items():
        if id_ in defining:
            _report_unreadable(table, defining[id_], report)
        elif verdict := _verdict(table, checked[id_], report):
            verdicts[id_] = verdict
    asked: list[EquationTable] = [{"id": e.id, "latex": e.latex} for e in checked.values()]
    gradients = check.gradients.dotted if check.gradients else ""
    return _PageResults(
        verdicts=verdicts,
        check={"equations": {**request, "equations": asked}, "gradients": gradients},
    )


def _report_unreadable(table: EquationAnswer, definition: Option, report: Report) -> None:
    if "error" in table:
        what = f"this definition cannot be used: {table['error']} (column {table['position'] + 1})"
        report.add(definition.place, what, "correct it")


def _without(symbols: set[str], equations: dict[str, Equation]) -> dict[str, Equation]:
    return {
        id_: equation
        for id_, equation in equations.items()
        if not any(mentions(equation.latex, symbol) for symbol in symbols)
    }


def _report_never_executed(pages: Sequence[EquationsOfPage], report: Report) -> None:
    for equation in (e for page in pages if not page.has_check for e in page.equations):
        if equation.unchecked is None:
            what = f"the equation '{equation.id}' is never executed"
            remedy = "add a {check} to the page, or ':unchecked:' with the reason"
            report.add_if_complete(equation.place, what, remedy)


def _tables(
    process: SubjectProcess,
    request: CheckTable,
    equations: dict[str, str],
    code: list[str],
    cache: Cache,
) -> EquationsAnswer | TaskResult[EquationsAnswer]:
    """The answer for each equation, new or cached; if a task failed, its result instead."""
    keys = verdict_keys(request, equations, code)
    found: dict[str, EquationAnswer | None] = {id_: cache.get(key) for id_, key in keys.items()}
    missing = [id_ for id_, table in found.items() if table is None]
    if missing:
        asked: list[EquationTable] = [{"id": id_, "latex": equations[id_]} for id_ in missing]
        answer = process.equations({**request, "equations": asked})
        if answer.table is None or answer.failure:
            return answer
        for id_, table in answer.table.items():
            found[id_] = table
            cache.put(keys[id_], table)
    return {id_: table for id_, table in found.items() if table is not None}


def check_request(
    check: EquationCheck,
    page: EquationsOfPage,
    codebase: Codebase,
    observation: Observation,
    report: Report,
) -> CheckTable | None:
    """The request to run the equations of a page; None after a report."""
    sizes = Sizes([run.dimensions for run in observation.runs_of(check.program)])
    reached = {function.dotted for function in codebase.reached_from(check.program)}
    symbols: dict[str, list[str]] = {}
    places: dict[str, CodePlace] = {}
    shapes: dict[str, list[str]] = {}
    try:
        for latex, place in page.symbols.items():
            if place.function and place.function.dotted in reached:
                places[latex] = place
            elif observed := observation.shapes_at(place):
                symbols[latex] = sizes.axes(observed)
        for parameter in check.program.parameters:
            observed = observation.parameter_shapes(check.program, parameter.name)
            shapes[parameter.name] = sizes.axes(observed)
    except UnknownSizeError as error:
        report.add(check.place, f"the equations cannot be checked: {error}",
                   "add the dimension to site.toml")  # fmt: skip
        return None
    inputs = {
        latex: place.name for latex, place in places.items()
        if place.kind == "parameter" and place.name in shapes
    }  # fmt: skip
    functions = sorted({p.function.dotted for p in places.values() if p.function})
    expressions: dict[str, list[str]] = {}
    for place in places.values():
        if place.kind == "expression" and place.function:
            expressions.setdefault(place.function.dotted, []).append(place.name)
    return {
        "program": check.program.dotted,
        "functions": functions,
        "expressions": expressions,
        "symbols": symbols,
        "places": {latex: _place(place) for latex, place in places.items()},
        "inputs": inputs,
        "definitions": [*(d.value for d in check.definitions), *(e.latex for e in page.equations)],
        "starts": check.starts,
        "shapes": shapes,
        "main": check.main,
    }


def _place(place: CodePlace) -> SymbolPlaceTable:
    assert place.function  # noqa: S101 - only places in functions are requested
    return {
        "function": place.function.dotted,
        "name": "return" if place.kind == "return" else place.name,
        "number": assignment_number(place) if place.kind == "assignment" else None,
        "path": list(place.index),
    }


def _report_failure(failure: FailureTable | None, check: EquationCheck, report: Report) -> None:
    what = failure["what"] if failure else "the process ended without an answer"
    where = f" at {failure['path']}:{failure['line']}" if failure and failure["path"] else ""
    what = f"the equations could not be checked: {check.program.dotted}{where} {what}"
    report.add(check.place, what, "make it run on inputs of any size")


def _verdict(table: EquationAnswer, equation: Equation, report: Report) -> Verdict | None:
    if "error" in table:
        line, column = _position(equation, table["position"])
        what = f"this equation cannot be checked: {table['error']} (column {column})"
        code = _code_places(equation)
        remedy = f"correct it, or the code of {code}, or add ':unchecked:' with the reason"
        report.add(Place(path=equation.place.path, line=line), what, remedy)
        return None
    assert "holds" in table  # noqa: S101 - only definitions have other answers
    if not table["holds"]:
        at = Place(path=equation.place.path, line=equation.body_line)
        report.add(at, _mismatch(table, equation), "correct the equation, or the code")
        return None
    return Verdict(
        inputs=table["inputs"],
        relative=float(table["relative"]),
        absolute=float(table["absolute"]),
        methods=tuple(table["methods"]),
    )


def _mismatch(table: ComparedTable, equation: Equation) -> str:
    where = ", ".join(f"{name} = {index}" for name, index in table["where"].items())
    at = f" at {where}" if where else ""
    number = ("first", "second", "third", "fourth", "fifth")[min(table["relation"], 4)]
    relation = "" if equation.latex.count("=") < 2 else f" (the {number} of its relations)"  # noqa: PLR2004
    return (
        f"this equation and the code of {_code_places(equation)} disagree{relation}:"
        f" on {table['input']}{at}, the left side is {table['left']}"
        f" and the right side {table['right']}"
    )


def _code_places(equation: Equation) -> str:
    return ", ".join(f"{p.span.path}:{p.span.first}" for p in equation.computed_by)


def _position(equation: Equation, offset: int) -> tuple[int, int]:
    """Line of the page and 1-based column of an offset in the equation's LaTeX."""
    before = equation.latex[:offset]
    return equation.body_line + before.count("\n"), len(before) - before.rfind("\n")
