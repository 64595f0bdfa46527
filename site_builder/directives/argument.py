"""`{argument}`: what each call passes for one parameter, and where the value comes from."""

from dataclasses import dataclass
from typing import ClassVar, Self

from site_builder.read.anchors import CodePlace
from site_builder.read.calls import Call
from site_builder.read.code import Field, Function
from site_builder.read.codebase import is_test
from site_builder.read.page import Fence
from site_builder.resolve.context import Context
from site_builder.resolve.directive import Accepts, Directive, Reader
from site_builder.resolve.links import CodeLink
from site_builder.resolve.notebook import Notebook, table
from site_builder.resolve.text_views import Reference
from site_builder.resolve.view import View


@dataclass(frozen=True, slots=True, kw_only=True)
class Argument(Directive):
    """A parameter of a function."""

    accepts: ClassVar[Accepts] = Accepts(argument="an anchor of a parameter")
    parameter: CodePlace
    function: Function

    @classmethod
    def read(cls, fence: Fence, reader: Reader) -> Self | None:
        """Find the parameter."""
        place = reader.anchors.find(fence.argument)
        if place.kind != "parameter" or not place.function:
            what = f"'{fence.argument}' is not a parameter"
            reader.add(fence.place, what, "write function:parameter")
            return None
        return cls(fence=fence, parameter=place, function=place.function)

    def view(self, context: Context) -> "ArgumentView":
        """The table, and the dataclass field that the calls pass."""
        links, codebase = context.facts.links, context.facts.codebase
        name = self.parameter.name
        index = [parameter.name for parameter in self.function.parameters].index(name)
        calls = codebase.calls_of(self.function.dotted)
        shown = [
            (call, call.passed(name, index))
            for call in calls
            if codebase.is_subject(call.caller.module)
        ]
        field = _field(shown, context)
        return ArgumentView(
            parameter=name,
            calls=tuple(_call(call, passed, context) for call, passed in shown),
            default=self.function.parameters[index].default,
            default_link=links.span(self.parameter.span),
            source=f"{field.owner}.{field.name}" if field else None,
            source_link=links.span(field.span) if field else None,
            source_default=field.default if field else None,
            constructed=_constructed(field, context) if field else (),
            readers=_readers(field, context) if field else (),
            defaulted=_references(
                [c.caller for c in calls if is_test(c.caller) and c.passed(name, index) is None],
                context,
            ),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ArgumentCallView:
    """What one call passes for a parameter; None if it omits it."""

    link: CodeLink
    function: str
    passed: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ArgumentView(View):
    """What each call passes for one parameter of a function.

    Attributes:
        default, default_link: the parameter's own default, and its line.
        source, source_link: the dataclass field that supplies the value, and its default.
        constructed: where the dataclass is constructed, and what is passed for the field.
        readers: functions that read the field.
        defaulted: tests that omit the argument.
    """

    template: ClassVar[str] = "argument.html"
    parameter: str
    calls: tuple[ArgumentCallView, ...]
    default: str | None
    default_link: CodeLink
    source: str | None
    source_link: CodeLink | None
    source_default: str | None
    constructed: tuple[ArgumentCallView, ...]
    readers: tuple[Reference, ...]
    defaulted: tuple[Reference, ...]

    def markdown(self, notebook: Notebook) -> str:
        """A table of the calls."""
        rows = (
            [f"`{c.function}`", notebook.lines(c.link), f"`{c.passed}`" if c.passed else "nothing"]
            for c in self.calls
        )
        return table(["Call in", "Line", f"Passes for `{self.parameter}`"], rows)


def _call(call: Call, passed: str | None, context: Context) -> ArgumentCallView:
    return ArgumentCallView(
        link=context.facts.links.span(call.span),
        function=call.caller.qualname,
        passed=passed,
    )


def _field(shown: list[tuple[Call, str | None]], context: Context) -> Field | None:
    """The one field that the subject's calls pass, as in `cfg.ln_eps`; None if there is none."""
    read = {passed.rpartition(".")[2] for call, passed in shown if passed and "." in passed}
    fields = [f for f in context.facts.codebase.fields.values() if f.name in read]
    return fields[0] if len(fields) == 1 else None


def _constructed(field: Field, context: Context) -> tuple[ArgumentCallView, ...]:
    """Where the subject constructs the dataclass, and what it passes for the field."""
    calls = context.facts.codebase.source_calls_of(f"{field.module}.{field.owner}")
    return tuple(_call(call, call.passed(field.name), context) for call in calls)


def _readers(field: Field, context: Context) -> tuple[Reference, ...]:
    codebase = context.facts.codebase
    readers = [read.reader for read in codebase.readers_of(field)]
    return _references([r for r in readers if codebase.is_subject(r.module)], context)


def _references(functions: list[Function], context: Context) -> tuple[Reference, ...]:
    """A link to each distinct function."""
    return tuple(
        Reference(text=f.qualname, href=context.facts.links.function(f).href, code=True)
        for f in {function.dotted: function for function in functions}.values()
    )
