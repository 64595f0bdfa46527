"""The map of the model on the index page: each part leads to the page that explains it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from textwrap import wrap

from eqcheck import Caller
from site_builder.observe.observation import Shape, element
from site_builder.observe.sizes import Sizes, UnknownSizeError
from site_builder.problem import Place, Report
from site_builder.read.anchors import AnchorError
from site_builder.read.code import Function
from site_builder.read.dataflow import Edge, ModelMap, Node
from site_builder.read.page import PART_LEVEL, Fence, Heading
from site_builder.resolve.context import Facts
from site_builder.resolve.graph_views import (
    BoxView,
    GraphView,
    RowView,
    group_id,
    group_views,
    shortened,
)
from site_builder.resolve.project import Project

_LONGEST = 30  # characters of a name in a box
_REMARK = 46  # characters in a line beside the map
_OUTPUT = "output"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelMapView:
    """The map of the model."""

    graph: GraphView
    left_out: tuple[str, ...]


def model_map_view(project: Project, facts: Facts, report: Report) -> ModelMapView | None:
    """The map, ready to be laid out; None where site.toml asks for none."""
    return _Maker(project, project.model, facts, report).view() if project.model else None


class _Maker:
    """What is needed for each part."""

    def __init__(self, project: Project, model: ModelMap, facts: Facts, report: Report) -> None:
        self._map = model
        self._facts = facts
        self._report = report
        self._pages = _explained(project)

    def view(self) -> ModelMapView:
        """Boxes, arrows and rows."""
        boxes = [(node, self._box(node)) for node in self._map.nodes]
        width = max((box.width for node, box in boxes if node.kind == "part"), default=0)
        ends = (Edge(source=end, target=_OUTPUT, carried=False) for end in self._map.ends)
        links, place = self._facts.links, self._map.place
        graph = GraphView(
            title=place.name,
            link=links.span(place.span),
            label=f"What {place.name} is computed from, with lines and shapes",
            boxes=(
                *(replace(b, least=width) if node.kind == "part" else b for node, b in boxes),
                self._output(),
            ),
            groups=group_views(self._map.nodes, links, self._map.opened),
            arrows=(*self._map.edges, *ends),
            rows=tuple(self._row(node) for node in self._map.nodes if node.kind != "joint"),
        )
        return ModelMapView(graph=graph, left_out=self._map.left_out)

    def _box(self, node: Node) -> BoxView:
        link = self._facts.links.span(node.span)
        page = self._pages.get(node.callee.dotted) if node.callee else None
        shape = self._shape(node)
        return BoxView(
            id=node.id,
            kind=f"{node.kind} explained" if page else node.kind,
            name=shortened(node.name, _LONGEST),
            corner="" if node.kind == "joint" else link.lines,
            note=(page[1] if page else "") if node.kind == "part" else "",
            shape="" if node.kind == "joint" else shape,
            href=page[0] if page else link.href,
            group=group_id(node.loop),
            remark=tuple(wrap(_summary(node.callee), _REMARK)),
            is_round=node.kind in ("input", "joint"),
        )

    def _output(self) -> BoxView:
        place = self._map.place
        link = self._facts.links.span(place.span)
        shape = self._named(self._facts.observation.shapes_at(place), place.function)
        return BoxView(
            id=_OUTPUT,
            kind="output",
            name=place.name,
            corner=link.lines,
            shape=shape,
            href=link.href,
            is_returned=True,
        )

    def _row(self, node: Node) -> RowView:
        names = {one.id: _result(one) for one in self._map.nodes}
        page = self._pages.get(node.callee.dotted) if node.callee else None
        if node.callee and not page:
            page = self._facts.links.function(node.callee).href, node.callee.qualname
        return RowView(
            name=node.name,
            symbol=None,
            link=self._facts.links.span(node.span),
            shape=self._shape(node),
            sources=tuple(
                dict.fromkeys(names[e.source] for e in self._map.edges if e.target == node.id)
            ),
            remark=_summary(node.callee),
            page=page,
        )

    def _shape(self, node: Node) -> str:
        """The observed shape of what goes on from a node."""
        observation = self._facts.observation
        if node.kind == "input":
            return self._named(
                observation.parameter_shapes(node.function, node.name), node.function
            )
        if node.kind == "part":
            return self._named(self._results(node), node.function)
        if node.result and node.kind == "operation":
            return self._named(observation.shapes_at(node.result), node.result.function)
        return ""

    def _results(self, node: Node) -> list[Shape] | None:
        """What the call of a part gave, in each run."""
        place = Caller(path=node.span.path, line=node.line, column=node.column)
        runs = self._facts.observation.runs_of(node.function)
        firsts = [next((a for a in run.activations if a.caller == place), None) for run in runs]
        shapes = [element(first.result, node.index) for first in firsts if first]
        complete = [shape for shape in shapes if shape is not None]
        return complete if len(complete) == len(runs) else None

    def _named(self, shapes: Sequence[Shape] | None, function: Function | None) -> str:
        if not shapes:
            return "not observed"
        sizes = Sizes([run.dimensions for run in self._facts.observation.runs_of(function)])
        try:
            return sizes.name(list(shapes)).symbolic
        except UnknownSizeError as error:
            place = self._map.place.span
            what = f"a shape on the map of the model: {error}"
            self._report.add(
                Place(path=place.path, line=place.first),
                what,
                "add it to [dimensions] in site.toml",
            )
            return ""


def _explained(project: Project) -> dict[str, tuple[str, str]]:
    """By function, the address of the part of a page that lists it, and the page's title."""
    found: dict[str, tuple[str, str]] = {}
    for page in (document.page for document in project.documents):
        part = ""
        for block in page.blocks:
            if isinstance(block, Heading) and block.level == PART_LEVEL:
                part = f"#{block.id}"
            elif isinstance(block, Fence) and block.name == "code":
                try:
                    place = project.anchors.find(block.argument)
                except AnchorError:
                    continue  # the directive reports it
                if place.kind == "function" and place.function:
                    found.setdefault(place.function.dotted, (f"{page.slug}.html{part}", page.title))
    return found


def _summary(function: Function | None) -> str:
    """The first line of what a function says of itself."""
    return ((function.docstring if function else "") or "").strip().partition("\n")[0]


def _result(node: Node) -> str:
    """What the output of a node is called."""
    return node.result.name if node.result else node.name
