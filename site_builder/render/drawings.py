"""Draw the figures of the whole site, with the code that browsers run."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from site_builder.problem import Place, Report
from site_builder.render.tools import PACKAGES, Question, Tool, Tools
from site_builder.resolve.drawing import Drawing

_MODULE = "static/js/figures/index.js"


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """A drawing as SVG, and a table of its numbers as HTML."""

    svg: str
    table: str


def _drawn(answer: dict[str, str]) -> Drawn:
    return Drawn(svg=answer["svg"], table=answer["table"])


_FIGURES = Tool(name="drawings", script=Path(__file__).with_name("figures.mjs"), decode=_drawn)


def draw(
    drawings: dict[Drawing, Place], root: Path, tools: Tools, report: Report
) -> dict[Drawing, Drawn]:
    """Each drawing; failures are reported where the drawing is first used."""

    def failed(drawing: Drawing, reply: dict[str, Any]) -> None:
        at, what = drawings[drawing], f"this figure cannot be drawn: {reply['error']}"
        report.add(at, what, "correct static/js/figures, or the values")

    module = root / _MODULE
    code = [file.read_bytes() for file in sorted(module.parent.glob("*.js"))]
    questions = {
        drawing: Question(
            value={"kind": drawing.kind, "values": json.loads(drawing.values)},
            content=(drawing.kind, drawing.values, *code),
        )
        for drawing in drawings
    }
    return tools.ask(_FIGURES, questions, failed, str(module), str(PACKAGES))
