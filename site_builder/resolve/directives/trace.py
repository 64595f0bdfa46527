"""`{trace}`: the statements of functions with what each of them computed."""

from itertools import groupby

from site_builder.read.anchors import CodePlace
from site_builder.read.code import Function
from site_builder.read.figure import Trace
from site_builder.read.page import Directive
from site_builder.resolve.context import Context
from site_builder.resolve.example_views import TracePart, TraceStep, TraceView
from site_builder.resolve.live_data import Values, numbers_view, recorded, run_data


def trace(directive: Directive, context: Context) -> TraceView | None:
    """The trace of the run that the build recorded."""
    found = context.facts.live.get(directive.place)
    if not isinstance(found, Trace):
        return None
    values = recorded(found, context)
    if values is None:
        return None
    return TraceView(
        id=context.claim_id(f"trace-{found.id}", directive.place),
        title=found.title,
        run=found.run,
        parts=tuple(_part(function, found, values, context) for function in found.functions),
        data=run_data(found, context),
    )


def _part(function: Function, found: Trace, values: Values, context: Context) -> TracePart:
    places = [place for place in found.observed() if place.function == function]
    grouped = groupby(places, key=_statement)
    return TracePart(
        name=function.qualname,
        link=context.facts.links.function(function),
        steps=tuple(_step(list(group), values, context) for _, group in grouped),
    )


def _statement(place: CodePlace) -> tuple[bool, int]:
    """Values with the same key belong to one step: the call, or one statement."""
    return place.kind == "parameter", 0 if place.kind == "parameter" else place.span.first


def _step(places: list[CodePlace], values: Values, context: Context) -> TraceStep:
    first = places[0]
    function = first.function
    is_call = first.kind == "parameter"
    line = function.span.first if is_call and function else first.span.first
    return TraceStep(
        line=line,
        href=f"{context.facts.links.source_page(first.span.path)}#L{line}",
        code=f"def {function.name}(…):" if is_call and function else first.code,
        values=tuple(numbers_view(place, place.name, values, context) for place in places),
    )
