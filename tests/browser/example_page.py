"""What a reader does with the examples of the LayerNorm page."""

from collections.abc import Sequence

import numpy as np
from playwright.sync_api import Locator, Page, expect

from tinygpt.arrays import Array

READY_MS = 60_000
FORWARD = "ex-ln-forward"
BACKWARD = "ex-ln-backward"
DERIVATION = "ex-ln-derivation"
CHECK = "ex-ln-check"
ALL = (FORWARD, BACKWARD, DERIVATION, CHECK)
START = {
    "X": [1.0, 2.0, 3.0, 6.0],
    "gamma": [1.0, 1.0, 1.0, 2.0],
    "beta": [0.0, 0.0, 0.0, 1.0],
    "dY": [1.0, 0.0, 0.0, 1.0],
}


class ExamplePage:
    """The page and its four examples."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def example(self, name: str) -> Locator:
        return self.page.locator(f"#{name}")

    def cell(self, name: str, symbol: str, feature: int) -> Locator:
        group = self.example(name).locator(f"tbody[data-input={symbol}]")
        return group.locator("input").nth(feature)

    def button(self, name: str, label: str) -> Locator:
        return self.example(name).get_by_role("button", name=label, exact=True)

    def start(self) -> None:
        """Show the intent to edit, and wait until Python runs."""
        self.cell(FORWARD, "X", 0).focus()
        self.wait_until_ready()

    def wait_until_ready(self) -> None:
        """Wait until Python has run what was last asked for, and compared itself with the build."""
        for name in ALL:
            expect(self.example(name)).to_have_attribute("data-state", "ready", timeout=READY_MS)
        expect(self.status(FORWARD)).to_contain_text("On the recorded numbers")

    def status(self, name: str) -> Locator:
        return self.example(name).locator(".status-text")

    def spoken(self, name: str) -> Locator:
        return self.example(name).get_by_role("status")

    def row(self, name: str, label: str) -> Locator:
        rows = self.example(name).locator(".results tbody tr")
        return rows.filter(has=self.page.locator("th", has_text=label)).first

    def numbers(self, name: str, label: str, column: int = 0) -> list[str]:
        """The numbers in one cell of a results table."""
        return (
            self.row(name, label)
            .locator(".numbers")
            .nth(column)
            .locator(".number")
            .all_text_contents()
        )

    def inputs(self, name: str, symbol: str) -> list[str]:
        group = self.example(name).locator(f"tbody[data-input={symbol}] input")
        return [group.nth(index).input_value() for index in range(group.count())]


def assert_shown(shown: Sequence[str], expected: Array) -> None:
    """Numbers as they are shown, to four decimals, against what they should be."""
    np.testing.assert_allclose([float(text) for text in shown], expected.ravel(), atol=5.1e-5)
