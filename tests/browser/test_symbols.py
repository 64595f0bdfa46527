"""Symbols, equations and lines light up together: by pointer, by tap and by keyboard."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.pages import lay_out
from tests.browser.test_accessibility import THEMES, violations

pytestmark = pytest.mark.browser

MU_IN_MATHS = "#eq-ln-variance [data-symbol=mu]"
MU_IN_CODE = "#ops-L29 [data-symbol=mu]"


@pytest.fixture
def reading(page: Page, address: str) -> Page:
    """The page alone: what the pane beside it shows has tests of its own."""
    page.add_init_script("localStorage.setItem('code-pane', 'off')")
    page.goto(f"{address}layer-norm.html")
    return page


def lit(page: Page) -> Locator:
    return page.locator("[data-lit]")


def card(page: Page) -> Locator:
    return page.locator(".symbol-card")


def assert_only_mu_is_lit(page: Page) -> None:
    count = page.locator("[data-symbol=mu]").count()
    assert count > 5
    expect(page.locator("[data-symbol=mu][data-lit]")).to_have_count(count)
    others = page.locator("[data-symbol]:not([data-symbol=mu])[data-lit]")
    expect(others).to_have_count(0)


def assert_card_is_inside(page: Page) -> None:
    box = card(page).bounding_box()
    size = page.viewport_size
    assert box
    assert size
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= size["width"]
    assert box["y"] >= 0
    assert box["y"] + box["height"] <= size["height"]
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]


@pytest.mark.parametrize("place", [MU_IN_MATHS, MU_IN_CODE, "#ex-ln-forward [data-symbol=mu]"])
def test_to_point_at_one_lights_all_and_shows_the_card(reading: Page, place: str) -> None:
    reading.locator(place).first.hover()
    assert_only_mu_is_lit(reading)
    expect(card(reading)).to_be_visible()
    expect(card(reading)).to_contain_text("Mean of each row")
    expect(card(reading)).to_contain_text("(T, 1)")
    assert_card_is_inside(reading)
    reading.locator("h1").hover()
    expect(card(reading)).to_be_hidden()
    expect(lit(reading)).to_have_count(0)


def test_the_pointer_may_go_to_the_card_and_escape_takes_it_away(reading: Page) -> None:
    reading.locator(MU_IN_MATHS).hover()
    expect(card(reading)).to_be_visible()
    card(reading).hover()
    reading.wait_for_timeout(300)
    expect(card(reading)).to_be_visible()
    assert_only_mu_is_lit(reading)
    reading.keyboard.press("Escape")
    expect(card(reading)).to_be_hidden()
    # The equation that lay beneath the card may be lit, now that the pointer is on it.
    expect(reading.locator("[data-symbol][data-lit]")).to_have_count(0)


def test_an_equation_lights_its_lines_and_a_line_its_equations(reading: Page) -> None:
    reading.locator("#eq-ln-mean figcaption").hover()
    expect(reading.locator(".line[data-lit]")).to_have_attribute("id", "ops-L28")
    reading.locator("#ops-L30 .number").hover()
    expect(reading.locator(".line[data-lit]")).to_have_count(0)
    expect(reading.locator(".equation[data-lit]").first).to_have_attribute(
        "id", "eq-ln-inverse-deviation"
    )


def test_nothing_moves(reading: Page) -> None:
    places = """() => [...document.querySelectorAll("main *")].map((element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      return [left + scrollX, top + scrollY, width, height].map(Math.round).join();
    })"""
    lay_out(reading)
    reading.locator(MU_IN_MATHS).scroll_into_view_if_needed()
    before = reading.evaluate(places)
    reading.locator(MU_IN_MATHS).hover()
    expect(card(reading)).to_be_visible()
    assert reading.evaluate(places) == before


def test_a_row_pins_its_symbol_by_keyboard(reading: Page) -> None:
    pin = reading.locator("#sym-mu").get_by_role("button")
    pin.focus()
    assert_only_mu_is_lit(reading)
    expect(card(reading)).to_be_hidden()  # the row says it all
    reading.keyboard.press("Enter")
    expect(pin).to_have_attribute("aria-pressed", "true")
    spoken = reading.get_by_role("status").filter(has_text="places on this page")
    count = reading.locator("[data-symbol=mu]").count()
    expect(spoken).to_have_text(
        "mu. Mean of each row. keepdims leaves an axis of size 1, so that it broadcasts."
        f" Shape (T, 1) (16, 1). {count} places on this page are marked."
    )
    reading.locator("#eq-ln-output [data-symbol=Y]").hover()
    reading.keyboard.press("Tab")
    assert_only_mu_is_lit(reading)  # it stays while the reader goes on
    reading.keyboard.press("Escape")
    expect(lit(reading)).to_have_count(0)
    expect(pin).to_have_attribute("aria-pressed", "false")


def test_a_second_press_unpins_and_another_row_takes_over(reading: Page) -> None:
    first = reading.locator("#sym-mu").get_by_role("button")
    second = reading.locator("#sym-s").get_by_role("button")
    first.press("Enter")
    second.press("Enter")
    expect(first).to_have_attribute("aria-pressed", "false")
    expect(reading.locator("#sym-mu")).not_to_have_attribute("data-lit", "")
    expect(reading.locator("#sym-s")).to_have_attribute("data-lit", "")
    second.press("Enter")
    expect(second).to_have_attribute("aria-pressed", "false")


def test_no_tab_stop_is_inside_maths(reading: Page) -> None:
    stops = ".katex a, .katex button, .katex input, .katex [tabindex]"
    assert reading.locator(stops).count() == 0


def test_to_edit_an_input_lights_its_symbol_without_a_card(reading: Page) -> None:
    reading.locator("#ex-ln-forward tbody[data-symbol=X] input").first.focus()
    expect(reading.locator("#sym-X")).to_have_attribute("data-lit", "")
    reading.wait_for_timeout(300)
    expect(card(reading)).to_be_hidden()


def test_a_tap_shows_the_card_and_a_tap_elsewhere_takes_it_away(phone: Page) -> None:
    phone.locator(MU_IN_MATHS).tap()
    assert_only_mu_is_lit(phone)
    expect(card(phone)).to_contain_text("Mean of each row")
    assert_card_is_inside(phone)
    phone.locator("#eq-ln-output [data-symbol=Xhat]").tap()
    expect(card(phone)).to_contain_text("The normalised rows")
    assert_card_is_inside(phone)
    phone.locator(".site-title").evaluate("title => title.parentElement.click()")
    expect(card(phone)).to_be_hidden()
    expect(lit(phone)).to_have_count(0)


def test_buttons_are_large_enough_on_a_phone(phone: Page) -> None:
    pins = phone.locator(".pin")
    assert pins.count() > 10
    for index in range(pins.count()):
        box = pins.nth(index).bounding_box()
        assert box
        assert min(box["width"], box["height"]) >= 24


def test_nothing_of_it_is_printed(reading: Page) -> None:
    reading.locator(MU_IN_MATHS).click()
    expect(card(reading)).to_be_visible()
    reading.emulate_media(media="print")
    expect(card(reading)).to_be_hidden()
    style = reading.locator(MU_IN_MATHS).evaluate(
        """element => {
          const { backgroundColor, boxShadow } = getComputedStyle(element);
          return [backgroundColor, boxShadow];
        }"""
    )
    assert style == ["rgba(0, 0, 0, 0)", "none"]


@pytest.mark.parametrize("theme", THEMES)
def test_axe_finds_nothing_while_a_symbol_is_lit(page: Page, address: str, theme: str) -> None:
    page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
    page.goto(f"{address}layer-norm.html")
    page.locator(MU_IN_CODE).first.click()
    expect(card(page)).to_be_visible()
    # The rest of the page is as in the test of all pages.
    assert violations(page, ".symbol-card, [data-lit]") == []
    page.keyboard.press("Escape")
    page.locator("#sym-Xhat").get_by_role("button").click()
    assert violations(page, ".symbol-card, [data-lit]") == []
