"""Every page for every reader: large text, few colours, no motion, no pointer."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.pages import CONTENT, PAGES
from tests.chromium import arguments, find_chromium

pytestmark = pytest.mark.browser

FOCUSABLE = "a[href], button, input, summary, [tabindex='0']"
# The text of an element that is cut off at its own box, which nobody can scroll.
CUT_OFF = """() => [...document.querySelectorAll("main *")].filter((element) => {
  const { overflowX, clipPath } = getComputedStyle(element);
  return ["hidden", "clip"].includes(overflowX) && clipPath === "none"
    && element.scrollWidth > element.clientWidth + 1;
}).map((element) => element.outerHTML.slice(0, 100))"""


def test_no_page_is_left_out(site_folder: Path) -> None:
    built = {file.relative_to(site_folder).as_posix() for file in site_folder.rglob("*.html")}
    assert {path for path in built if not path.startswith("source/")} == {
        path for path in PAGES if not path.startswith("source/")
    }
    assert built >= {*PAGES}


@pytest.fixture(scope="module")
def large_text(browser: Browser) -> Iterator[Browser]:
    """A browser whose reader has set text to twice its size, and nothing else."""
    options = [*arguments(), "--blink-settings=defaultFontSize=32"]
    large = browser.browser_type.launch(executable_path=find_chromium(), args=options)
    yield large
    large.close()


@pytest.mark.parametrize("path", PAGES)
def test_text_of_twice_the_size_fits(large_text: Browser, address: str, path: str) -> None:
    page = large_text.new_page(viewport={"width": 1280, "height": 800}, service_workers="block")
    page.goto(address + path)
    page.wait_for_timeout(100)
    assert page.evaluate("getComputedStyle(document.body).fontSize") == "34px"
    assert page.evaluate("document.documentElement.scrollWidth") <= 1280
    assert page.evaluate(CUT_OFF) == []
    page.context.close()


@pytest.mark.parametrize("path", PAGES)
def test_nothing_moves_for_those_who_want_no_motion(
    browser: Browser, address: str, path: str
) -> None:
    page = browser.new_page(reduced_motion="reduce")
    page.goto(address + path)
    slow = page.evaluate(
        """() => [...document.querySelectorAll("*")].filter((element) => {
          const style = getComputedStyle(element);
          const times = `${style.transitionDuration},${style.animationDuration}`.split(",");
          return Math.max(...times.map(parseFloat)) > 0.01 || style.scrollBehavior !== "auto";
        }).length"""
    )
    assert slow == 0
    page.close()


def unseen_focus(page: Page) -> list[str]:
    """What can have the focus and then looks as it did before."""
    page.keyboard.press("Tab")  # from now on focus is shown as for a keyboard
    found: list[str] = page.evaluate(
        """(focusable) => {
          const look = (element) => {
            const { outline, outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
            const isSeen = outlineStyle !== "none" && parseFloat(outlineWidth) >= 2;
            return `${isSeen ? outline : ""} ${boxShadow}`;
          };
          return [...document.querySelectorAll(focusable)].filter((element) => {
            if (!element.checkVisibility({ visibilityProperty: true })) return false;
            document.activeElement?.blur();
            const before = look(element);
            element.focus();
            return document.activeElement === element && look(element) === before;
          }).map((element) => element.outerHTML.slice(0, 120));
        }""",
        FOCUSABLE,
    )
    return found


@pytest.mark.parametrize("path", PAGES)
def test_focus_is_seen_on_everything(browser: Browser, address: str, path: str) -> None:
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.goto(address + path)
    assert unseen_focus(page) == []
    page.emulate_media(forced_colors="active")
    assert unseen_focus(page) == []
    page.close()


def test_a_focus_that_is_not_seen_would_be_found(browser: Browser, address: str) -> None:
    page = browser.new_page()
    page.goto(f"{address}index.html")
    page.evaluate(
        """for (const link of document.querySelectorAll("main a")) link.style.outline = "none";"""
    )
    assert len(unseen_focus(page)) > 5
    page.close()


def outline(page: Page, selector: str) -> str:
    found: str = page.locator(selector).first.evaluate(
        """(element) => {
          const { outlineStyle, outlineWidth } = getComputedStyle(element);
          return `${outlineStyle} ${outlineWidth}`;
        }"""
    )
    return found


def test_marks_are_lines_where_the_reader_chose_the_colours(browser: Browser, address: str) -> None:
    page = browser.new_page(viewport={"width": 1440, "height": 900}, forced_colors="active")
    page.goto(f"{address}layer-norm.html#eq-ln-mean")
    assert outline(page, "[aria-current]") == "solid 2px"
    page.locator(".pin").first.focus()
    page.keyboard.press("Enter")
    assert page.locator("[data-lit]").count() > 3
    assert outline(page, ".katex [data-lit]") == "solid 2px"
    assert outline(page, ".line [data-lit]") == "solid 2px"
    page.goto(f"{address}source/ops.html#L23")
    assert outline(page, "#L23") == "solid 2px"
    page.close()


def test_no_background_hides_a_part_of_a_formula(browser: Browser, address: str) -> None:
    page = browser.new_page(viewport={"width": 1440, "height": 900}, forced_colors="active")
    page.goto(f"{address}layer-norm.html")
    letters = page.locator(".katex-html .mord")
    style = "(all) => [...new Set(all.map((one) => getComputedStyle(one).forcedColorAdjust))]"
    assert letters.evaluate_all(style) == ["none"]
    page.close()


@pytest.mark.parametrize("path", CONTENT)
def test_figures_are_drawn_in_the_colours_that_the_reader_chose(
    browser: Browser, address: str, path: str
) -> None:
    page = browser.new_page(forced_colors="active", color_scheme="dark")
    page.goto(address + path)
    ink = "getComputedStyle(document.querySelector('.picture text')).fill"
    assert page.evaluate(ink) == page.evaluate("getComputedStyle(document.body).color")
    page.close()


@pytest.mark.parametrize("path", CONTENT)
def test_every_formula_is_mathml_too(browser: Browser, address: str, path: str) -> None:
    page = browser.new_page()
    page.goto(address + path)
    formulas = page.locator(".katex").count()
    assert formulas > 0
    assert page.locator(".katex > .katex-mathml > math").count() == formulas
    assert page.locator(".katex > .katex-html[aria-hidden=true]").count() == formulas
    page.close()
