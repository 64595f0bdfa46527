"""`{argument}`: what every call passes for one parameter, and where that value comes from."""

from site_builder.read.calls import Call
from site_builder.read.code import Field, Function
from site_builder.read.codebase import is_test
from site_builder.read.page import Directive
from site_builder.resolve.code_views import ArgumentCallView, ArgumentView
from site_builder.resolve.context import Context
from site_builder.resolve.text_views import Reference


def argument(directive: Directive, context: Context) -> ArgumentView | None:
    """The table, and the dataclass field behind what is passed."""
    at = directive.place
    place = context.place(directive.argument, at)
    if not place:
        return None
    if place.kind != "parameter" or not place.function:
        context.add(at, f"'{directive.argument}' is no parameter", "write function:parameter")
        return None
    links = context.facts.links
    names = [parameter.name for parameter in place.function.parameters]
    index = names.index(place.name)
    calls = context.facts.codebase.calls_of(place.function.dotted)
    shown = [
        (call, call.passed(place.name, index))
        for call in calls
        if context.facts.codebase.is_subject(call.caller.module)
    ]
    field = _field(shown, context)
    return ArgumentView(
        parameter=place.name,
        calls=tuple(_call(call, passed, context) for call, passed in shown),
        default=place.function.parameters[index].default,
        default_link=links.span(place.span),
        source=f"{field.owner}.{field.name}" if field else None,
        source_link=links.span(field.span) if field else None,
        source_default=field.default if field else None,
        constructed=_constructed(field, context) if field else (),
        readers=_readers(field, context) if field else (),
        defaulted=_references(
            [
                call.caller
                for call in calls
                if is_test(call.caller) and call.passed(place.name, index) is None
            ],
            context,
        ),
    )


def _call(call: Call, passed: str | None, context: Context) -> ArgumentCallView:
    return ArgumentCallView(
        link=context.facts.links.span(call.span),
        function=call.caller.qualname,
        passed=passed,
    )


def _field(shown: list[tuple[Call, str | None]], context: Context) -> Field | None:
    """The field that calls in the subject read, as in `cfg.ln_eps`; None unless there is one."""
    read = {passed.rpartition(".")[2] for call, passed in shown if passed and "." in passed}
    fields = [f for f in context.facts.codebase.fields.values() if f.name in read]
    return fields[0] if len(fields) == 1 else None


def _constructed(field: Field, context: Context) -> tuple[ArgumentCallView, ...]:
    """Where the subject makes the dataclass, and what it passes for the field."""
    calls = context.facts.codebase.source_calls_of(f"{field.module}.{field.owner}")
    return tuple(_call(call, call.passed(field.name), context) for call in calls)


def _readers(field: Field, context: Context) -> tuple[Reference, ...]:
    codebase = context.facts.codebase
    readers = [read.reader for read in codebase.readers_of(field)]
    return _references([r for r in readers if codebase.is_subject(r.module)], context)


def _references(functions: list[Function], context: Context) -> tuple[Reference, ...]:
    """A link to each function, once."""
    return tuple(
        Reference(text=f.qualname, href=context.facts.links.function(f).href, code=True)
        for f in {function.dotted: function for function in functions}.values()
    )
