"""How the pages look and behave at several sizes and in both themes."""

import re

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.pages import CONTENT, PAGES, lay_out

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("path", PAGES)
def test_no_page_scrolls_sideways(page: Page, address: str, path: str) -> None:
    page.goto(address + path)
    for width in (320, 375, 640, 768, 1440):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("path", CONTENT)
def test_what_overflows_can_be_scrolled_by_keyboard(
    browser: Browser, address: str, path: str
) -> None:
    page = browser.new_page(viewport={"width": 375, "height": 800})
    page.goto(address + path)
    lay_out(page)
    expect(page.locator(".scroll[tabindex]").first).to_be_attached()
    page.locator("details").evaluate_all(
        "all => all.forEach((details) => { details.open = true; })"
    )
    page.wait_for_timeout(200)
    wrong = page.evaluate(
        """() => [...document.querySelectorAll(".scroll")].filter(
          (box) => box.scrollWidth > box.clientWidth + 1 !== box.hasAttribute("tabindex")).length"""
    )
    assert wrong == 0
    assert page.locator(".scroll:not([tabindex])").count() > 0
    page.close()


def test_the_themes_differ(browser: Browser, address: str) -> None:
    colours = {}
    for scheme in ("light", "dark"):
        context = browser.new_context(color_scheme="light" if scheme == "light" else "dark")
        page = context.new_page()
        page.goto(f"{address}layer-norm.html")
        colours[scheme] = page.evaluate("getComputedStyle(document.body).backgroundColor")
        context.close()
    assert colours["light"] == "rgb(252, 251, 248)"
    assert colours["dark"] == "rgb(22, 24, 27)"


def test_a_phone_can_edit(browser: Browser, address: str) -> None:
    context = browser.new_context(
        viewport={"width": 375, "height": 700}, has_touch=True, is_mobile=True
    )
    page = context.new_page()
    page.goto(f"{address}layer-norm.html")
    cells = page.locator("#ex-ln-forward input")
    for index in range(cells.count()):
        box = cells.nth(index).bounding_box()
        assert box
        assert box["width"] >= 44
        assert box["height"] >= 24
        assert box["x"] + box["width"] <= 375
    cells.nth(3).tap()
    page.keyboard.type("10")
    page.wait_for_selector("#ex-ln-forward[data-state=ready]", timeout=60_000)
    mean = page.locator("#ex-ln-forward .results .number").first
    mean.filter(has_text="4").wait_for()
    context.close()


def test_every_glyph_of_the_page_has_a_font(page: Page, address: str) -> None:
    failed: list[str] = []
    page.on("requestfailed", lambda request: failed.append(request.url))
    page.on("response", lambda r: failed.append(r.url) if r.status >= 400 else None)
    page.goto(f"{address}layer-norm.html")
    page.wait_for_load_state("networkidle")
    page.evaluate("document.fonts.ready")
    assert failed == []


def test_a_reader_may_lack_the_faces_that_stand_in(page: Page, address: str) -> None:
    def without(route: Route) -> None:
        response = route.fetch()
        style = re.sub(r'local\("[^"]+"\)', 'local("No Such Face")', response.text())
        assert "No Such Face" in style
        route.fulfill(response=response, body=style)

    page.route("**/styles.css", without)
    page.goto(f"{address}layer-norm.html", wait_until="networkidle")
    expect(page.locator("h1")).to_have_text("LayerNorm")
    page.wait_for_timeout(200)  # an error of the page would fail this test
