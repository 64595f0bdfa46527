"""Typeset the formulas of the whole site with KaTeX, in one Node process."""

import json
import subprocess
from dataclasses import asdict
from pathlib import Path

from site_builder.cache import Cache, fingerprint
from site_builder.problem import Report
from site_builder.read.page import Place
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
        for maths, answer in zip(missing, _ask_katex(missing), strict=True):
            if "html" in answer:
                kept[keys[maths]] = answer["html"]
            else:
                _report(answer["error"], formulas[maths], report)
        cache.put("formulas", {key: kept[key] for key in sorted(keys.values()) if key in kept})
    return {maths: kept[key] for maths, key in keys.items() if key in kept}


def _report(error: str, at: Place, report: Report) -> None:
    message = error.removeprefix("KaTeX parse error: ").replace("\n", " ")
    report.add(at.path, at.line, f"this LaTeX cannot be typeset: {message}", "correct it")


def _ask_katex(formulas: list[Maths]) -> list[dict[str, str]]:
    request = [asdict(maths) for maths in formulas]
    run = subprocess.run(
        ["node", str(_SCRIPT)],
        input=json.dumps(request),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    if run.returncode:
        last = (run.stderr.strip().splitlines() or ["no output"])[-1]
        return [{"error": f"Node ended with code {run.returncode} ({last})"}] * len(formulas)
    answers: list[dict[str, str]] = json.loads(run.stdout)
    return answers


def _katex_version() -> bytes:
    root = _SCRIPT.parent.parent.parent
    return (root / "node_modules" / "katex" / "package.json").read_bytes()
