"""`{dataflow}`: which values of a function are computed from which, as a graph and as a table."""

from dataclasses import dataclass
from typing import ClassVar, Self

from site_builder.problem import Place
from site_builder.read.anchors import CodePlace
from site_builder.read.code import Function, Span
from site_builder.read.dataflow import DataFlow, FlowNode
from site_builder.read.flow import Loop
from site_builder.read.flow_values import UnmappableError
from site_builder.read.page import Fence
from site_builder.resolve.context import Context
from site_builder.resolve.directive import Accepts, Directive, Reader
from site_builder.resolve.graph_boxes import box_of
from site_builder.resolve.graph_views import (
    Arrow,
    BoxView,
    DataFlowView,
    Graph,
    GraphView,
    Group,
    GroupView,
    Layout,
    RowView,
)
from site_builder.resolve.symbol_links import SymbolRow
from site_builder.resolve.text_views import Maths

_LONGEST = 20  # characters of a shape in a box; the table has all of it
_Named = tuple[tuple[FlowNode, BoxView, str], ...]  # with the whole shape


@dataclass(frozen=True, slots=True, kw_only=True)
class DataFlowFigure(Directive):
    """A function and its backward pass, without some of their values."""

    accepts: ClassVar[Accepts] = Accepts(
        argument="an id",
        options={"function": True, "backward": False, "without": False, "caption": True},
    )

    @classmethod
    def read(cls, fence: Fence, reader: Reader) -> Self:
        """Take the names as they are."""
        del reader
        return cls(fence=fence)

    def view(self, context: Context) -> DataFlowView | None:
        """The graphs."""
        # What the functions that are called change in place belongs to the graph, too.
        for name in ("function", "backward"):
            function = self.fence.option(name) and context.function(
                self.fence.option(name), self.place
            )
            if function:
                reached = context.facts.codebase.reached_from(function)
                context.facts.used.update(callee.span for callee in reached)
        return dataflow(self, context)


def dataflow(directive: Directive, context: Context) -> DataFlowView | None:
    """The graph of a function, and that of its backward pass, if there is one."""
    at = directive.place
    left_out = tuple(directive.fence.option("without").split())
    names = [directive.fence.option("function"), directive.fence.option("backward")]
    found = [_flow(name, at, context) for name in names if name]
    whole = [flow for flow in found if flow]
    if len(whole) != len(found):
        return None
    known = {node.name for flow in whole for node in flow.nodes}
    for missing in sorted(set(left_out) - known):
        what = f"there is no '{missing}' to leave out"
        context.add(at, what, f"leave out {', '.join(sorted(known))}")
    flows = [flow.without(frozenset(left_out)) for flow in whole]
    for flow in flows:
        if not flow.nodes:
            what = f"'{flow.function.dotted}' has no values to draw"
            context.add(at, what, "name another function")
            return None
    graphs: list[GraphView] = []
    laid: list[Graph] = []
    twins: dict[str, str] = {}
    for flow in flows:
        named = tuple(_box(node, flow, context, at) for node in flow.nodes)
        laid.append(_graph(flow, named, twins, upward=bool(laid)))
        graphs.append(_view(flow, named, context, upward=bool(graphs)))
        twins = {_key(node, view): view.id for node, view, _ in named}
    layout = Layout(graphs=tuple(laid))
    context.layouts.setdefault(layout, at)
    return DataFlowView(
        id=context.claim_id(f"flow-{directive.fence.argument}", at),
        caption=context.inline(directive.fence.option("caption"), at),
        layout=layout,
        graphs=tuple(graphs),
        left_out=left_out,
        has_loops=any(edge.carried for flow in flows for edge in flow.edges),
    )


def _flow(name: str, at: Place, context: Context) -> DataFlow | None:
    function = context.function(name, at)
    if not function:
        return None
    try:
        flow = context.facts.flows.of(function)
    except UnmappableError as error:
        context.report.add(Place(path=error.path, line=error.line), error.what, error.remedy)
        return None
    if not context.facts.observation.was_called(function):
        what = f"'{function.dotted}' was not called when the code ran, so its shapes are not known"
        context.add_unobserved(at, what)
        return None
    return flow


