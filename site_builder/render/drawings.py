"""Draw the figures of the whole site in one Node process, with the code that browsers get."""

import json
from dataclasses import dataclass
from pathlib import Path

from site_builder.cache import Cache, fingerprint
from site_builder.problem import Report
from site_builder.read.page import Place
from site_builder.render.node import ask_node
from site_builder.resolve.drawing import Drawing

_SCRIPT = Path(__file__).with_name("figures.mjs")
_LOCK = _SCRIPT.parent.parent.parent / "package-lock.json"
_MODULE = "static/js/figures/index.js"


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """A drawing as markup, and the table that holds its numbers."""

    svg: str
    table: str


def draw(
    drawings: dict[Drawing, Place], root: Path, cache: Cache, report: Report
) -> dict[Drawing, Drawn]:
    """Each drawing; what cannot be drawn is reported at the place where it is first used.

    Only drawings that the cache does not hold are made.
    """
    if not drawings:
        return {}
    kept = cache.get("drawings") or {}
    module = root / _MODULE
    code = [file.read_bytes() for file in sorted(module.parent.glob("*.js"))]
    version = fingerprint(_SCRIPT.read_bytes(), _LOCK.read_bytes(), *code)
    keys = {drawing: fingerprint(version, drawing.kind, drawing.values) for drawing in drawings}
    missing = [drawing for drawing in drawings if keys[drawing] not in kept]
    if missing:
        questions = [{"kind": d.kind, "values": json.loads(d.values)} for d in missing]
        answers = ask_node(_SCRIPT, questions, str(module))
        for drawing, answer in zip(missing, answers, strict=True):
            if "svg" in answer:
                kept[keys[drawing]] = answer
            else:
                at = drawings[drawing]
                what = f"this figure cannot be drawn: {answer['error']}"
                report.add(at.path, at.line, what, "correct static/js/figures, or the values")
        cache.put("drawings", {key: kept[key] for key in sorted(keys.values()) if key in kept})
    return {drawing: Drawn(**kept[key]) for drawing, key in keys.items() if key in kept}
