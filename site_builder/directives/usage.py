"""`{usage}`: where a function is defined, and its callers in the code and in tests."""

from dataclasses import dataclass
from typing import ClassVar, Self

from site_builder.read.calls import Call
from site_builder.read.code import Function
from site_builder.read.page import Fence
from site_builder.resolve.context import Context
from site_builder.resolve.directive import Accepts, Directive, Reader
from site_builder.resolve.links import CodeLink
from site_builder.resolve.notebook import Notebook, table
from site_builder.resolve.text_views import Reference
from site_builder.resolve.view import View


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage(Directive):
    """A function; calls of methods cannot be resolved."""

    accepts: ClassVar[Accepts] = Accepts(argument="a function")
    function: Function

    @classmethod
    def read(cls, fence: Fence, reader: Reader) -> Self | None:
        """Find the function."""
        function = reader.anchors.function(fence.argument)
        if "." in function.qualname:
            what = f"'{fence.argument}' is a method, and calls of methods cannot be resolved"
            reader.add(fence.place, what, "name a function")
            return None
        return cls(fence=fence, function=function)

    def view(self, context: Context) -> "UsageView":
        """The card."""
        codebase, function = context.facts.codebase, self.function
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


@dataclass(frozen=True, slots=True, kw_only=True)
class CallView:
    """A call, and the function that contains it."""

    link: CodeLink
    function: str
    code: str


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageView(View):
    """Where a function is defined, and its callers in the code and in tests."""

    template: ClassVar[str] = "usage.html"
    name: str
    function: str
    link: CodeLink
    called_by: tuple[Reference, ...]
    tested_by: tuple[Reference, ...]
    calls: tuple[CallView, ...]
    tests: tuple[CallView, ...]

    def markdown(self, notebook: Notebook) -> str:
        """A table of the calls."""
        rows = ([f"`{call.function}`", notebook.lines(call.link)] for call in self.calls)
        return table([f"What calls `{self.function}`", "Line"], rows)


def _callers(calls: list[Call], context: Context) -> tuple[Reference, ...]:
    """A link to each distinct calling function."""
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
