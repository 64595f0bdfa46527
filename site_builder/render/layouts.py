"""Lay out the graphs of the whole site with dagre, in one Node process."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from site_builder.cache import Cache, fingerprint
from site_builder.problem import Place, Report
from site_builder.render.node import ask_node
from site_builder.resolve.graph_views import Layout

_SCRIPT = Path(__file__).with_name("layout.mjs")
_LOCK = _SCRIPT.parent.parent.parent / "package-lock.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class LaidBox:
    """Where a box or a group stands: its upper left corner, and its size."""

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
    boxes: dict[str, LaidBox]
    groups: dict[str, LaidBox]
    arrows: tuple[LaidArrow, ...]


def lay_out(
    layouts: dict[Layout, Place], cache: Cache, report: Report
) -> dict[Layout, tuple[LaidGraph, ...]]:
    """The graphs of each layout, in their order; only what the cache does not hold is laid out."""
    if not layouts:
        return {}
    kept = cache.get("layouts") or {}
    scripts = [file.read_bytes() for file in sorted(_SCRIPT.parent.glob("layout*.mjs"))]
    version = fingerprint(_LOCK.read_bytes(), *scripts)
    keys = {layout: fingerprint(version, repr(layout)) for layout in layouts}
    missing = [layout for layout in layouts if keys[layout] not in kept]
    if missing:
        answers = ask_node(_SCRIPT, [asdict(layout) for layout in missing])
        for layout, answer in zip(missing, answers, strict=True):
            if "graphs" in answer:
                kept[keys[layout]] = answer["graphs"]
            else:
                at = layouts[layout]
                what = f"this graph cannot be laid out: {answer['error']}"
                report.add(at, what, "correct site_builder/render/layout.mjs")
        cache.put("layouts", {key: kept[key] for key in sorted(keys.values()) if key in kept})
    return {layout: tuple(map(_laid, kept[key])) for layout, key in keys.items() if key in kept}


def _laid(graph: dict[str, Any]) -> LaidGraph:
    return LaidGraph(
        width=graph["width"],
        height=graph["height"],
        boxes={box["id"]: _box(box) for box in graph["boxes"]},
        groups={group["id"]: _box(group) for group in graph["groups"]},
        arrows=tuple(LaidArrow(**arrow) for arrow in graph["arrows"]),
    )


def _box(table: dict[str, Any]) -> LaidBox:
    return LaidBox(**{name: table[name] for name in ("x", "y", "width", "height")})
