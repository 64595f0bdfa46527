"""Pages on paper: light, unfolded, whole, and without what only a screen can use."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

PAGES = ("layer-norm.html", "lesson.html", "laboratory.html", "index.html", "source/ops.html")
PAPER, MARGIN = 794, 68  # CSS pixels: the width of A4, and the margin of print.css
WHITE = "rgb(255, 255, 255)"
COLOURS = """() => {
  const { backgroundColor, color } = getComputedStyle(document.body);
  return [backgroundColor, color];
}"""
CONTROLS = """() => [...document.querySelectorAll(
  "button, .site-header, .contents, .skip, .anchor, progress, input[type=range], .cell-help")]
  .filter((element) => element.checkVisibility({ visibilityProperty: true }))
  .map((element) => element.outerHTML.slice(0, 80))"""
FOLDED = """() => [...document.querySelectorAll("details")]
  .filter((details) => ![...details.children].some((child) =>
    child.tagName !== "SUMMARY" && child.checkVisibility()))
  .map((details) => details.textContent.slice(0, 80))"""
CUT = """(MARGIN) => {
  const isHidden = (element) => element.closest(".hidden, .katex-mathml, svg, caption, thead");
  return [...document.querySelectorAll("main *")]
    .filter((element) => !isHidden(element) && element.getBoundingClientRect().width > 1)
    .filter((element) => element.getBoundingClientRect().right > innerWidth - MARGIN + 1)
    .map((element) => element.outerHTML.slice(0, 120));
}"""


@pytest.fixture(scope="module")
def paper(browser: Browser) -> Iterator[Page]:
    """A page as a reader with dark colours would print it."""
    context = browser.new_context(
        viewport={"width": PAPER, "height": 930}, color_scheme="dark", reduced_motion="reduce"
    )
    page = context.new_page()
    page.emulate_media(media="print", color_scheme="dark")
    yield page
    context.close()


@pytest.mark.parametrize("path", PAGES)
def test_every_page_prints_whole(paper: Page, address: str, path: str) -> None:
    paper.goto(address + path, wait_until="networkidle")
    paper.evaluate("(margin) => { document.body.style.margin = `0 ${margin}px`; }", MARGIN)
    assert paper.evaluate(COLOURS) == [WHITE, "rgb(34, 33, 30)"]
    assert paper.evaluate(CONTROLS) == []
    assert paper.evaluate(FOLDED) == []
    assert paper.evaluate(CUT, MARGIN) == []


def test_equations_are_numbered_and_stay_on_one_page(paper: Page, address: str) -> None:
    paper.goto(f"{address}lesson.html")
    numbers = paper.locator(".equation .maths").evaluate_all(
        "(all) => all.map((maths) => getComputedStyle(maths, '::after').content)"
    )
    position = 2  # of the lesson among the pages
    assert numbers == [f'"({position}.{number})"' for number in range(1, 23)]
    breaks = paper.locator(".equation").evaluate_all(
        "(all) => all.map((equation) => getComputedStyle(equation).breakInside)"
    )
    assert set(breaks) == {"avoid"}


def test_the_results_of_examples_are_there(paper: Page, address: str) -> None:
    paper.goto(f"{address}layer-norm.html")
    results = paper.locator("live-example").first.locator(".results")
    assert results.is_visible()
    assert "1.6036" in results.inner_text()
    assert paper.locator("live-example input").first.input_value() == "1"


def test_screens_show_no_numbers_of_sections(page: Page, address: str) -> None:
    page.goto(f"{address}layer-norm.html")
    before = "(heading) => getComputedStyle(heading, '::before').content"
    assert page.locator("#forward").evaluate(before) == "none"
