"""Nothing on a page moves while it loads, however late its scripts come."""

import time

import pytest
from playwright.sync_api import Browser, Page, Route

from tests.browser.pages import PAGES

pytestmark = pytest.mark.browser

DELAY = 0.4  # seconds: the page has been drawn by then
MOST = 0.01  # of the Layout Instability API; a tenth of what counts as good
WATCH = """
window.shifts = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    const moved = entry.sources.map(({ node }) => node?.outerHTML?.slice(0, 120) ?? "text");
    if (!entry.hadRecentInput) window.shifts.push([entry.value, ...moved]);
  }
}).observe({ type: "layout-shift", buffered: true });
"""


def late(route: Route) -> None:
    time.sleep(DELAY)
    route.continue_()


def shifts(page: Page, address: str) -> list[list[str | float]]:
    """How much each thing moved, and what it was."""
    page.add_init_script(WATCH)
    for entry in ("**/page.js", "**/every-page.js", "**/*.woff2", "**/*.svg"):
        page.route(entry, late)
    page.goto(address, wait_until="networkidle")
    page.evaluate("document.fonts.ready.then(() => 0)")
    page.wait_for_timeout(200)
    found: list[list[str | float]] = page.evaluate("window.shifts")
    return found


@pytest.mark.parametrize("width", [375, 1440])
@pytest.mark.parametrize("path", PAGES)
def test_nothing_moves(browser: Browser, address: str, path: str, width: int) -> None:
    page = browser.new_page(viewport={"width": width, "height": 800})
    found = shifts(page, address + path)
    page.context.close()
    assert sum(float(value) for value, *_ in found) < MOST, found


def test_what_moves_would_be_seen(browser: Browser, address: str) -> None:
    page = browser.new_page(viewport={"width": 1440, "height": 800})
    page.add_init_script(
        """setTimeout(() => {
          const box = document.createElement("div");
          box.style.height = "200px";
          document.querySelector("main").prepend(box);
        }, 600)"""
    )
    found = shifts(page, f"{address}index.html")
    page.context.close()
    assert sum(float(value) for value, *_ in found) > MOST
