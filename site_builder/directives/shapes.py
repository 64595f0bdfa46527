"""`{shapes}`: observed shapes at each call of a function in the subject."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

from eqcheck import Activation
from site_builder.observe.observation import Run, Shape, element
from site_builder.observe.sizes import ShapeView
from site_builder.problem import Place
from site_builder.read.anchors import CodePlace
from site_builder.read.calls import Call
from site_builder.read.code import Function
from site_builder.read.page import Fence
from site_builder.resolve.context import Context
from site_builder.resolve.directive import Accepts, Directive, Reader
from site_builder.resolve.links import CodeLink
from site_builder.resolve.notebook import Notebook, shape_text, table
from site_builder.resolve.text_views import Text
from site_builder.resolve.view import View


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    """The caption of a call; `anchor` names the call's statement, `code`."""

    anchor: str
    code: CodePlace
    caption: str
    place: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class Shapes(Directive):
    """A function, and a caption for each of its calls."""

    accepts: ClassVar[Accepts] = Accepts(
        argument="a function", body="rows: anchor of a call | caption"
    )
    function: Function
    rows: tuple[_Row, ...]

    @classmethod
    def read(cls, fence: Fence, reader: Reader) -> Self:
        """Find the function and the statements."""
        rows = fence.rows(("anchor of a call", "caption"), reader.report)
        return cls(
            fence=fence,
            function=reader.anchors.function(fence.argument),
            rows=tuple(
                _Row(anchor=anchor, code=code, caption=caption, place=line.place)
                for line, (anchor, caption) in rows
                if (code := reader.find(anchor, line.place))
            ),
        )

    def view(self, context: Context) -> "ShapesView":
        """One card for each call; a call without a caption is reported."""
        calls = context.facts.codebase.source_calls_of(self.function.dotted)
        captions: dict[int, _Row] = {}
        for row in self.rows:
            matching = [i for i, call in enumerate(calls) if call.span == row.code.span]
            if matching:
                captions[matching[0]] = row
            else:
                what = f"'{row.anchor}' is not a call of {self.function.name} in the code"
                context.add(row.place, what, "name the variable that receives its result")
        for index, call in enumerate(calls):
            if index not in captions:
                what = f"the call at {call.span.path}:{call.span.first} has no caption here"
                target = call.targets[0] if call.targets else "…"
                remedy = f"add a row '{call.caller.module}.{call.caller.qualname}:{target} | …'"
                context.add(self.place, what, remedy)
        sites = (_site(calls[i], self.function, row, context) for i, row in captions.items())
        return ShapesView(sites=tuple(site for site in sites if site))


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedShape:
    """A variable and its shape."""

    name: str
    shape: ShapeView


@dataclass(frozen=True, slots=True, kw_only=True)
class CallShapesView:
    """One call site: its arguments and results with their shapes."""

    caption: Text
    link: CodeLink
    arguments: tuple[NamedShape, ...]
    results: tuple[NamedShape, ...]
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ShapesView(View):
    """Shapes at call sites."""

    template: ClassVar[str] = "shapes.html"
    sites: tuple[CallShapesView, ...]

    def markdown(self, notebook: Notebook) -> str:
        """A table of the sites."""
        rows = (
            [
                notebook.text(site.caption),
                notebook.lines(site.link),
                _shape_texts(site.arguments),
                _shape_texts(site.results),
            ]
            for site in self.sites
        )
        return table(["Where", "Line", "In", "Out"], rows)


def _shape_texts(shapes: Sequence[NamedShape]) -> str:
    return ", ".join(f"`{named.name}` {shape_text(named.shape)}" for named in shapes)


def _site(call: Call, function: Function, row: _Row, context: Context) -> CallShapesView | None:
    study = context.facts.observation.runs_of(call.caller)
    runs = [list(run.calls(call)) for run in study]
    if not runs or not all(runs):
        where = f"{call.span.path}:{call.span.first}"
        context.add_unobserved(row.place, f"the call at {where} was not made when the code ran")
        return None
    firsts = [activations[0] for activations in runs]
    arguments = []
    for index, parameter in enumerate(function.parameters):
        passed = call.passed(parameter.name, index)
        seen = [activation.arguments[parameter.name] for activation in firsts]
        if passed and isinstance(seen[0], list) and seen[0]:
            shape = context.named(seen, passed, row.place, call.caller)
            arguments.append(NamedShape(name=passed, shape=shape))
    results = []
    for target, seen in _results(call, firsts):
        if isinstance(seen[0], list):
            shape = context.named(seen, target, row.place, call.caller)
            results.append(NamedShape(name=target, shape=shape))
    note = sizes_note([view.shape.symbolic for view in [*arguments, *results]], study)
    return CallShapesView(
        caption=context.inline(row.caption, row.place),
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


def sizes_note(symbolic: list[str], study: Sequence[Run]) -> str:
    """`T = seq_len = 16` for each dimension in the shapes."""
    text = " ".join(symbolic)
    sizes = ", ".join(
        f"{symbol} = {run.attributes[symbol]} = {size}"
        for run in study[:1]
        for symbol, size in run.dimensions.items()
        if symbol in text.replace("(", " ").replace(")", " ").replace(",", " ").split()
    )
    return f"{sizes}." if sizes else ""


def _range_note(activations: list[Activation[Shape]], function: Function, run: Run) -> str:
    """A note if the first dimension took several sizes during the run, else empty."""
    name = next((p.name for p in function.parameters if activations[0].arguments.get(p.name)), None)
    shapes = [a.arguments.get(name) for a in activations] if name else []
    sizes = [shape[0] for shape in shapes if shape and isinstance(shape, list)]
    seen = set(sizes)
    if len(seen) < 2:  # noqa: PLR2004 - one size is not a range
        return ""
    first = sizes[0]
    symbol = next((s for s, size in run.dimensions.items() if size == first), "The first size")
    return f"{symbol} went from {min(seen)} to {max(seen)} while the code ran."
