"""Read `{figure}` and `{trace}` directives: what they show of the run of an example."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from site_builder.problem import Report
from site_builder.read.anchors import AnchorError, Anchors
from site_builder.read.code import Function
from site_builder.read.example import Example
from site_builder.read.live import Live, Row, read_option, read_rows
from site_builder.read.page import Directive, Line, Page, Place


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure(Live):
    """A drawing of a run's values, each of which the row's label names for the drawing."""

    kind: str
    caption: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace(Live):
    """The statements of functions, in order, with what each computed: a row for each value."""

    title: str
    functions: tuple[Function, ...]


def read_figures(
    pages: list[Page], examples: dict[Place, Example], anchors: Anchors, report: Report
) -> dict[Place, Figure | Trace]:
    """The figures and traces of all pages, by the place of their directive."""
    figures: dict[Place, Figure | Trace] = {}
    for page in pages:
        for directive in page.blocks:
            if isinstance(directive, Directive) and directive.name in ("figure", "trace"):
                at = directive.place
                try:
                    example = _example(directive, page, examples)
                    read = _figure if directive.name == "figure" else _trace
                    figures[at] = read(directive, example, anchors, report)
                except AnchorError as error:
                    report.add_dependent(at.path, at.line, error.what, error.remedy)
    return figures


def _example(directive: Directive, page: Page, examples: dict[Place, Example]) -> Example:
    """The example whose run is shown."""
    name = read_option(directive, "example")
    own = {block.place for block in page.blocks if isinstance(block, Directive)}
    for place, example in examples.items():
        if example.id == name and place in own:
            return example
    raise AnchorError(f"the page has no example '{name}'", "name one that stands on this page")


def _figure(directive: Directive, example: Example, anchors: Anchors, report: Report) -> Figure:
    return Figure(
        id=directive.argument,
        kind=read_option(directive, "kind"),
        caption=read_option(directive, "caption"),
        program=example.program,
        source=example.source,
        starts=example.starts,
        rows=read_rows(directive.body, anchors, report),
        place=directive.place,
    )


def _trace(directive: Directive, example: Example, anchors: Anchors, report: Report) -> Trace:
    functions = []
    rows: list[Row] = []
    for line in directive.body:
        name, _, parameters = map(str.strip, line.text.partition("|"))
        at = line.place
        try:
            function = anchors.function(name)
            rows.extend(_rows(function, parameters.split(), line, anchors))
            functions.append(function)
        except AnchorError as error:
            report.add_dependent(at.path, at.line, error.what, error.remedy)
    return Trace(
        id=directive.argument,
        title=read_option(directive, "title"),
        program=example.program,
        source=example.source,
        starts=example.starts,
        functions=tuple(functions),
        rows=tuple(rows),
        place=directive.place,
    )


def _rows(function: Function, parameters: list[str], line: Line, anchors: Anchors) -> Iterator[Row]:
    """What goes in, what each statement assigns, what is returned."""
    for name in (*parameters, *_computed(function)):
        cell = anchors.find(f"{function.dotted}:{name}")
        yield Row(label=name, cells=(cell,), place=line.place)


def _computed(function: Function) -> Iterator[str]:
    """The names that the statements of a function assign, and the parts that it returns.

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