def _box(
    node: FlowNode, flow: DataFlow, context: Context, at: Place
) -> tuple[FlowNode, BoxView, str]:
    place = _place(node, flow.function)
    row = context.links.of_code(place)
    shape = _shape(node, place, flow, context, at)
    link = context.facts.links.span(node.span)
    view = BoxView(
        id=f"{flow.function.dotted} {node.id}",
        kind=node.kind,
        name=_short(node.name),
        maths=_maths(row, at, context),
        symbol=row.id if row else None,
        corner=link.lines,
        note="",
        shape=_short(shape),
        href=link.href,
        is_round=node.kind == "parameter",
        is_given_back=bool(node.given_back),
    )
    return node, view, shape


def _place(node: FlowNode, function: Function) -> CodePlace:
    return CodePlace(
        anchor=f"{function.dotted}:{node.name}",
        kind=node.kind,
        name=node.name,
        function=function,
        span=node.span,
        code="",
        index=node.index,
    )


def _maths(row: SymbolRow | None, at: Place, context: Context) -> Maths | None:
    return context.maths(row.latex, at, display=False, linked=False) if row else None


def _shape(node: FlowNode, place: CodePlace, flow: DataFlow, context: Context, at: Place) -> str:
    """The observed shape; in words where there is none."""
    if node.kind == "change":
        return "in place"
    is_certain = node.kind != "return" or (flow.returns == 1 and -1 not in node.index)
    shapes = context.facts.observation.shapes_at(place) if is_certain else None
    if shapes is None:
        return "not observed"
    return context.named(shapes, place.anchor, at, flow.function).symbolic


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _key(node: FlowNode, view: BoxView) -> str:
    """The name by which a backward pass may have its gradient."""
    return (view.symbol or node.name) if node.kind == "return" else node.name


def _twin(node: FlowNode, twins: dict[str, str]) -> str | None:
    """What `dX` is the gradient on, or what has the same name."""
    return twins.get(node.name.removeprefix("d"), twins.get(node.name))


def _graph(flow: DataFlow, named: _Named, twins: dict[str, str], *, upward: bool) -> Graph:
    loops = _loops(flow)
    ids = {node.id: view.id for node, view, _ in named}
    return Graph(
        boxes=tuple(box_of(view, _group(node.loop), _twin(node, twins)) for node, view, _ in named),
        arrows=tuple(
            Arrow(source=ids[e.source], target=ids[e.target], carried=e.carried) for e in flow.edges
        ),
        groups=tuple(Group(id=_group(loop) or "", group=_group(loop.outer)) for loop in loops),
        upward=upward,
    )


def _loops(flow: DataFlow) -> list[Loop]:
    """The loops around its nodes, each after the one around it."""
    found: dict[Loop, None] = {}
    for node in flow.nodes:
        around, loop = [], node.loop
        while loop:
            around.append(loop)
            loop = loop.outer
        found |= dict.fromkeys(reversed(around))
    return [*found]


def _group(loop: Loop | None) -> str | None:
    return f"loop {loop.line}" if loop else None


def _view(flow: DataFlow, named: _Named, context: Context, *, upward: bool) -> GraphView:
    links = context.facts.links
    names = {node.id: node.name for node, _, _ in named}
    return GraphView(
        title=flow.function.qualname,
        link=links.function(flow.function),
        label=f"Data flow of {flow.function.qualname}: each value with its line and its shape",
        boxes=tuple(view for _, view, _ in named),
        groups=tuple(
            GroupView(
                id=_group(loop) or "",
                code=loop.code,
                link=links.span(
                    Span(path=flow.function.span.path, first=loop.line, last=loop.line)
                ),
                inside=(),
            )
            for loop in _loops(flow)
        ),
        rows=tuple(
            RowView(
                name=node.name,
                symbol=view.symbol,
                link=links.span(node.span),
                shape=shape,
                sources=tuple(
                    dict.fromkeys(
                        names[e.source] + (" of the turn before" if e.carried else "")
                        for e in flow.edges
                        if e.target == node.id
                    )
                ),
                remark="given" if node.kind == "parameter" else "constants",
                is_given_back=bool(node.given_back),
            )
            for node, view, shape in named
        ),
        upward=upward,
    )
