"""`make bench`: how fast builds and pages are, as one JSON document on standard output.

Runs take turns. Ratios are medians over pairs and mean the same on any machine; seconds do not.
Progress goes to standard error.
"""

import json
import os
import platform
import shutil
import statistics
import sys
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from bench.browser import BrowserFindings, measure_browser
from bench.measure import peak_mebibytes, seconds
from bench.saves import seconds_to_page
from bench.sites import ROOT, make_project, make_sphinx
from bench.stages import stage_seconds

PAGES = 20
ROUNDS = 5
GROWTH = (1, 100, 200)
GROWTH_ROUNDS = 3
_NOT_MEANT = {("404.html", "seo")}  # it asks search engines to leave it out
_SPHINX = ROOT / ".venv-bench" / "bin" / "python"


def main() -> None:
    """Measure, and print."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        project = Path(folder) / "pages"
        make_project(project, PAGES)
        times = _measure_pages(project)
        _say("saves")
        saves = seconds_to_page(project, ROUNDS)
        _forget(project)
        memory = peak_mebibytes(_build(project))
        growth = _measure_growth(Path(folder))
    _say("pages in a browser, and Lighthouse on each")
    browser = measure_browser()
    few, more, most = GROWTH
    lower = [(b - a) / (more - few) for a, b in zip(growth[few], growth[more], strict=True)]
    upper = [(b - a) / (most - more) for a, b in zip(growth[more], growth[most], strict=True)]
    full = times["full build"]
    rows = [
        _row(f"save of a line of prose to the served page, {PAGES} pages",
             median(saves["prose"]), "s", 0.3),
        _row(f"save of a line of code to the served page, {PAGES} pages",
             median(saves["code"]), "s", 1.5),
        _row(f"full build of {PAGES} pages", median(full), "s", 3.5),
        _row(f"full build of {PAGES} pages / Sphinx with myst-parser and furo on the same content",
             _ratio(full, times["Sphinx"]), "ratio", 1.5),
        _row("rebuild with nothing changed / full build",
             _ratio(times["nothing changed"], full), "ratio", 0.02),
        _row("running the equations of the LayerNorm page / rendering its maths",
             _ratio(times["equations run"], times["maths rendered"]), "ratio", 1.0),
        _row(f"cost of a page, {more} to {most} pages / {few} to {more} pages",
             _ratio(upper, lower), "ratio", 1.25),
        _row(f"peak memory of a full build of {PAGES} pages, all processes together",
             memory, "MiB", 250),
        *_browser_rows(browser),
    ]  # fmt: skip
    by_pages = {f"full build of {pages} pages": values for pages, values in growth.items()}
    every = {**times, **{f"save of {name}": values for name, values in saves.items()}, **by_pages}
    document = {
        "rows": rows,
        "seconds": {name: round(median(values), 3) for name, values in every.items()},
        "bytes of pages before Python starts": browser.weights,
        "lighthouse": browser.lighthouse,
        "machine": {
            "python": platform.python_version(),
            "system": platform.system(),
            "processors": os.cpu_count(),
        },
    }
    print(json.dumps(document, indent=2))


def _row(what: str, value: float, unit: str, aim: float) -> dict[str, object]:
    """A result. `holds` says whether it is no more than the aim."""
    return {"what": what, "value": round(value, 3), "unit": unit, "aim": aim, "holds": value <= aim}


def _ratio(these: Sequence[float], those: Sequence[float]) -> float:
    """The median over pairs that were measured one after the other."""
    return median(this / that for this, that in zip(these, those, strict=True))


def _browser_rows(found: BrowserFindings) -> list[dict[str, object]]:
    late = statistics.quantiles(found.edit_ms, n=20)[-1]
    lowest = min(
        score
        for path, page in found.lighthouse.items()
        for category, score in page["scores"].items()
        if (path, category) not in _NOT_MEANT
    )
    return [
        _row("heaviest page before Python starts, fonts included, gzip -9",
             max(found.weights.values()) / 1000, "KB", 150),
        _row("edit to result with Python warm, 95th percentile", late, "ms", 16),
        _row("first edit to live result, first visit / a bare page with Pyodide and NumPy",
             _ratio(found.first, found.bare), "ratio", 0.7),
        _row("first edit to live result, second visit / a bare page with Pyodide and NumPy",
             _ratio(found.second, found.bare), "ratio", 0.4),
        _row("points that Lighthouse takes from the worst page, phone, median of runs",
             100 - lowest, "points", 0),
    ]  # fmt: skip


def _measure_pages(project: Path) -> dict[str, list[float]]:
    taken: dict[str, list[float]] = defaultdict(list)
    for number in range(1, ROUNDS + 1):
        _say(f"round {number} of {ROUNDS}")
        taken["full build"].append(_full_build(project))
        taken["nothing changed"].append(seconds(_build(project)))
        sphinx = project.with_name("sphinx")
        if not sphinx.exists():
            make_sphinx(sphinx, project / "dist", PAGES)
        taken["Sphinx"].append(_sphinx(sphinx))
        for name, value in stage_seconds().items():
            taken[name].append(value)
    return taken


def _measure_growth(folder: Path) -> dict[int, list[float]]:
    projects = {pages: folder / f"growth-{pages}" for pages in GROWTH}
    for pages, project in projects.items():
        make_project(project, pages)
    taken: dict[int, list[float]] = defaultdict(list)
    for number in range(1, GROWTH_ROUNDS + 1):
        _say(f"growth, round {number} of {GROWTH_ROUNDS}")
        for pages, project in projects.items():
            taken[pages].append(_full_build(project))
    return taken


def _full_build(project: Path) -> float:
    _forget(project)
    return seconds(_build(project))


def _sphinx(folder: Path) -> float:
    output = folder.with_name("sphinx-output")
    shutil.rmtree(output, ignore_errors=True)
    command = [str(_SPHINX), "-m", "sphinx", "-q", "-b", "html", str(folder), str(output)]
    return seconds(command)


def _build(project: Path) -> list[str]:
    options = ["--root", str(project), "--without-runtime", "--without-pdf"]
    return [sys.executable, str(ROOT / "build.py"), "build", *options]


def _forget(project: Path) -> None:
    for name in (".cache", "dist"):
        shutil.rmtree(project / name, ignore_errors=True)


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
