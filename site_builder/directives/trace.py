"""`{trace}`: the statements of functions with the values that they computed."""

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import ClassVar, Self

from site_builder.directives.figure import example_of
from site_builder.directives.run_directive import (
    NumbersView,
    Row,
    RunDirective,
    Values,
    numbers_view,
)
from site_builder.read.anchors import AnchorError, Anchors, CodePlace
from site_builder.read.code import Function
from site_builder.read.page import Fence, Line
from site_builder.resolve.context import Context
from site_builder.resolve.directive import Accepts, Reader
from site_builder.resolve.links import CodeLink
from site_builder.resolve.notebook import Notebook
from site_builder.resolve.search import PageSearch, SearchRecord
from site_builder.resolve.view import View


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace(RunDirective):
    """The statements of functions in order, with a row for each value that they compute."""

    accepts: ClassVar[Accepts] = Accepts(
        argument="an id",
        options={"title": True, "example": True},
        body="rows: function | parameters",
    )
    functions: tuple[Function, ...]

    @classmethod
    def read(cls, fence: Fence, reader: Reader) -> Self:
        """Find the functions, and the names that their statements assign."""
        example = example_of(fence, reader)
        functions = []
        rows: list[Row] = []
        for line in fence.body:
            name, _, parameters = map(str.strip, line.text.partition("|"))
            try:
                function = reader.anchors.function(name)
                rows.extend(_rows(function, parameters.split(), line, reader.anchors))
                functions.append(function)
            except AnchorError as error:
                reader.add_missing(line.place, error)
        return cls(
            fence=fence,
            program=example.program,
            source=example.source,
            starts=example.starts,
            functions=tuple(functions),
            rows=tuple(rows),
        )

    def view(self, context: Context) -> "TraceView | None":
        """The trace of the recorded run."""
        values = self.recorded(context)
        if values is None:
            return None
        return TraceView(
            id=context.claim_id(f"trace-{self.fence.argument}", self.place),
            title=self.fence.option("title"),
            run=self.run,
            parts=tuple(_part(function, self, values, context) for function in self.functions),
            data=self.run_data(context),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceStep:
    """A statement with its values, or the call itself with the arguments."""

    line: int
    href: str
    code: str
    values: tuple[NumbersView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TracePart:
    """The steps of one function."""

    name: str
    link: CodeLink
    steps: tuple[TraceStep, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceView(View):
    """The statements of functions with their values, in order."""

    template: ClassVar[str] = "trace.html"
    id: str
    title: str
    run: str
    parts: tuple[TracePart, ...]
    data: str | None

    def markdown(self, notebook: Notebook) -> str:
        """The title, with a link to the page."""
        return f"*Line by line {notebook.on_page(self.id)}:* {self.title}"

    def records(self, search: PageSearch) -> Iterable[SearchRecord]:
        """One record, also found by the names of the functions."""
        names = " ".join(part.name for part in self.parts)
        yield search.record("Example", self.id, self.title, words=names)


def _rows(function: Function, parameters: list[str], line: Line, anchors: Anchors) -> Iterator[Row]:
    """The arguments, what each statement assigns, and the result."""
    for name in (*parameters, *_computed(function)):
        item = anchors.find(f"{function.dotted}:{name}")
        yield Row(label=name, items=(item,), place=line.place)


def _computed(function: Function) -> Iterator[str]:
    """The names that the statements of a function assign, and the parts of its result.

    Raises:
        AnchorError: a statement may run several times or not at all, or a name has two values.
    """
    seen: set[str] = set()
    for statement in function.node.body:
        if isinstance(statement, ast.Return) and statement.value:
            yield from _returned(statement.value, "return")
        elif isinstance(statement, ast.Assign):
            for name in _names(statement.targets):
                if not name.isidentifier():
                    what = f"line {statement.lineno} of {function.dotted} assigns {name}"
                    raise AnchorError(what, "trace a function that assigns variables alone")
                if name in seen:
                    what = f"{function.dotted} assigns '{name}' twice"
                    raise AnchorError(what, "trace a function whose names keep their values")
                seen.add(name)
                yield name
        elif not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)):
            what = f"line {statement.lineno} of {function.dotted} neither assigns nor returns"
            raise AnchorError(what, "trace a function without branches and loops")


def _names(targets: list[ast.expr]) -> Iterator[str]:
    for target in targets:
        if isinstance(target, ast.Tuple):
            yield from _names(target.elts)
        else:
            yield ast.unparse(target)


def _returned(value: ast.expr, name: str) -> Iterator[str]:
    """`return[0]`, `return[1]`, … for the parts of a tuple."""
    if not isinstance(value, ast.Tuple):
        yield name
        return
    for position, part in enumerate(value.elts):
        yield from _returned(part, f"{name}[{position}]")


def _part(function: Function, found: Trace, values: Values, context: Context) -> TracePart:
    places = [p for row in found.rows for p in row.observed() if p.function == function]
    grouped = groupby(places, key=_statement)
    return TracePart(
        name=function.qualname,
        link=context.facts.links.function(function),
        steps=tuple(_step(list(group), values, context) for _, group in grouped),
    )


def _statement(place: CodePlace) -> tuple[bool, int]:
    """A key that is equal for values of one step: the call, or one statement."""
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
