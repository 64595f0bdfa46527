"""Exercises mark answers, on the real Pyodide; those of the lesson accept their solutions."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.cell_page import CodeOnPage
from tests.browser.conftest import ROOT

pytestmark = pytest.mark.browser

SOLUTION = "def token_sums(dx, xhat):\n    return dx.sum(axis=-1), (dx * xhat).sum(axis=-1)\n"


def test_an_exercise_marks_an_answer(page: Page, cells_address: str) -> None:
    page.goto(f"{cells_address}cells.html")
    exercise = CodeOnPage(page, "exercise-sums")
    badge = exercise.element.locator(".progress-badge")
    expect(badge).to_have_text("Not done yet")
    exercise.button("Check").click()
    exercise.wait()
    findings = exercise.element.locator(".findings li")
    expect(findings.first).to_contain_text("Fails the sum of dx over each token")
    expect(findings.first).to_contain_text(
        "expected an array of shape (3, 5), got an array of shape (3, 5, 7)"
    )
    expect(exercise.status).to_have_text("Not yet: 4 of 4 checks fail.")
    exercise.type_all(SOLUTION.replace("* xhat", "+ xhat"))
    exercise.run()
    expect(findings.nth(0)).to_contain_text("Holds")
    expect(findings.nth(1)).to_contain_text("entry [")
    exercise.type_all(SOLUTION)
    exercise.run()
    expect(exercise.status).to_have_text("Right: all 4 checks hold.")
    expect(badge).to_have_text("Done")
    page.reload()
    expect(badge).to_have_text("Done")
    exercise.element.get_by_role("button", name="Forget it").click()
    expect(badge).to_have_text("Not done yet")
    page.reload()
    expect(badge).to_have_text("Not done yet")


@pytest.mark.parametrize("width", [1440, 375])
def test_its_script_moves_nothing(browser: Browser, address: str, width: int) -> None:
    page = browser.new_page(viewport={"width": width, "height": 800})
    heights = """() => [...document.querySelectorAll("code-exercise .example-title")]
      .map((title) => title.getBoundingClientRect().height)"""
    page.route("**/*.woff2", lambda route: route.abort())  # one that is late is used or is not
    page.route("**/cell/code-exercise.js", lambda route: route.abort())
    page.goto(f"{address}lesson.html")
    before = page.evaluate(heights)
    page.unroute("**/cell/code-exercise.js")
    page.reload()
    page.evaluate("customElements.whenDefined('code-exercise').then(() => true)")
    assert page.evaluate(heights) == before
    page.locator(".progress-badge").evaluate_all(
        "badges => badges.forEach((badge) => { badge.textContent = 'Done'; })"
    )
    assert page.evaluate(heights) == before
    page.close()


def test_an_answer_that_cannot_be_loaded(page: Page, cells_address: str) -> None:
    page.goto(f"{cells_address}cells.html")
    exercise = CodeOnPage(page, "exercise-sums")
    exercise.type_all("def token_sums(dx, xhat)\n    return dx\n")
    exercise.run()
    expect(exercise.failure).to_contain_text("SyntaxError: expected ':'")
    expect(exercise.failure).to_contain_text("Line 1: def token_sums(dx, xhat)")
    expect(exercise.element.locator(".cm-failed")).to_have_text("def token_sums(dx, xhat)")


def test_hints_come_one_at_a_time(page: Page, cells_address: str) -> None:
    page.goto(f"{cells_address}cells.html")
    hints = page.locator("#exercise-sums details.hint")
    expect(hints.nth(1)).to_be_hidden()
    hints.nth(0).locator("summary").click()
    expect(hints.nth(1)).to_be_visible()


def test_the_lesson_accepts_its_solutions(page: Page, address: str) -> None:
    page.goto(f"{address}lesson.html")
    page.evaluate("customElements.whenDefined('code-exercise').then(() => true)")
    checks = page.locator("code-exercise").evaluate_all(
        "all => all.map((exercise) => [exercise.id, exercise.data.check])"
    )
    assert len(checks) == 6
    for id_, check in checks:
        module = re.sub(r"\.\w+$", "", check).replace(".", "/")
        exercise = CodeOnPage(page, id_)
        exercise.type_all((ROOT / "src" / f"{module}.py").read_text("utf-8"))
        exercise.run()
        expect(exercise.status).to_contain_text("Right: all")
        expect(exercise.element.locator(".progress-badge")).to_have_text("Done")
