"""`make bench`: how fast builds and pages are, as one JSON document on standard output.

Times are medians of runs that take turns, and rows are ratios of them, so that they mean the same
on any machine. Progress goes to standard error.
"""

import json
import os
import platform
import shutil
import statistics
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TypeVar

from bench.browser import BrowserFindings, measure_browser
from bench.measure import peak_mebibytes, seconds
from bench.sites import ROOT, edit_code, edit_prose, make_project, make_sphinx
from bench.stages import stage_seconds

PAGES = 20
ROUNDS = 5
GROWTH = (1, 50, 100)
GROWTH_ROUNDS = 3
_NOT_MEANT = {("404.html", "seo")}  # it asks search engines to leave it out
_Key = TypeVar("_Key")
_SPHINX = ROOT / ".venv-bench" / "bin" / "python"


def main() -> None:
    """Measure, and print."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        times, memory = _measure_pages(Path(folder))
        growth = _measure_growth(Path(folder))
    _say("pages in a browser, and Lighthouse on each")
    browser = measure_browser()
    full = times["full build"]
    lower = (growth[50] - growth[1]) / (50 - 1)
    upper = (growth[100] - growth[50]) / (100 - 50)
    rows = [
        _row(f"full build of {PAGES} pages / Sphinx on {PAGES} plain pages of that size",
             full / times["Sphinx"], "ratio", 1.0),
        _row("rebuild with nothing changed / full build",
             times["nothing changed"] / full, "ratio", 0.10),
        _row("rebuild after one edited line of a page / full build",
             times["a line of a page"] / full, "ratio", 0.25),
        _row("rebuild after one edited line of code / full build",
             times["a line of code"] / full, "ratio", 0.25),
        _row("running the equations of the LayerNorm page / rendering its maths",
             times["equations run"] / times["maths rendered"], "ratio", 1.0),
        _row("cost of a page, 50 to 100 pages / 1 to 50 pages", upper / lower, "ratio", 1.25),
        _row(f"peak memory of a full build of {PAGES} pages, all processes together",
             memory, "MiB", 250),
        *_browser_rows(browser),
    ]  # fmt: skip
    document = {
        "rows": rows,
        "seconds": {name: round(value, 3) for name, value in times.items()}
        | {f"full build of {pages} pages": round(value, 3) for pages, value in growth.items()},
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
        _row("first edit to live result, cold / a bare page that loads Pyodide and NumPy",
             found.cold / found.bare, "ratio", 0.6),
        _row("points that Lighthouse takes from the worst page, phone, median of runs",
             100 - lowest, "points", 0),
    ]  # fmt: skip


def _measure_pages(folder: Path) -> tuple[dict[str, float], float]:
    project, sphinx = folder / "pages", folder / "sphinx"
    make_project(project, PAGES)
    make_sphinx(sphinx, PAGES)
    taken: dict[str, list[float]] = defaultdict(list)
    for number in range(1, ROUNDS + 1):
        _say(f"round {number} of {ROUNDS}")
        work: dict[str, Callable[[], float]] = {
            "full build": partial(_full_build, project),
            "nothing changed": partial(seconds, _build(project)),
            "a line of a page": partial(_after, edit_prose, project, number),
            "a line of code": partial(_after, edit_code, project, number),
            "Sphinx": partial(_sphinx, sphinx),
        }
        for name, run in work.items():
            taken[name].append(run())
        for name, value in stage_seconds().items():
            taken[name].append(value)
    _forget(project)
    return _medians(taken), peak_mebibytes(_build(project))


def _measure_growth(folder: Path) -> dict[int, float]:
    projects = {pages: folder / f"growth-{pages}" for pages in GROWTH}
    for pages, project in projects.items():
        make_project(project, pages)
    taken: dict[int, list[float]] = defaultdict(list)
    for number in range(1, GROWTH_ROUNDS + 1):
        _say(f"growth, round {number} of {GROWTH_ROUNDS}")
        for pages, project in projects.items():
            taken[pages].append(_full_build(project))
    return _medians(taken)


def _full_build(project: Path) -> float:
    _forget(project)
    return seconds(_build(project))


def _after(edit: Callable[[Path, int], None], project: Path, number: int) -> float:
    edit(project, number)
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


def _medians(taken: Mapping[_Key, list[float]]) -> dict[_Key, float]:
    return {name: statistics.median(values) for name, values in taken.items()}


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
