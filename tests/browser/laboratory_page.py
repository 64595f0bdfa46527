"""What a reader does with the laboratory: its examples, figures and steps."""

from playwright.sync_api import Locator, Page, expect

from tests.browser.example_page import READY_MS


def wait(page: Page) -> None:
    for example in page.locator("live-example").all():
        expect(example).to_have_attribute("data-state", "ready", timeout=READY_MS)
    expect(page.locator("live-figure[data-stale]")).to_have_count(0)


def table(figure: Locator) -> list[list[str]]:
    """The cells of a figure's table, without its head."""
    rows = figure.locator(".numbers-table tbody tr").all()
    return [[cell.text_content() or "" for cell in row.locator("th, td").all()] for row in rows]


def cell(example: Locator, symbol: str, index: int) -> Locator:
    return example.locator(f"tbody[data-input={symbol}] input").nth(index)


def button(example: Locator, name: str) -> Locator:
    return example.get_by_role("button", name=name, exact=True)
