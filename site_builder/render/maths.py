"""Typeset the formulas of the whole site with KaTeX, in one Node process."""

from dataclasses import asdict
from pathlib import Path

from site_builder.cache import Cache, fingerprint
from site_builder.problem import Report
from site_builder.read.page import Place
from site_builder.render.node import ask_node
from site_builder.resolve.text_views import Maths

_SCRIPT = Path(__file__).with_name("katex.mjs")


def typeset(formulas: dict[Maths, Place], cache: Cache, report: Report) -> dict[Maths, str]:
    """The HTML of each formula; LaTeX errors are reported at their place.

    Only formulas that the cache does not hold are sent to Node.
    """
    kept = cache.get("formulas") or {}
    version = fingerprint(_SCRIPT.read_bytes(), _katex_version())
    keys = {
        maths: fingerprint(version, str(maths.display), maths.latex, maths.linked)
        for maths in formulas
    }
    missing = [maths for maths in formulas if keys[maths] not in kept]
    if missing:
        questions = [asdict(maths) for maths in missing]
        for maths, answer in zip(missing, ask_node(_SCRIPT, questions), strict=True):
            if "html" in answer:
                kept[keys[maths]] = answer["html"]
            else:
                _report(answer["error"], formulas[maths], report)
        cache.put("formulas", {key: kept[key] for key in sorted(keys.values()) if key in kept})
    return {maths: kept[key] for maths, key in keys.items() if key in kept}


def _report(error: str, at: Place, report: Report) -> None:
    message = error.removeprefix("KaTeX parse error: ").replace("\n", " ")
    report.add(at.path, at.line, f"this LaTeX cannot be typeset: {message}", "correct it")


def _katex_version() -> bytes:
    root = _SCRIPT.parent.parent.parent
    return (root / "node_modules" / "katex" / "package.json").read_bytes()
