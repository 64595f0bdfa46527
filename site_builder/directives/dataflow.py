"""`{dataflow}`: which values of a function are computed from which, as a graph and as a table."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar, Self

from site_builder.problem import Place
from site_builder.read.anchors import CodePlace
from site_builder.read.code import Function
from site_builder.read.dataflow import DataFlow, Node, UnmappableError
from site_builder.read.page import Fence
from site_builder.resolve.context import Context
from site_builder.resolve.directive import Accepts, Directive, Reader
from site_builder.resolve.graph_views import (
    BoxView,
    GraphView,
    RowView,
    group_id,
    group_views,
    shortened,
)
from site_builder.resolve.notebook import Notebook, table
from site_builder.resolve.search import PageSearch, SearchRecord
from site_builder.resolve.text_views import Text
from site_builder.resolve.view import View

_LONGEST = 20  # characters of a name or a shape in a box


@dataclass(frozen=True, slots=True, kw_only=True)
class DataFlowFigure(Directive):
    """A function and its backward pass, if it has one, without some of their values."""

    accepts: ClassVar[Accepts] = Accepts(
        argument="an id",
        options={"function": True, "backward": False, "without": False, "caption": True},
    )
    functions: tuple[Function, ...]

    @classmethod
    def read(cls, fence: Fence, reader: Reader) -> Self:
        """Find the functions."""
        names = filter(None, [fence.option("function"), fence.option("backward")])
        return cls(fence=fence, functions=tuple(map(reader.anchors.function, names)))

    def view(self, context: Context) -> "DataFlowView | None":
        """The graph of each function; that of the backward pass runs up."""
        codebase = context.facts.codebase
        for function in self.functions:  # what callees change in place belongs to the graph, too
            context.facts.used.update(callee.span for callee in codebase.reached_from(function))
        found = [flow for f in self.functions if (flow := self._flow(f, context))]
        left_out = tuple(self.fence.option("without").split())
        if len(found) != len(self.functions):
            return None
        known = {node.name for flow in found for node in flow.nodes}
        for missing in sorted(set(left_out) - known):
            what = f"there is no '{missing}' to leave out"
            context.add(self.place, what, f"leave out {', '.join(sorted(known))}")
        flows = [flow.without(frozenset(left_out)) for flow in found]
        for flow in flows:
            if not flow.nodes:
                what = f"'{flow.function.dotted}' has no values to draw"
                context.add(self.place, what, "name another function")
                return None
        graphs = tuple(
            self._graph(flow, context, upward=bool(index)) for index, flow in enumerate(flows)
        )
        for graph in graphs:
            context.layouts.setdefault(graph, self.place)
        return DataFlowView(
            id=context.claim_id(f"flow-{self.fence.argument}", self.place),
            caption=context.inline(self.fence.option("caption"), self.place),
            graphs=graphs,
            left_out=left_out,
        )

    def _flow(self, function: Function, context: Context) -> DataFlow | None:
        try:
            flow = context.facts.flows.of(function)
        except UnmappableError as error:
            context.report.add(Place(path=error.path, line=error.line), error.what, error.remedy)
            return None
        if not context.facts.observation.was_called(function):
            what = f"'{function.dotted}' was not called when the code ran, "
            context.add_unobserved(self.place, f"{what}so its shapes are not known")
            return None
        return flow

    def _graph(self, flow: DataFlow, context: Context, *, upward: bool) -> GraphView:
        links = context.facts.links
        named = [(node, *self._box(node, flow, context)) for node in flow.nodes]
        names = {node.id: node.name for node in flow.nodes}
        return GraphView(
            title=flow.function.qualname,
            link=links.function(flow.function),
            label=f"Data flow of {flow.function.qualname}: each value with its line and its shape",
            boxes=tuple(box for _, box, _ in named),
            groups=group_views(flow.nodes, links),
            arrows=flow.edges,
            rows=tuple(
                RowView(
                    name=node.name,
                    symbol=box.symbol,
                    link=links.span(node.span),
                    shape=shape,
                    sources=tuple(
                        dict.fromkeys(
                            names[e.source] + (" of the iteration before" if e.carried else "")
                            for e in flow.edges
                            if e.target == node.id
                        )
                    ),
                    remark="given" if node.kind == "parameter" else "constants",
                    is_returned=bool(node.returned),
                )
                for node, box, shape in named
            ),
            upward=upward,
        )

    def _box(self, node: Node, flow: DataFlow, context: Context) -> tuple[BoxView, str]:
        """A box, and the whole shape."""
        place = CodePlace(
            anchor=f"{flow.function.dotted}:{node.name}",
            kind=node.kind,
            name=node.name,
            function=flow.function,
            span=node.span,
            code="",
            index=node.index,
        )
        shape = self._shape(node, place, flow, context)
        row = context.links.of_code(place)
        maths = context.maths(row.latex, self.place, display=False, linked=False) if row else None
        link = context.facts.links.span(node.span)
        box = BoxView(
            id=node.id,
            kind=node.kind,
            name=shortened(node.name, _LONGEST),
            maths=maths,
            symbol=row.id if row else None,
            corner=link.lines,
            shape=shortened(shape, _LONGEST),
            href=link.href,
            group=group_id(node.loop),
            is_round=node.kind == "parameter",
            is_returned=bool(node.returned),
        )
        return box, shape

    def _shape(self, node: Node, place: CodePlace, flow: DataFlow, context: Context) -> str:
        """The observed shape; in words where there is none."""
        if node.kind == "change":
            return "in place"
        is_certain = node.kind != "return" or (flow.returns == 1 and -1 not in node.index)
        shapes = context.facts.observation.shapes_at(place) if is_certain else None
        if shapes is None:
            return "not observed"
        return context.named(shapes, place.anchor, self.place, flow.function).symbolic


@dataclass(frozen=True, slots=True, kw_only=True)
class DataFlowView(View):
    """The data flow of a function, or of two that mirror each other."""

    template: ClassVar[str] = "dataflow.html"
    id: str
    caption: Text
    graphs: tuple[GraphView, ...]
    left_out: tuple[str, ...]

    @property
    def has_loops(self) -> bool:
        """Whether anything is carried from one iteration to the next."""
        return any(arrow.carried for graph in self.graphs for arrow in graph.arrows)

    def markdown(self, notebook: Notebook) -> str:
        """The caption, with a link to the graphs on the page, and their tables."""
        caption = notebook.text(self.caption)
        tables = (
            table(
                [f"Value of `{graph.title}`", "Line", "Shape", "Computed from"],
                (
                    [
                        f"`{row.name}`{', returned' if row.is_returned else ''}",
                        notebook.lines(row.link),
                        f"`{row.shape}`",
                        ", ".join(f"`{name}`" for name in row.sources) or row.remark,
                    ]
                    for row in graph.rows
                ),
            )
            for graph in self.graphs
        )
        return "\n\n".join([f"*The data flow {notebook.on_page(self.id)}:* {caption}", *tables])

    def records(self, search: PageSearch) -> Iterable[SearchRecord]:
        """One, as of a figure; the first sentence of the caption is its title."""
        title, _, text = search.plain(self.caption).partition(". ")
        words = " ".join(["data flow", *(graph.title for graph in self.graphs)])
        yield search.record("Figure", self.id, title.removesuffix("."), text=text, words=words)
