"""The map of the model on the index page: each part leads to the page that explains it."""

from collections.abc import Sequence
from textwrap import wrap

from eqcheck import Caller
from site_builder.observe.observation import Shape, element
from site_builder.observe.sizes import Sizes, UnknownSizeError
from site_builder.problem import Place, Report
from site_builder.read.anchors import AnchorError
from site_builder.read.code import Function, Span
from site_builder.read.flow import Loop
from site_builder.read.model_map import MapNode, ModelMap
from site_builder.read.page import PART_LEVEL, Fence, Heading
from site_builder.resolve.context import Facts
from site_builder.resolve.graph_boxes import box_of, width_of
from site_builder.resolve.graph_views import (
    Arrow,
    Box,
    BoxView,
    Graph,
    GraphView,
    Group,
    GroupView,
    Layout,
    ModelMapView,
    RowView,
)
from site_builder.resolve.project import Project

_LONGEST = 30
_REMARK = 46  # characters in a line beside the map
_OUTPUT = "output"


def model_map_view(project: Project, facts: Facts, report: Report) -> ModelMapView | None:
    """The map, ready to be laid out."""
    return _Maker(project, facts, report).view() if project.model else None


class _Maker:
    """What is needed for each part."""

    def __init__(self, project: Project, facts: Facts, report: Report) -> None:
        assert project.model  # noqa: S101 - the caller has seen to it
        self._map: ModelMap = project.model
        self._facts = facts
        self._report = report
        self._pages = _explained(project)

    def view(self) -> ModelMapView:
        """Boxes, arrows and rows."""
        named = [(node, self._box(node)) for node in self._map.nodes]
        output = self._output()
        widths = [width_of(view) for node, view in named if node.kind == "part"]
        width = max(widths, default=0)
        loops = [*dict.fromkeys(node.loop for node in self._map.nodes if node.loop)]
        ends = [Arrow(source=end, target=_OUTPUT, carried=False) for end in self._map.ends]
        graph = Graph(
            boxes=(
                *(self._sized(node, view, width) for node, view in named),
                box_of(output, None),
            ),
            arrows=(
                *(
                    Arrow(source=edge.source, target=edge.target, carried=edge.carried)
                    for edge in self._map.edges
                ),
                *ends,
            ),
            groups=tuple(Group(id=_group(loop) or "", group=_group(loop.outer)) for loop in loops),
            upward=False,
        )
        function = self._map.place.function
        assert function  # noqa: S101 - the map begins in one
        links = self._facts.links
        return ModelMapView(
            layout=Layout(graphs=(graph,)),
            graph=GraphView(
                title=self._map.place.name,
                link=links.span(self._map.place.span),
                label=f"What {self._map.place.name} is computed from, with lines and shapes",
                boxes=(*(view for _, view in named), output),
                groups=tuple(self._group_view(loop) for loop in loops),
                rows=tuple(self._row(node) for node in self._map.nodes if node.kind != "joint"),
                upward=False,
            ),
            left_out=self._map.left_out,
        )

    def _sized(self, node: MapNode, view: BoxView, width: float) -> Box:
        return box_of(view, _group(node.loop), None, width if node.kind == "part" else 0)

    def _box(self, node: MapNode) -> BoxView:
        link = self._facts.links.span(node.span)
        page = self._pages.get(node.callee.dotted) if node.callee else None
        shape = self._shape(node)
        return BoxView(
            id=node.id,
            kind=f"{node.kind} explained" if page else node.kind,
            name=_short(node.text),
            maths=None,
            symbol=None,
            corner="" if node.kind == "joint" else link.lines,
            note=(page[1] if page else "") if node.kind == "part" else "",
            shape="" if node.kind == "joint" else shape,
            href=page[0] if page else link.href,
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
            maths=None,
            symbol=None,
            corner=link.lines,
            note="",
            shape=shape,
            href=link.href,
            is_given_back=True,
        )

    def _row(self, node: MapNode) -> RowView:
        names = {one.id: _result(one) for one in self._map.nodes}
        page = self._pages.get(node.callee.dotted) if node.callee else None
        if node.callee and not page:
            page = self._facts.links.function(node.callee).href, node.callee.qualname
        return RowView(
            name=node.text,
            symbol=None,
            link=self._facts.links.span(node.span),
            shape=self._shape(node),
            sources=tuple(
                dict.fromkeys(names[e.source] for e in self._map.edges if e.target == node.id)
            ),
            remark=_summary(node.callee),
            page=page,
        )

    def _group_view(self, loop: Loop) -> GroupView:
        links = self._facts.links
        path = next(node.span.path for node in self._map.nodes if node.loop == loop)
        return GroupView(
            id=_group(loop) or "",
            code=loop.code,
            link=links.span(Span(path=path, first=loop.line, last=loop.line)),
            inside=tuple(
                (function.qualname, links.function(function))
                for function, where in self._map.opened
                if where == loop
            ),
        )

    def _shape(self, node: MapNode) -> str:
        """The observed shape of what goes on from a node."""
        observation = self._facts.observation
        if node.kind == "input":
            return self._named(observation.parameter_shapes(node.caller, node.text), node.caller)
        if node.kind == "part":
            return self._named(self._results(node), node.caller)
        if node.result and node.kind == "operation":
            return self._named(observation.shapes_at(node.result), node.result.function)
        return ""

    def _results(self, node: MapNode) -> list[Shape] | None:
        """What the call of a part gave, in each run."""
        place = Caller(path=node.span.path, line=node.line, column=node.column)
        runs = self._facts.observation.runs_of(node.caller)
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


def _group(loop: Loop | None) -> str | None:
    return f"loop {loop.line}" if loop else None


def _summary(function: Function | None) -> str:
    """The first line of what a function says of itself."""
    return ((function.docstring if function else "") or "").strip().partition("\n")[0]


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _result(node: MapNode) -> str:
    """What the output of a node is called."""
    return node.result.name if node.result else node.text
