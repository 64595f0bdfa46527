"""What is not in sight is laid out later, and a reader does not notice."""

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.pages import CONTENT
from tests.browser.test_steadiness import MOST, WATCH

pytestmark = pytest.mark.browser

PUT_OFF = """() => [...document.querySelectorAll(".passage > :first-child")]
  .filter((first) => !first.checkVisibility({ contentVisibilityAuto: true })).length"""
# Where an element is when it has not moved for half a second: what is above it may still grow.
AT_REST = """(element) => new Promise((resolve) => {
  let [before, since] = ["", performance.now()];
  const look = () => {
    const { left, top } = element.getBoundingClientRect();
    const place = `${left} ${top}`;
    if (place !== before) [before, since] = [place, performance.now()];
    if (performance.now() - since > 500) resolve([left, top]);
    else requestAnimationFrame(look);
  };
  look();
})"""
# Of each passage the height that the build measured over the one that it has, both on this screen.
RATIOS = """() => [...document.querySelectorAll(".passage")].map((passage) => {
  const kept = passage.getBoundingClientRect().height;
  passage.style.contentVisibility = "visible";
  return kept / passage.getBoundingClientRect().height;
})"""


def open_page(browser: Browser, address: str, width: int) -> Page:
    page = browser.new_page(viewport={"width": width, "height": 800})
    page.add_init_script(WATCH)
    page.goto(address, wait_until="networkidle")
    return page


@pytest.mark.parametrize("path", CONTENT)
def test_most_of_a_page_is_put_off_until_it_comes_near(
    browser: Browser, address: str, path: str
) -> None:
    page = open_page(browser, address + path, 412)
    passages = page.locator(".passage").count()
    assert page.evaluate(PUT_OFF) >= passages // 2
    page.emulate_media(media="print")
    assert page.evaluate(PUT_OFF) == 0
    page.context.close()


@pytest.mark.parametrize("path", CONTENT)
def test_what_is_put_off_has_room_on_a_phone(browser: Browser, address: str, path: str) -> None:
    page = open_page(browser, address + path, 412)
    ratios = page.evaluate(RATIOS)
    page.context.close()
    assert 1 <= min(ratios) <= max(ratios) < 1.8, ratios


@pytest.mark.parametrize("path", CONTENT)
def test_on_a_wide_screen_the_page_is_about_as_long_as_it_will_be(
    browser: Browser, address: str, path: str
) -> None:
    page = open_page(browser, address + path, 1440)
    before = page.evaluate("document.documentElement.scrollHeight")
    page.evaluate(RATIOS)
    after = page.evaluate("document.documentElement.scrollHeight")
    page.context.close()
    assert before == pytest.approx(after, rel=0.2)


@pytest.mark.parametrize("width", [412, 1440])
@pytest.mark.parametrize("path", CONTENT)
def test_nothing_moves_when_a_reader_scrolls(
    browser: Browser, address: str, path: str, width: int
) -> None:
    page = open_page(browser, address + path, width)
    page.mouse.move(width / 2, 400)
    for _ in range(25):
        page.mouse.wheel(0, 500)
        page.wait_for_timeout(30)
    assert page.evaluate("scrollY") > 4000
    found: list[list[str | float]] = page.evaluate("window.shifts")
    page.context.close()
    assert sum(float(value) for value, *_ in found) < MOST, found


@pytest.mark.parametrize("width", [412, 1440])
def test_links_lead_to_places_that_were_put_off(browser: Browser, address: str, width: int) -> None:
    for id_ in ("forward-usage", "eq-ln-dgamma", "fn-layer_norm_backward", "derivation-code"):
        page = open_page(browser, f"{address}layer-norm.html#{id_}", width)
        top = page.locator(f"#{id_}").evaluate("place => place.getBoundingClientRect().top")
        hidden = page.evaluate("getComputedStyle(document.documentElement).scrollPaddingTop")
        page.context.close()
        assert f"{top:.0f}px" == hidden, id_


def test_the_focus_is_seen_at_the_edge_of_a_passage(page: Page, address: str) -> None:
    page.goto(f"{address}layer-norm.html")
    code = page.locator("#forward-code")
    code.evaluate(
        """heading => heading.insertAdjacentHTML("afterend", "<p><a href='#'>Here</a></p>")"""
    )
    link = page.locator("#forward-code + p a")
    link.focus()
    page.keyboard.press("Shift")  # the focus is shown to those who use the keyboard
    x, y = link.evaluate(AT_REST)

    def edge() -> bytes:
        return page.screenshot(clip={"x": x - 4, "y": y + 4, "width": 2, "height": 8})

    with_focus = edge()
    link.evaluate("link => link.blur()")
    assert edge() != with_focus


def test_no_face_is_sought_for_what_is_read_out(page: Page, address: str) -> None:
    page.goto(f"{address}layer-norm.html")
    face, letters = page.locator(".katex-mathml math:has(mi)").first.evaluate(
        """math => [getComputedStyle(math).fontFamily,
          getComputedStyle(math.querySelector("mi")).textTransform]"""
    )
    assert face.startswith("KaTeX_Main")
    assert letters == "none", "few faces have the letters that mathematics is set in"
