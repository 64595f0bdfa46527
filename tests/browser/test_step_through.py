"""The lines of a run can be stepped through, and their values follow the inputs."""

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.browser.example_page import assert_shown
from tests.browser.laboratory_page import button, cell, wait
from tinygpt.ops import layer_norm_forward

pytestmark = pytest.mark.browser


def test_stepping_by_keyboard_alone(laboratory: Page) -> None:
    trace = laboratory.locator("#trace-steps")
    output, lines = trace.locator("output"), trace.locator(".step")
    count = lines.count()
    slider = trace.get_by_role("slider", name="Step of the run")
    slider.focus()
    laboratory.keyboard.press("Home")
    expect(output).to_contain_text(f"Step 1 of {count}, line ")
    laboratory.keyboard.press("ArrowRight")
    laboratory.keyboard.press("ArrowRight")
    expect(lines.nth(2)).to_have_attribute("aria-current", "step")
    expect(output).to_contain_text(": mu = 3")
    expect(lines.nth(2).locator(".values")).to_be_visible()
    expect(lines.nth(3).locator(".values")).to_have_css("visibility", "hidden")
    laboratory.keyboard.press("Shift+Tab")
    expect(button(trace, "Step")).to_be_focused()
    laboratory.keyboard.press("Enter")
    expect(output).to_contain_text(": var = 3.5")
    laboratory.keyboard.press("Shift+Tab")
    laboratory.keyboard.press("Enter")
    expect(output).to_contain_text(": mu = 3")
    slider.focus()
    laboratory.keyboard.press("End")
    expect(button(trace, "Step")).to_have_attribute("aria-disabled", "true")
    assert trace.locator("[data-at=later]").count() == 0


def test_the_values_beside_the_lines_follow_the_inputs(laboratory: Page) -> None:
    example, trace = laboratory.locator("#ex-steps"), laboratory.locator("#trace-steps")
    height = trace.bounding_box()
    cell(example, "X", 3).fill("-10")
    wait(laboratory)
    X = np.array([[1.0, 2, 3, -10]])
    _, (Xhat, _) = layer_norm_forward(X, np.ones(4), np.zeros(4))
    line = trace.locator(".step").filter(has_text="Xhat = (X - mu) * s")
    assert_shown(line.locator(".numbers .number").all_inner_texts(), Xhat)
    after = trace.bounding_box()
    assert height
    assert after
    assert height["height"] == after["height"]
    button(example, "Add a feature").click()
    wait(laboratory)
    assert line.locator(".numbers .number").count() == 5
