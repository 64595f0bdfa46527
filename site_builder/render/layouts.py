"""Lay out the graphs of the whole site with dagre, in one Node process."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from site_builder.cache import Cache, fingerprint
from site_builder.problem import Report
from site_builder.read.page import Place
from site_builder.render.node import ask_node
from site_builder.resolve.graph_views import GraphView

_SCRIPT = Path(__file__).with_name("layout.mjs")
_LOCK = _SCRIPT.parent.parent.parent / "package-lock.json"


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


def lay_out(
    graphs: dict[GraphView, Place], cache: Cache, report: Report
) -> dict[GraphView, LaidGraph]:
    """Where everything in each graph is; only what the cache does not hold is laid out."""
    if not graphs:
        return {}
    kept = cache.get("layouts") or {}
    version = fingerprint(_LOCK.read_bytes(), _SCRIPT.read_bytes())
    questions = {graph: _question(graph) for graph in graphs}
    keys = {graph: fingerprint(version, repr(question)) for graph, question in questions.items()}
    missing = [graph for graph in graphs if keys[graph] not in kept]
    if missing:
        answers = ask_node(_SCRIPT, [questions[graph] for graph in missing])
        for graph, answer in zip(missing, answers, strict=True):
            if "error" in answer:
                at = graphs[graph]
                what = f"this graph cannot be laid out: {answer['error']}"
                report.add(at.path, at.line, what, "correct site_builder/render/layout.mjs")
            else:
                kept[keys[graph]] = answer
        cache.put("layouts", {key: kept[key] for key in sorted(keys.values()) if key in kept})
    return {graph: _laid(kept[key]) for graph, key in keys.items() if key in kept}


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


def _laid(answer: dict[str, Any]) -> LaidGraph:
    return LaidGraph(
        width=answer["width"],
        height=answer["height"],
        boxes={box["id"]: Rectangle(**box) for box in answer["boxes"]},
        groups={group["id"]: Rectangle(**group) for group in answer["groups"]},
        arrows=tuple(LaidArrow(**arrow) for arrow in answer["arrows"]),
    )
