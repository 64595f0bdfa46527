"""`{shapes}`: observed shapes at every call of a function. `{variables}`: those of variables."""

from collections.abc import Sequence

from eqcheck import Activation
from site_builder.observe.observation import Run, Shape, element
from site_builder.read.calls import Call
from site_builder.read.code import Function
from site_builder.read.page import Directive, Line
from site_builder.resolve.code_views import CallShapesView, NamedShape, ShapesView
from site_builder.resolve.context import Context
from site_builder.resolve.options import rows


def shapes(directive: Directive, context: Context) -> ShapesView | None:
    """One card for each call in the subject. A call without a caption is a problem."""
    function = context.function(directive.argument, directive.place)
    if not function:
        return None
    calls = context.facts.codebase.source_calls_of(function.dotted)
    captions: dict[int, tuple[Line, str]] = {}
    for line, (anchor, caption) in rows(directive, context, ("anchor of a call", "caption")):
        place = context.place(anchor, line.place)
        if not place:
            continue
        matching = [i for i, call in enumerate(calls) if call.span == place.span]
        if matching:
            captions[matching[0]] = (line, caption)
        else:
            what = f"'{anchor}' is no call of {function.name} in the code"
            context.add(line.place, what, "name the variable that takes its result")
    for index, call in enumerate(calls):
        if index not in captions:
            what = f"the call at {call.span.path}:{call.span.first} has no caption here"
            target = call.targets[0] if call.targets else "…"
            remedy = f"add a row '{call.caller.module}.{call.caller.qualname}:{target} | …'"
            context.add(directive.place, what, remedy)
    sites = (
        _site(calls[index], function, line, caption, context)
        for index, (line, caption) in captions.items()
    )
    return ShapesView(sites=tuple(site for site in sites if site))


def variables(directive: Directive, context: Context) -> ShapesView:
    """One card that lists variables, which may belong to several functions."""
    found = []
    link = None
    study: Sequence[Run] = ()
    for line, (name, anchor) in rows(directive, context, ("name", "anchor")):
        place = context.place(anchor, line.place)
        if place:
            link = link or context.facts.links.span(place.span)
            study = study or context.facts.observation.runs_of(place.function)
            found.append(NamedShape(name=name, shape=context.shape(place, line.place)))
    if not link:
        return ShapesView(sites=())
    caption = context.inline(directive.argument, directive.place)
    site = CallShapesView(
        caption=caption,
        link=link,
        arguments=(),
        results=tuple(found),
        note=_note([view.shape.symbolic for view in found], study),
    )
    return ShapesView(sites=(site,))


def _site(
    call: Call, function: Function, line: Line, caption: str, context: Context
) -> CallShapesView | None:
    study = context.facts.observation.runs_of(call.caller)
    runs = [list(run.calls(call)) for run in study]
    if not runs or not all(runs):
        where = f"{call.span.path}:{call.span.first}"
        context.add_unobserved(line.place, f"the call at {where} was not made when the code ran")
        return None
    firsts = [activations[0] for activations in runs]
    arguments = []
    for index, parameter in enumerate(function.parameters):
        passed = call.passed(parameter.name, index)
        seen = [activation.arguments[parameter.name] for activation in firsts]
        if passed and isinstance(seen[0], list) and seen[0]:
            shape = context.named(seen, passed, line.place, call.caller)
            arguments.append(NamedShape(name=passed, shape=shape))
    results = []
    for target, seen in _results(call, firsts):
        if isinstance(seen[0], list):
            shape = context.named(seen, target, line.place, call.caller)
            results.append(NamedShape(name=target, shape=shape))
    note = _note([view.shape.symbolic for view in [*arguments, *results]], study)
    return CallShapesView(
        caption=context.inline(caption, line.place),
        link=context.facts.links.span(call.span),
        arguments=tuple(arguments),
        results=tuple(results),
        note=" ".join(filter(None, [note, _range_note(runs[0], function, study[0])])),
    )


def _results(call: Call, firsts: list[Activation[Shape]]) -> list[tuple[str, list[Shape]]]:
    found: list[tuple[str, list[Shape]]] = []
    for position, target in enumerate(call.targets):
        index = (position,) if len(call.targets) > 1 else ()
        seen = [element(activation.result, index) for activation in firsts]
        complete = [shape for shape in seen if shape is not None]
        if len(complete) == len(seen):
            found.append((target, complete))
    return found


def _note(symbolic: list[str], study: Sequence[Run]) -> str:
    """`T = seq_len = 16`, for each dimension that occurs."""
    text = " ".join(symbolic)
    sizes = ", ".join(
        f"{symbol} = {run.attributes[symbol]} = {size}"
        for run in study[:1]
        for symbol, size in run.dimensions.items()
        if symbol in text.replace("(", " ").replace(")", " ").replace(",", " ").split()
    )
    return f"{sizes}." if sizes else ""


def _range_note(activations: list[Activation[Shape]], function: Function, run: Run) -> str:
    """Says so where the first dimension took several sizes during the run."""
    name = next((p.name for p in function.parameters if activations[0].arguments.get(p.name)), None)
    shapes = [a.arguments.get(name) for a in activations] if name else []
    sizes = [shape[0] for shape in shapes if shape and isinstance(shape, list)]
    seen = set(sizes)
    if len(seen) < 2:  # noqa: PLR2004 - one size is no range
        return ""
    first = sizes[0]
    symbol = next((s for s, size in run.dimensions.items() if size == first), "The first size")
    return f"{symbol} went from {min(seen)} to {max(seen)} while the code ran."
