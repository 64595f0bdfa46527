"""axe finds nothing, on every kind of page, in both themes, in every state of the examples."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

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
    page.evaluate(AXE.read_text("utf-8"))
    result = page.evaluate("([place, options]) => axe.run(place, options)", [within, OPTIONS])
    return [
        f"{violation['id']}: {json.dumps(node['target'])} {node['failureSummary']}"
        for violation in result["violations"]
        for node in violation["nodes"]
    ]


def violations_in_every_look(page: Page, within: str) -> list[str]:
    """What axe finds in an element on wide and narrow screens, in both themes."""
    found = []
    for width in (1440, 375):
        page.set_viewport_size({"width": width, "height": 800})
        for theme in THEMES:
            page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
            page.wait_for_timeout(200)  # boxes that now overflow become reachable
            found += [f"{width} px, {theme}: {text}" for text in violations(page, within)]
    return found


@pytest.fixture(params=THEMES)
def themed(request: pytest.FixtureRequest, browser: Browser) -> Page:
    return browser.new_context(
        color_scheme=request.param, viewport={"width": 1440, "height": 900}
    ).new_page()


@pytest.mark.parametrize("path", PAGES)
def test_pages(themed: Page, address: str, path: str) -> None:
    themed.goto(address + path)
    assert violations(themed) == []
    themed.set_viewport_size({"width": 375, "height": 800})
    themed.wait_for_timeout(200)  # boxes that now overflow become reachable
    assert violations(themed) == []
    themed.context.close()


def test_examples_in_every_state(themed: Page, address: str) -> None:
    themed.route("**/runtime/sources.zip", lambda route: route.abort())
    themed.goto(f"{address}layer-norm.html")
    example = ExamplePage(themed)
    within = f"#{FORWARD}"  # the rest of the page is as in the test of all pages
    example.cell(FORWARD, "X", 0).fill("4")
    expect(example.example(FORWARD)).to_have_attribute("data-state", "loading")
    assert violations(themed, within) == []
    expect(example.example(FORWARD)).to_have_attribute("data-state", "failed", timeout=READY_MS)
    assert violations(themed, within) == []
    themed.unroute("**/runtime/sources.zip")
    example.button(FORWARD, "Retry").click()
    example.wait_until_ready()
    assert violations(themed, within) == []
    example.cell(FORWARD, "X", 0).fill("four")
    assert violations(themed, within) == []
    themed.context.close()


def test_axe_can_fail(themed: Page, address: str) -> None:
    themed.goto(f"{address}index.html")
    themed.evaluate("document.querySelector('main').insertAdjacentHTML('beforeend', '<img src=x>')")
    assert [found for found in violations(themed) if found.startswith("image-alt")]
    themed.context.close()
