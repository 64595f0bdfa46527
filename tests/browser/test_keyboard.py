"""Everything in an example can be done without a pointer."""

import numpy as np
import pytest
from playwright.sync_api import Locator, expect

from tests.browser.example_page import FORWARD, ExamplePage, assert_shown

pytestmark = pytest.mark.browser


def paste(cell: Locator, text: str) -> None:
    """Paste as a spreadsheet or a text would be pasted."""
    cell.evaluate(
        """(cell, text) => {
          const data = new DataTransfer();
          data.setData("text/plain", text);
          const options = { clipboardData: data, bubbles: true, cancelable: true };
          const wentAhead = cell.dispatchEvent(new ClipboardEvent("paste", options));
          if (!wentAhead) return;
          cell.value = text;
          cell.dispatchEvent(new Event("input", { bubbles: true }));
        }""",
        text,
    )


def test_arrows_and_enter_move_between_cells(example: ExamplePage) -> None:
    keyboard = example.page.keyboard
    example.cell(FORWARD, "X", 1).focus()
    for key, symbol, feature in (
        ("ArrowRight", "X", 2),
        ("ArrowDown", "gamma", 2),
        ("Enter", "beta", 2),
        ("ArrowDown", "beta", 2),
        ("ArrowLeft", "beta", 1),
        ("ArrowLeft", "beta", 0),
        ("ArrowLeft", "beta", 0),
        ("ArrowUp", "gamma", 0),
        ("Tab", "gamma", 1),
        ("Shift+Tab", "gamma", 0),
    ):
        keyboard.press(key)
        expect(example.cell(FORWARD, symbol, feature)).to_be_focused()


def test_arrows_stay_in_a_cell_while_its_text_is_edited(example: ExamplePage) -> None:
    cell = example.cell(FORWARD, "X", 1)
    cell.focus()
    example.page.keyboard.type("12.5")
    example.page.keyboard.press("ArrowLeft")
    expect(cell).to_be_focused()
    example.page.keyboard.type("0")
    expect(cell).to_have_value("12.05")


def test_edit_and_reset_by_keyboard_alone(example: ExamplePage) -> None:
    keyboard = example.page.keyboard
    example.cell(FORWARD, "X", 0).focus()
    keyboard.type("9")
    example.wait_until_ready()
    assert_shown(example.numbers(FORWARD, "Mean"), np.array([5.0]))
    for _ in range(16):
        keyboard.press("Tab")
    expect(example.button(FORWARD, "Reset")).to_be_focused()
    keyboard.press("Enter")
    example.wait_until_ready()
    assert example.numbers(FORWARD, "Mean") == ["3"]


def test_focus_is_visible(example: ExamplePage) -> None:
    example.page.keyboard.press("Tab")
    skip = example.page.get_by_role("link", name="Skip to the content")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport()
    cell = example.cell(FORWARD, "X", 0)
    cell.focus()
    outline = cell.evaluate("cell => getComputedStyle(cell).outlineStyle")
    assert outline == "solid"


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("4\t5\t6\t7\r\n", ["4", "5", "6", "7"]),
        ("1,5\t-2,25\t1e3\tnan", ["1.5", "-2.25", "1e3", "nan"]),
        ("0.5, 1.5, 2.5, 3.5", ["0.5", "1.5", "2.5", "3.5"]),
        ("8 9", ["8", "9", "3", "6"]),
    ],
)
def test_a_row_can_be_pasted(started: ExamplePage, text: str, values: list[str]) -> None:
    paste(started.cell(FORWARD, "X", 0), text)
    assert started.inputs(FORWARD, "X") == values
    started.wait_until_ready()
    assert_shown(started.numbers(FORWARD, "Mean"), np.array([float(v) for v in values]).mean())


def test_what_does_not_fit_is_said(started: ExamplePage) -> None:
    paste(started.cell(FORWARD, "X", 2), "4\t5\t6\n7\t8\t9")
    assert started.inputs(FORWARD, "X") == ["1", "2", "4", "5"]
    assert started.inputs(FORWARD, "gamma") == ["1", "1", "1", "2"]
    expect(started.spoken(FORWARD)).to_contain_text("2 numbers pasted. 4 did not fit.")


def test_a_single_value_is_pasted_as_text(example: ExamplePage) -> None:
    paste(example.cell(FORWARD, "X", 0), "42")
    assert example.inputs(FORWARD, "X") == ["42", "2", "3", "6"]
