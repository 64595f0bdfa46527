"""The sheet with the code, where there is no room for a pane beside the text."""

import re

import pytest
from playwright.sync_api import Browser, Page, Route, ViewportSize, expect

from tests.browser.code_view_page import (
    DX,
    SLOW,
    expect_shown,
    lines,
    pane,
    sheet,
    show_code,
)

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("width", [375, 768, 1024])
def test_where_there_is_no_room_a_sheet_comes(browser: Browser, address: str, width: int) -> None:
    size: ViewportSize = {"width": width, "height": 667}
    page = browser.new_page(viewport=size, reduced_motion="reduce")
    page.goto(f"{address}layer-norm.html")
    expect(pane(page)).to_be_hidden()
    for equation in ("#eq-ln-mean", "#eq-ln-step-chain"):
        show_code(page, equation).click()
        expect(lines(page)).to_be_focused(timeout=SLOW)
        assert_above_the_sheet(page, f"{equation} .maths")
        expect(page.locator(".code-view [data-current]").first).to_be_in_viewport(ratio=1)
        page.keyboard.press("Escape")
        expect(sheet(page)).to_have_count(0)
        expect(show_code(page, equation)).to_be_focused()
    expect(page.locator(".equation[data-current]")).to_have_count(0)
    page.close()


def test_what_the_buttons_control_is_on_the_page(browser: Browser, address: str) -> None:
    page = browser.new_page(viewport={"width": 1440, "height": 667})
    waiting: list[Route] = []

    def hold(route: Route) -> None:
        waiting.append(route)

    page.route("**/pane/code-pane.js", hold)
    page.goto(f"{address}layer-norm.html", wait_until="domcontentloaded")
    page.set_viewport_size({"width": 375, "height": 667})  # while the script is on its way
    while not waiting:
        page.wait_for_timeout(20)
    waiting[0].continue_()
    expect(show_code(page, DX)).to_have_attribute("aria-controls", "code-view", timeout=SLOW)
    expect(page.locator("#code-view")).to_be_attached()
    page.close()


def assert_above_the_sheet(page: Page, place: str) -> None:
    box, above = sheet(page).bounding_box(), page.locator(place).bounding_box()
    assert box
    assert above
    assert box["height"] <= 0.6 * 667
    assert round(box["y"] + box["height"]) == 667
    assert above["y"] >= 0
    assert above["y"] + above["height"] <= box["y"]


def test_each_connection_has_its_sheet(phone: Page) -> None:
    rows = phone.locator(".connections tbody tr")
    assert rows.count() == rows.get_by_role("button", name="Show code").count() > 20
    row = rows.filter(has_text="transformer.py:88").first
    row.get_by_role("button").tap()
    expect_shown(phone, "block_forward", ["88"])
    box, above = sheet(phone).bounding_box(), row.bounding_box()
    assert box
    assert above
    assert above["y"] + above["height"] <= box["y"]


def test_the_sheet_goes_by_button_tap_outside_and_swipe(phone: Page) -> None:
    button = show_code(phone, DX)
    button.tap()
    expect(sheet(phone)).to_be_visible(timeout=SLOW)
    sheet(phone).get_by_role("button", name="Close the code").tap()
    expect(sheet(phone)).to_have_count(0)
    button.tap()
    expect(sheet(phone)).to_be_visible(timeout=SLOW)
    phone.touchscreen.tap(180, 40)
    expect(sheet(phone)).to_have_count(0)
    button.tap()
    expect(lines(phone)).to_be_focused(timeout=SLOW)
    swipe(phone, 30)
    expect(sheet(phone)).to_be_visible(timeout=SLOW)
    swipe(phone, 150)
    expect(sheet(phone)).to_have_count(0)


def swipe(page: Page, distance: int) -> None:
    """Drag the sheet's head down with a finger, once the sheet has come to rest."""
    sheet(page).evaluate(
        "sheet => Promise.all(sheet.getAnimations().map(({ finished }) => finished)).then(() => 0)"
    )
    head = page.locator(".code-view-header").bounding_box()
    assert head
    x, y = head["x"] + 180, head["y"] + 8
    session = page.context.new_cdp_session(page)
    points = [("touchStart", 0), *(("touchMove", distance * i // 4) for i in range(1, 5))]
    for kind, down in points:
        touch = {"type": kind, "touchPoints": [{"x": x, "y": y + down}]}
        session.send("Input.dispatchTouchEvent", touch)
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_a_sheet_closed_before_its_code_came_moves_nothing(phone: Page) -> None:
    held: list[Route] = []
    phone.route("**/source/transformer.html", lambda route: held.append(route))  # noqa: PLW0108 - no builtin
    row = phone.locator(".connections tbody tr").filter(has_text="transformer.py:88").first
    row.get_by_role("button").tap()
    expect(sheet(phone)).to_be_visible(timeout=SLOW)
    while not held:
        phone.wait_for_timeout(20)
    phone.keyboard.press("Escape")
    expect(sheet(phone)).to_have_count(0)
    phone.evaluate("scrollTo({ top: 0, behavior: 'instant' })")
    with phone.expect_response("**/source/transformer.html") as response:
        held[0].continue_()
    response.value.finished()
    phone.wait_for_timeout(300)
    assert phone.evaluate("scrollY") == 0


def test_a_tap_on_a_line_of_the_sheet_lights_its_equations(phone: Page) -> None:
    show_code(phone, "#eq-ln-variance").tap()
    code = sheet(phone)
    code.locator(".line", has_text="var = ").tap(position={"x": 250, "y": 8})
    expect(phone.locator("#eq-ln-variance")).to_have_attribute("data-lit", "")
    code.locator("[data-symbol=mu]").first.tap()
    expect(phone.locator("#sym-mu")).to_have_attribute("data-lit", "")
    card = phone.locator(".symbol-card")
    expect(card).to_contain_text("Mean of each row")
    box = card.bounding_box()
    assert box
    assert box["y"] + box["height"] <= 667
    expect(card).to_have_attribute("popover", "manual")
    code.get_by_role("link", name="Equation: Biased variance of one row").tap()
    expect(code).to_have_count(0)
    expect(phone).to_have_url(re.compile("#eq-ln-variance$"))


def test_buttons_are_large_enough(phone: Page) -> None:
    show_code(phone, DX).tap()
    expect(phone.locator(".code-close")).to_be_visible(timeout=SLOW)
    for button in phone.locator(".show-code, .code-close").all():
        box = button.bounding_box()
        assert box
        assert min(box["width"], box["height"]) >= 24


def test_a_wider_window_takes_the_sheet_away(page: Page, address: str) -> None:
    page.set_viewport_size({"width": 1024, "height": 800})
    page.goto(f"{address}layer-norm.html")
    show_code(page, DX).click()
    expect(sheet(page)).to_be_visible(timeout=SLOW)
    page.set_viewport_size({"width": 1440, "height": 800})
    expect(sheet(page)).to_have_count(0)
    expect(pane(page).locator(".line").first).to_be_visible(timeout=SLOW)
    page.set_viewport_size({"width": 1024, "height": 800})
    show_code(page, DX).click()
    expect(sheet(page)).to_be_visible(timeout=SLOW)
