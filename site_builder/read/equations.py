"""Equations, and the lines of code that belong to them."""

from collections.abc import Iterator
from dataclasses import dataclass

from site_builder.problem import Place
from site_builder.read.anchors import CodePlace
from site_builder.read.code import Function, Span
from site_builder.read.codebase import Codebase

ROLES = ("computes", "calls", "tests")


@dataclass(frozen=True, slots=True, kw_only=True)
class Equation:
    """An equation or a step of a derivation.

    Attributes:
        id: with its prefix, such as `eq-ln-mean`; unique over all pages.
        part: id of the heading of level 2 above it.
        step: its number in the derivation, or None.
        computed_by: the places that compute it.
        unchecked: the reason why it is not executed; None if it is.
        body_line: the line of the page where the LaTeX begins.
        result_of: the functions whose result it is; their calls and tests belong to it.
    """

    id: str
    slug: str
    part: str
    step: int | None
    caption: str
    latex: str
    computed_by: tuple[CodePlace, ...]
    result_of: tuple[Function, ...]
    unchecked: str | None
    place: Place
    body_line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Connection:
    """A line of code that computes an equation, calls the function that does, or tests it."""

    role: str
    span: Span
    function: Function | None
    code: str


def connections(equation: Equation, codebase: Codebase) -> Iterator[Connection]:
    """The lines that compute the equation, then the calls, then the tests."""
    for place in equation.computed_by:
        lines = codebase.lines(place.span.path)
        for number in range(place.span.first, place.span.last + 1):
            yield Connection(
                role="computes",
                span=Span(path=place.span.path, first=number, last=number),
                function=place.function,
                code=lines[number - 1].strip(),
            )
    for function in equation.result_of:
        for role, calls in (
            ("calls", codebase.source_calls_of(function.dotted)),
            ("tests", codebase.test_calls_of(function.dotted)),
        ):
            for call in calls:
                yield Connection(role=role, span=call.span, function=call.caller, code=call.code)
