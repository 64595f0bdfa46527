"""The code that a page shows beside the text or in a sheet, as tests use it."""

from playwright.sync_api import Locator, Page, expect

DX = "#eq-ln-dx"
SLOW = 30_000  # ms, until what is fetched is there on a busy machine


def pane(page: Page) -> Locator:
    return page.locator(".code-pane")


def sheet(page: Page) -> Locator:
    return page.get_by_role("dialog")


def lines(page: Page) -> Locator:
    """What has the focus after "Show code"."""
    return page.get_by_role("group", name="Code of")


def toggle(page: Page) -> Locator:
    return page.get_by_role("button", name="Code beside the text")


def show_code(page: Page, equation: str) -> Locator:
    return page.locator(equation).get_by_role("button", name="Show code")


def scroll_to(page: Page, place: str) -> None:
    """Let a place of the text stand where the reader reads."""
    page.locator(place).evaluate(
        "place => scrollBy(0, place.getBoundingClientRect().top - innerHeight / 4)"
    )


def expect_shown(page: Page, function: str, marked: list[str]) -> None:
    expect(page.locator(".code-view-title code")).to_have_text(function, timeout=SLOW)
    expect(page.locator(".code-view [data-current] .number")).to_have_text(marked)
