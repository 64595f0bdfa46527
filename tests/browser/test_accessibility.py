"""axe finds nothing, on every kind of page, in both themes, in every state of the examples."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.example_page import FORWARD, READY_MS, ExamplePage
from tests.browser.pages import PAGES, lay_out

pytestmark = pytest.mark.browser

AXE = Path(__file__).parent.parent.parent / "node_modules" / "axe-core" / "axe.min.js"
THEMES = ("light", "dark")
OPTIONS = {
    "resultTypes": ["violations"],
    "rules": {"target-size": {"enabled": True}},  # 24 px; axe leaves it out by default
}


def violations(page: Page, within: str = "html") -> list[str]:
    """What axe finds in an element, given as a selector, in words."""
    lay_out(page)
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text("utf-8"))
    result = page.evaluate("([place, options]) => axe.run(place, options)", [within, OPTIONS])
    return [
        f"{violation['id']}: {json.dumps(node['target'])} {node['failureSummary']}"
        for violation in result["violations"]
        for node in violation["nodes"]
    ]


def violations_in_both_themes(page: Page, within: str = "html") -> list[str]:
    """What axe finds in an element, in both themes."""
    found = []
    for theme in THEMES:
        page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
        found += [f"{theme}: {text}" for text in violations(page, within)]
    return found


def violations_in_every_look(page: Page, within: str = "html") -> list[str]:
    """What axe finds in an element on wide and narrow screens, in both themes."""
    found = []
    for width in (1440, 375):
        page.set_viewport_size({"width": width, "height": 800})
        page.wait_for_timeout(200)  # boxes that now overflow become reachable
        found += [f"{width} px, {text}" for text in violations_in_both_themes(page, within)]
    return found


@pytest.fixture
def own(browser: Browser) -> Iterator[Page]:
    """A page whose console may show errors."""
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    yield page
    page.close()


@pytest.mark.parametrize("path", PAGES)
def test_pages(own: Page, address: str, path: str) -> None:
    own.goto(address + path)
    assert violations_in_every_look(own) == []


def test_examples_in_every_state(own: Page, address: str) -> None:
    sources: list[Route] = []
    own.route("**/runtime/sources.zip", lambda route: sources.append(route))  # noqa: PLW0108 - no builtin
    own.goto(f"{address}layer-norm.html")
    example = ExamplePage(own)
    within = f"#{FORWARD}"  # the rest of the page is as in the test of all pages
    example.cell(FORWARD, "X", 0).fill("4")
    expect(example.example(FORWARD)).to_have_attribute("data-state", "loading")
    assert violations_in_both_themes(own, within) == []
    while not sources:
        own.wait_for_timeout(20)
    sources[0].abort()
    expect(example.example(FORWARD)).to_have_attribute("data-state", "failed", timeout=READY_MS)
    assert violations_in_both_themes(own, within) == []
    own.unroute("**/runtime/sources.zip")
    example.button(FORWARD, "Retry").click()
    example.wait_until_ready()
    assert violations_in_both_themes(own, within) == []
    example.cell(FORWARD, "X", 0).fill("four")
    assert violations_in_both_themes(own, within) == []


def test_axe_can_fail(own: Page, address: str) -> None:
    own.goto(f"{address}index.html")
    own.evaluate("document.querySelector('main').insertAdjacentHTML('beforeend', '<img src=x>')")
    assert [found for found in violations(own) if found.startswith("image-alt")]
