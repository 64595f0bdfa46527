"""The built site in a real Chromium: its weight, its speed, and Lighthouse on each page."""

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import Browser, BrowserContext, sync_playwright

from bench.measure import seconds
from bench.sites import ROOT
from tests.browser.static_host import static_host
from tests.browser.weight import pages_of, weights
from tests.chromium import arguments, find_chromium

EXAMPLE = "layer-norm.html"
LIGHTHOUSE_RUNS = 3
START_ROUNDS = 3
EDITS = 100
_LIGHTHOUSE = Path(__file__).with_name("lighthouse.mjs")
_TIMEOUT_MS = 120_000
_SETTLED_MS = 1000

_BARE = """\
<!doctype html>
<meta charset="utf-8">
<title>loading</title>
<script type="module">
  import { loadPyodide } from "./runtime/pyodide.mjs";
  const pyodide = await loadPyodide({ indexURL: new URL("runtime/", location.href).href });
  await pyodide.loadPackage("numpy");
  pyodide.runPython("import numpy");
  document.title = "ready";
</script>
"""
# Resolves with the milliseconds from an edit of the first cell until its results are shown.
_EDIT = """(text) => new Promise((resolve) => {
  const example = document.querySelector("live-example:has(.inputs input)");
  const cell = example.querySelector(".inputs input");
  const started = performance.now();
  new MutationObserver((_, observer) => {
    if (example.dataset.state !== "ready") return;
    observer.disconnect();
    resolve(performance.now() - started);
  }).observe(example, { attributeFilter: ["data-state"] });
  cell.focus();
  cell.value = text;
  cell.dispatchEvent(new Event("input", { bubbles: true }));
})"""


@dataclass(frozen=True, slots=True, kw_only=True)
class BrowserFindings:
    """What was measured.

    Attributes:
        weights: bytes of each page before Python starts, with gzip -9.
        edit_ms: milliseconds from an edit to its result, for each of many edits.
        bare: seconds that a page with nothing else on it takes to load Pyodide and NumPy.
        first: seconds from the first edit to its result on the first visit.
        second: the same on the second visit.
        lighthouse: for each page the scores, and the audits that are not full.
    """

    weights: dict[str, int]
    edit_ms: list[float]
    bare: list[float]
    first: list[float]
    second: list[float]
    lighthouse: dict[str, dict[str, Any]]


def measure_browser() -> BrowserFindings:
    """Build the site with its runtime, serve it compressed, and measure."""
    with served() as (folder, address), _chromium() as browser:
        pages = pages_of(folder)
        weighed = {path: sum(weights(browser, address, path).values()) for path in pages}
        (folder / "bare.html").write_text(_BARE, "utf-8")
        starts = _starts(browser, address)
        return BrowserFindings(
            weights=weighed,
            edit_ms=_edits(browser, address),
            **starts,
            lighthouse=_lighthouse(address, pages),
        )


@contextmanager
def served() -> Iterator[tuple[Path, str]]:
    """The folder and the address of a copy of the site, built as it is published."""
    seconds([sys.executable, str(ROOT / "build.py"), "build"])
    with tempfile.TemporaryDirectory(prefix="bench-") as name:
        folder = Path(name) / "dist"
        shutil.copytree(ROOT / "dist", folder)
        with static_host(folder) as address:
            yield folder, address


@contextmanager
def _chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        executable = find_chromium()
        if not executable:
            sys.exit("no Chromium: run `python -m tests.chromium`")
        browser = playwright.chromium.launch(executable_path=executable, args=arguments())
        yield browser
        browser.close()


def _starts(browser: Browser, address: str) -> dict[str, list[float]]:
    """Seconds of starts of Python that take turns: of a bare page, and of an example's first edit.

    The second visit finds what the service worker and the browser have kept of the first.
    """
    taken: dict[str, list[float]] = {"bare": [], "first": [], "second": []}
    for _ in range(START_ROUNDS):
        with _visitor(browser) as visitor:
            page = visitor.new_page()
            page.goto(f"{address}bare.html")
            page.wait_for_function("document.title === 'ready'", timeout=_TIMEOUT_MS)
            taken["bare"].append(page.evaluate("performance.now()") / 1000)
        with _visitor(browser, service_workers="allow") as visitor:
            for visit in ("first", "second"):
                page = visitor.new_page()
                page.goto(f"{address}{EXAMPLE}", wait_until="networkidle")
                taken[visit].append(page.evaluate(_EDIT, "1.25") / 1000)
                page.wait_for_timeout(_SETTLED_MS)
                page.close()
    return taken


def _edits(browser: Browser, address: str) -> list[float]:
    """How long each edit takes once Python runs."""
    with _visitor(browser) as visitor:
        page = visitor.new_page()
        page.goto(f"{address}{EXAMPLE}", wait_until="networkidle")
        page.evaluate(_EDIT, "0")
        page.wait_for_timeout(_SETTLED_MS)  # the other examples of the page compare themselves, too
        return [page.evaluate(_EDIT, str(number / 4)) for number in range(1, EDITS + 1)]


@contextmanager
def _visitor(
    browser: Browser, service_workers: Literal["allow", "block"] = "block"
) -> Iterator[BrowserContext]:
    """A browser profile that has kept nothing yet."""
    context = browser.new_context(
        viewport={"width": 1440, "height": 900}, service_workers=service_workers
    )
    context.set_default_timeout(_TIMEOUT_MS)
    yield context
    context.close()


def _lighthouse(address: str, pages: list[str]) -> dict[str, dict[str, Any]]:
    questions = [{"address": address + path, "runs": LIGHTHOUSE_RUNS} for path in pages]
    command = ["node", str(_LIGHTHOUSE), str(find_chromium()), *arguments()]
    run = subprocess.run(
        command, input=json.dumps(questions), stdout=subprocess.PIPE, text=True, check=True
    )
    return dict(zip(pages, json.loads(run.stdout), strict=True))
