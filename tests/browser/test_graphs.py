"""The data flow of functions, and the map of the model: by pointer, by keyboard, on a phone."""

import re

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.test_accessibility import THEMES, violations

pytestmark = pytest.mark.browser

FLOW = "#flow-ln"
MU = f"{FLOW} a.graph-box[data-symbol=mu]"


@pytest.fixture
def reading(page: Page, address: str) -> Page:
    page.goto(f"{address}layer-norm.html")
    return page


def near(page: Page) -> Locator:
    return page.locator(f"{FLOW} .graph-arrow[data-near]")


def test_a_box_leads_to_its_line(reading: Page) -> None:
    box = reading.locator(MU)
    number = box.locator(".corner").text_content()
    box.click()
    expect(reading).to_have_url(re.compile(rf"/source/ops\.html#L{number}$"))
    expect(reading.locator(f"#L{number}")).to_contain_text("mu = X.sum(axis=-1, keepdims=True) / d")
    expect(reading.locator(f"#L{number}")).to_be_in_viewport()


def test_a_box_is_reached_by_keyboard_and_shows_its_arrows(reading: Page) -> None:
    first = reading.locator(f"{FLOW} a.graph-box").first
    outline = "box => getComputedStyle(box).outlineStyle"
    assert first.evaluate(outline) == "none"
    first.focus()
    reading.keyboard.press("Tab")
    reading.keyboard.press("Shift+Tab")
    expect(first).to_be_focused()
    assert first.evaluate(outline) == "solid"
    box = reading.locator(MU)
    box.focus()
    ends = reading.locator(f"{FLOW} .graph-arrow").evaluate_all(
        """(all, box) => all.filter((arrow) =>
             [arrow.dataset.from, arrow.dataset.to].includes(box)
             && arrow.closest("svg").getAttribute("aria-label").includes("forward")).length""",
        box.get_attribute("data-box"),
    )
    assert ends == 4  # from X and d, to var and Xhat
    expect(near(reading)).to_have_count(ends)
    reading.locator("h1").click()
    expect(near(reading)).to_have_count(0)
    box.press("Enter")
    expect(reading).to_have_url(re.compile(r"/source/ops\.html#L\d+(-L\d+)?$"))


def test_boxes_light_with_their_symbols(reading: Page) -> None:
    box = reading.locator(MU)
    box.hover()
    count = reading.locator("[data-symbol=mu]").count()
    expect(reading.locator("[data-symbol=mu][data-lit]")).to_have_count(count)
    expect(near(reading)).to_have_count(4)
    reading.locator("h1").hover()
    expect(box).not_to_have_attribute("data-lit", "")
    reading.locator("#eq-ln-variance [data-symbol=mu]").hover()
    expect(box).to_have_attribute("data-lit", "")
    expect(reading.locator(".symbol-card")).to_contain_text("Mean of each row")


def test_what_is_not_drawn_stands_in_the_table(reading: Page) -> None:
    reading.locator(f"{FLOW} summary").click()
    row = reading.locator(f"{FLOW} tbody tr").filter(has_text="dXhat").first
    expect(row).to_contain_text("dY, gamma")


def test_a_part_of_the_map_leads_to_its_page(page: Page, address: str) -> None:
    page.goto(f"{address}index.html")
    part = page.locator("a.graph-box.explained").first
    expect(part).to_contain_text("LayerNorm")
    part.click()
    expect(page).to_have_url(re.compile(r"/layer-norm\.html#forward$"))
    page.go_back()
    box = page.locator("a.graph-box").filter(has_text="gelu_forward")
    number = box.locator(".corner").text_content()
    box.click()
    expect(page).to_have_url(re.compile(rf"/source/transformer\.html#L{number}$"))
    expect(page.locator(f"#L{number}")).to_contain_text("gelu_forward(")
    page.go_back()
    page.locator(".model-map summary").click()
    page.locator(".flow-table").get_by_role("link", name="gelu_forward").click()
    expect(page).to_have_url(re.compile(r"/source/ops\.html#L\d+(-L\d+)?$"))
    expect(page.locator(".line:has(:target)")).to_contain_text("def gelu_forward")


@pytest.mark.parametrize("width", [320, 375, 1440])
def test_symbols_stand_in_their_boxes(browser: Browser, address: str, width: int) -> None:
    page = browser.new_page(viewport={"width": width, "height": 800})
    page.goto(f"{address}layer-norm.html")
    page.evaluate("document.fonts.ready")
    outside = page.evaluate(
        """() => [...document.querySelectorAll(".graph-picture")].flatMap((picture) => {
          const boxes = [...picture.querySelectorAll("rect")]
            .map((box) => box.getBoundingClientRect());
          const parts = [...picture.querySelectorAll(".graph-symbol .katex-html, .graph-box text")];
          return parts.filter((part) => {
            const { left, right, top, bottom } = part.getBoundingClientRect();
            return !boxes.some((box) => box.left <= left && right <= box.right
              && box.top - 1 <= top && bottom <= box.bottom + 1);
          }).map((part) => part.textContent);
        })"""
    )
    assert outside == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.close()


def test_on_a_phone_a_wide_graph_scrolls_in_itself(browser: Browser, address: str) -> None:
    page = browser.new_page(viewport={"width": 375, "height": 800})
    page.goto(f"{address}layer-norm.html")
    last = page.locator(f"{FLOW} .graph-panel").last
    box = last.locator("a.graph-box").filter(has_text="cache")
    box.scroll_into_view_if_needed()
    width = last.locator(".scroll").evaluate("box => [box.scrollWidth, box.clientWidth]")
    assert width[0] > width[1]
    for one in last.locator("a.graph-box").all():
        one.focus()
        expect(one).to_be_in_viewport()
    page.close()


@pytest.mark.parametrize("theme", THEMES)
def test_axe_finds_nothing(browser: Browser, address: str, theme: str) -> None:
    context = browser.new_context(
        color_scheme="dark" if theme == "dark" else "light", viewport={"width": 375, "height": 800}
    )
    page = context.new_page()
    page.goto(f"{address}layer-norm.html")
    page.locator(MU).hover()
    expect(page.get_by_role("link", name="mu 28 (T, 1)")).to_be_visible()
    assert violations(page, FLOW) == []
    page.locator("h1").hover()  # the symbol's card would cover some of the table
    expect(page.locator(".symbol-card")).to_be_hidden()
    page.locator(f"{FLOW} summary").click()
    assert violations(page, FLOW) == []
    page.goto(f"{address}index.html")
    page.locator(".model-map summary").click()
    page.locator("a.graph-box").first.focus()
    assert violations(page, ".model-map") == []
    page.set_viewport_size({"width": 1440, "height": 900})
    assert violations(page, ".model-map") == []
    context.close()


def test_printed_it_has_no_marks(reading: Page) -> None:
    reading.locator("#sym-mu").get_by_role("button").click()
    expect(reading.locator(MU)).to_have_attribute("data-lit", "")
    reading.emulate_media(media="print")
    fill = reading.locator(MU).evaluate("box => getComputedStyle(box.querySelector('rect')).fill")
    assert fill == "none"
