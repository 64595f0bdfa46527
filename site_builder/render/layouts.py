"""Lay out the graphs of the whole site with dagre."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from site_builder.problem import Place, Report
from site_builder.render.tools import Question, Tool, Tools
from site_builder.resolve.graph_views import GraphView


@dataclass(frozen=True, slots=True, kw_only=True)
class Rectangle:
    """Where a box or a group stands: its upper left corner, and its size."""

    id: str
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True, kw_only=True)
class LaidArrow:
    """The line of an arrow and its head, as the data of SVG paths."""

    source: str
    target: str
    carried: bool
    line: str
    head: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LaidGraph:
    """A graph in CSS pixels; boxes and groups by their ids."""

    width: float
    height: float
    boxes: dict[str, Rectangle]
    groups: dict[str, Rectangle]
    arrows: tuple[LaidArrow, ...]


def _laid(answer: dict[str, Any]) -> LaidGraph:
    return LaidGraph(
        width=answer["width"],
        height=answer["height"],
        boxes={box["id"]: Rectangle(**box) for box in answer["boxes"]},
        groups={group["id"]: Rectangle(**group) for group in answer["groups"]},
        arrows=tuple(LaidArrow(**arrow) for arrow in answer["arrows"]),
    )


_LAYOUT = Tool(name="layouts", script=Path(__file__).with_name("layout.mjs"), decode=_laid)


def lay_out(
    graphs: dict[GraphView, Place], tools: Tools, report: Report
) -> dict[GraphView, LaidGraph]:
    """Where everything in each graph is."""

    def failed(graph: GraphView, reply: dict[str, Any]) -> None:
        what = f"this graph cannot be laid out: {reply['error']}"
        report.add(graphs[graph], what, "correct site_builder/render/layout.mjs")

    questions = {graph: Question(value=_question(graph)) for graph in graphs}
    return tools.ask(_LAYOUT, questions, failed)


def _question(graph: GraphView) -> dict[str, Any]:
    return {
        "boxes": [
            {"id": box.id, "width": box.width, "height": box.height, "group": box.group}
            for box in graph.boxes
        ],
        "arrows": [asdict(arrow) for arrow in graph.arrows],
        "groups": [
            {"id": group.id, "group": group.group, "head": group.head} for group in graph.groups
        ],
        "upward": graph.upward,
    }
