"""Verdicts on the reader's code: the lesson's equations and gradients, on the real Pyodide."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.cell_page import CodeOnPage
from tests.browser.conftest import fresh_page
from tests.browser.example_page import READY_MS
from tests.browser.test_accessibility import violations

pytestmark = pytest.mark.browser

VARIANCE = "var = x.var(axis=-1, keepdims=True)"
LAST_TERM = "        - xhat * (dxhat * xhat).sum(axis=-1, keepdims=True)\n"


@pytest.fixture(scope="module")
def lesson_once(browser: Browser, address: str) -> Iterator[Page]:
    with fresh_page(browser) as (page, errors):
        page.goto(f"{address}lesson.html")
        yield page
        assert errors == []


@pytest.fixture
def lesson(lesson_once: Page) -> Iterator[Page]:
    yield lesson_once
    lesson_once.set_viewport_size({"width": 1280, "height": 720})
    for id_ in ("cell-lesson-forward", "cell-lesson-backward"):
        cell = CodeOnPage(lesson_once, id_)
        if cell.button("Reset").is_enabled():
            cell.button("Reset").click()


def judged(cell: CodeOnPage, state: str) -> Locator:
    """What stands beneath a cell once its equations have been executed."""
    panel = cell.element.locator(".cell-verdicts")
    expect(panel).to_have_attribute("data-state", state, timeout=READY_MS)
    return panel


def mark(page: Page, equation: str) -> Locator:
    return page.locator(f"#eq-{equation} .verdict")


def test_the_equation_of_an_edited_line_fails_with_both_numbers(lesson: Page) -> None:
    cell = CodeOnPage(lesson, "cell-lesson-forward")
    recorded = mark(lesson, "lesson-var").inner_text()
    cell.replace(VARIANCE, "# unbiased\n\n    var = x.var(axis=-1, ddof=1, keepdims=True)")
    cell.run()
    panel = judged(cell, "fails")
    first = panel.locator(".findings li").first
    expect(first).to_contain_text("Fails Variance of one token")
    expect(first).to_contain_text("at b = 0, t = 0 the left side is 2.667 and the right side 2")
    expect(mark(lesson, "lesson-var")).to_have_attribute("data-state", "fails")
    expect(mark(lesson, "lesson-var")).to_contain_text("fails with your code: at b = 0, t = 0")
    expect(mark(lesson, "lesson-mean")).to_have_attribute("data-state", "holds")
    first.get_by_role("link").click()
    assert lesson.url.endswith("#eq-lesson-var")
    cell.button("Reset").click()
    assert mark(lesson, "lesson-var").inner_text() == recorded
    expect(panel).to_be_hidden()


def test_without_the_last_term_only_dx_fails(lesson: Page) -> None:
    cell = CodeOnPage(lesson, "cell-lesson-backward")
    cell.replace(LAST_TERM, "")
    cell.run()
    panel = judged(cell, "fails")
    gradients = panel.locator(".findings").last.locator("li")
    expect(gradients.nth(0)).to_contain_text("Fails dx does not agree with differences")
    expect(gradients.nth(1)).to_contain_text("Holds dgamma agrees with differences")
    expect(gradients.nth(2)).to_contain_text("Holds dbeta agrees with differences")
    for equation in ("lesson-dgamma", "lesson-dbeta", "lesson-var"):
        expect(mark(lesson, equation)).to_have_attribute("data-state", "holds")
    expect(panel.get_by_role("link").first).to_have_text("Gradient on the input, in three terms")


def test_an_equal_rewrite_holds(lesson: Page) -> None:
    cell = CodeOnPage(lesson, "cell-lesson-forward")
    cell.replace(VARIANCE, "d = x - mu\n    var = (d * d).mean(-1, keepdims=True)")
    cell.run()
    panel = judged(cell, "holds")
    expect(panel).to_contain_text("All 22 equations of the page hold with your code.")
    expect(cell.element.get_by_role("status")).to_contain_text("All 22 equations")


def test_a_symbol_that_is_gone_and_code_that_raises(lesson: Page) -> None:
    cell = CodeOnPage(lesson, "cell-lesson-forward")
    cell.type_all(cell.text.replace("std", "deviation"))
    cell.run()
    panel = judged(cell, "fails")
    expect(panel).to_contain_text("layernorm_forward assigns no std")
    expect(mark(lesson, "lesson-mean")).to_have_attribute("data-state", "holds")
    cell.replace("out = gamma * xhat", "out = gamma.reshape(99) * xhat")
    cell.run()
    expect(judged(cell, "fails")).to_contain_text("The equations were not executed: ValueError on")


def test_verdicts_need_no_more_than_a_keyboard_and_fit_a_phone(lesson: Page) -> None:
    cell = CodeOnPage(lesson, "cell-lesson-forward")
    lesson.set_viewport_size({"width": 375, "height": 740})
    cell.replace(VARIANCE, "var = x.var(axis=-1, ddof=1, keepdims=True)")
    cell.run()
    panel = judged(cell, "fails")
    lesson.keyboard.press("Escape")
    for _ in range(12):
        lesson.keyboard.press("Tab")
        if panel.locator("a:focus").count():
            break
    expect(panel.locator("a").first).to_be_focused()
    lesson.keyboard.press("Enter")
    assert lesson.url.endswith("#eq-lesson-var")
    width = lesson.evaluate("document.documentElement.scrollWidth")
    assert width <= 375
    for theme in ("light", "dark"):
        lesson.emulate_media(color_scheme=theme)
        assert violations(lesson, "#cell-lesson-forward") == []
        assert violations(lesson, "#eq-lesson-var") == []
