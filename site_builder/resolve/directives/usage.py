"""`{usage}`: where a function is, who calls it and which tests do."""

from site_builder.read.calls import Call
from site_builder.read.page import Directive
from site_builder.resolve.code_views import CallView, UsageView
from site_builder.resolve.context import Context
from site_builder.resolve.text_views import Reference


def usage(directive: Directive, context: Context) -> UsageView | None:
    """The card."""
    function = context.function(directive.argument, directive.place)
    if not function:
        return None
    if "." in function.qualname:
        what = f"'{directive.argument}' is a method, and calls of methods cannot be followed"
        context.add(directive.place, what, "name a function")
        return None
    codebase = context.facts.codebase
    calls = codebase.source_calls_of(function.dotted)
    tests = codebase.test_calls_of(function.dotted)
    return UsageView(
        name=function.dotted,
        function=function.qualname,
        link=context.facts.links.function(function),
        called_by=_callers(calls, context),
        tested_by=_callers(tests, context),
        calls=_views(calls, context),
        tests=_views(tests, context),
    )


def _callers(calls: list[Call], context: Context) -> tuple[Reference, ...]:
    """Each calling function once."""
    callers = {call.caller.dotted: call.caller for call in calls}
    return tuple(
        Reference(
            text=dotted.removeprefix(f"{context.facts.codebase.subject}."),
            href=context.facts.links.function(caller).href,
            code=True,
        )
        for dotted, caller in callers.items()
    )


def _views(calls: list[Call], context: Context) -> tuple[CallView, ...]:
    return tuple(
        CallView(
            link=context.facts.links.span(call.span),
            function=call.caller.qualname,
            code=call.code,
        )
        for call in calls
    )
