"""The pane with the code beside the text, where there is room for it."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.code_view_page import (
    DX,
    SLOW,
    expect_shown,
    lines,
    pane,
    scroll_to,
    sheet,
    show_code,
    toggle,
)
from tests.browser.test_accessibility import violations_in_both_themes

pytestmark = pytest.mark.browser

# The rest of the page is as in the test of all pages.
BESIDE = ".code-pane, .equation[data-current], .pane-toggle, .show-code"
SHIFTS = """() => new Promise((resolve) => {
  let sum = 0;
  new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) sum += value;
  }).observe({ type: "layout-shift", buffered: true });
  setTimeout(() => resolve(sum), 300);
})"""


@pytest.fixture
def reading(page: Page, address: str) -> Page:
    page.goto(f"{address}layer-norm.html")
    expect(pane(page).locator(".line").first).to_be_visible(timeout=SLOW)
    page.evaluate("document.fonts.ready")
    return page


def test_the_pane_follows_the_reader_down_the_page(reading: Page) -> None:
    expect_shown(reading, "layer_norm_forward", [])
    scroll_to(reading, "#eq-ln-variance")
    expect_shown(reading, "layer_norm_forward", ["29"])
    expect(reading.locator("#eq-ln-variance")).to_have_attribute("data-current", "")
    scroll_to(reading, "#forward-symbols")
    expect_shown(reading, "layer_norm_forward", [])
    scroll_to(reading, DX)
    expect_shown(reading, "layer_norm_backward", ["45", "46"])
    expect(reading.locator(".equation[data-current]")).to_have_count(1)
    scroll_to(reading, "#derivation")
    expect_shown(reading, "layer_norm_backward", [])


def test_a_link_to_an_equation_shows_its_lines(page: Page, address: str) -> None:
    page.goto(f"{address}layer-norm.html#eq-ln-mean")
    expect_shown(page, "layer_norm_forward", ["28"])
    expect(pane(page).locator("[data-current]")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("path", ["layer-norm.html", "lesson.html"])
def test_the_pane_has_what_each_equation_says(page: Page, address: str, path: str) -> None:
    page.goto(address + path)
    equations = page.locator(".equation")
    assert equations.count() > 10
    for index in range(equations.count()):
        link = equations.nth(index).locator(".lines a").first
        link.focus()
        number = link.inner_text().split(":")[1].split("-")[0]
        expect(page.locator(".code-view [data-current] .number").first).to_have_text(number)
        marked = page.locator(".code-view [data-current]").first
        id_ = equations.nth(index).get_attribute("id") or ""
        assert id_ in (marked.get_attribute("data-equations") or "").split()


def test_an_equation_lights_its_lines_in_the_pane_and_they_light_it(reading: Page) -> None:
    reading.locator("#eq-ln-mean figcaption").hover()
    expect_shown(reading, "layer_norm_forward", ["28"])
    expect(pane(reading).locator(".line[data-lit] .number")).to_have_text(["28"])
    pane(reading).get_by_role("link", name="Line 30").hover()
    expect(reading.locator("#eq-ln-inverse-deviation")).to_have_attribute("data-lit", "")
    pane(reading).get_by_role("link", name="Line 31").focus()
    expect(reading.locator("#eq-ln-normalised")).to_have_attribute("data-lit", "")


def test_a_tap_on_an_equation_shows_its_lines(browser: Browser, address: str) -> None:
    context = browser.new_context(viewport={"width": 1366, "height": 1024}, has_touch=True)
    page = context.new_page()
    page.goto(f"{address}layer-norm.html")
    expect_shown(page, "layer_norm_forward", [])
    page.locator(f"{DX} .maths").tap()
    expect_shown(page, "layer_norm_backward", ["45", "46"])
    context.close()


def test_names_in_the_pane_are_the_symbols(reading: Page) -> None:
    pane(reading).locator("[data-symbol=mu]").first.hover()
    expect(reading.locator("#sym-mu")).to_have_attribute("data-lit", "")
    expect(reading.locator(".symbol-card")).to_contain_text("Mean of each row")
    reading.locator("#sym-s .code-link").hover()
    expect_shown(reading, "layer_norm_forward", ["30"])
    expect(pane(reading).locator("[data-symbol=s][data-lit]").first).to_be_visible()


def test_no_id_is_there_twice(reading: Page) -> None:
    twice = """() => {
      const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id);
      return ids.filter((id, index) => ids.indexOf(id) !== index);
    }"""
    assert reading.evaluate(twice) == []


def test_code_of_another_file_is_fetched_once(reading: Page) -> None:
    fetched: list[str] = []
    reading.on("request", lambda request: fetched.append(request.url.rsplit("/", 1)[1]))
    link = reading.locator("#backward-update ~ p a[href*=transformer]")
    link.nth(0).hover()
    expect_shown(reading, "loss_and_grads", ["157"])
    link.nth(1).hover()
    expect_shown(reading, "block_backward", ["119"])
    number = pane(reading).get_by_role("link", name="Line 119")
    assert (number.get_attribute("href") or "").endswith("/gpt/source/transformer.html#L119")
    expect(number).to_be_in_viewport()
    assert [name for name in fetched if name.endswith(".html")] == ["transformer.html"]


def test_code_that_cannot_be_had_is_said_to_be_missing(browser: Browser, address: str) -> None:
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.goto(f"{address}layer-norm.html")
    page.route("**/source/optimizer.html", lambda route: route.fulfill(status=404))
    link = page.locator("#backward-update ~ p a[href*=optimizer]")
    link.hover()
    expect(pane(page)).to_contain_text("This code could not be loaded.")
    page.unroute("**/source/optimizer.html")
    page.locator("h1").hover()
    link.hover()
    expect_shown(page, "AdamW.step", ["40"])
    page.close()


def test_without_a_network_the_code_is_there(browser: Browser, address: str) -> None:
    context = browser.new_context(service_workers="allow", viewport={"width": 1440, "height": 900})
    page = context.new_page()
    page.goto(f"{address}layer-norm.html")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.reload()
    context.set_offline(offline=True)
    page.locator("#backward-update ~ p a[href*=optimizer]").hover()
    expect_shown(page, "AdamW.step", ["40"])
    context.close()


def test_into_the_pane_and_back_by_keyboard(reading: Page) -> None:
    button = show_code(reading, DX)
    reading.locator(f"{DX} .lines a").first.focus()
    reading.keyboard.press("Tab")
    expect(button).to_be_focused()
    assert button.evaluate("button => getComputedStyle(button).opacity") == "1"
    box, text = button.bounding_box(), reading.locator("main").bounding_box()
    assert box
    assert text
    assert box["x"] + box["width"] <= text["x"] + text["width"]
    reading.keyboard.press("Enter")
    expect(lines(reading)).to_be_focused()
    expect(lines(reading)).to_have_accessible_name(
        "Code of layer_norm_backward, lines 45 to 46 marked"
    )
    scroll_to(reading, "#eq-ln-mean")  # who is in the pane has it alone
    reading.wait_for_timeout(200)
    expect_shown(reading, "layer_norm_backward", ["45", "46"])
    reading.keyboard.press("Escape")
    expect(button).to_be_focused()
    reading.keyboard.press("Enter")
    expect(lines(reading)).to_be_focused()
    reading.keyboard.press("Shift+Tab")
    reading.keyboard.press("Shift+Tab")
    expect(pane(reading).get_by_role("button", name="Back to the text")).to_be_focused()
    reading.keyboard.press("Enter")
    expect(button).to_be_focused()


def test_from_a_line_to_its_equation_by_keyboard(reading: Page) -> None:
    show_code(reading, "#eq-ln-mean").press("Enter")
    expect(lines(reading)).to_be_focused()
    pane(reading).get_by_role("link", name="Line 30").focus()
    reading.keyboard.press("Tab")
    expect(
        pane(reading).get_by_role("link", name="Equation: Inverse standard deviation")
    ).to_be_focused()
    reading.keyboard.press("Enter")
    expect(reading.locator("#eq-ln-inverse-deviation")).to_be_in_viewport(ratio=1)


def test_scrolling_says_nothing(reading: Page) -> None:
    live = reading.locator("[aria-live], [role=status], [role=alert], [role=log]")
    before = live.all_inner_texts()
    scroll_to(reading, DX)
    expect_shown(reading, "layer_norm_backward", ["45", "46"])
    assert live.all_inner_texts() == before


def test_off_is_remembered(reading: Page) -> None:
    width = "document.querySelector('main').getBoundingClientRect().width"
    narrow = reading.evaluate(width)
    pane(reading).get_by_role("button", name="Close the code").click()
    expect(pane(reading)).to_be_hidden()
    expect(toggle(reading)).to_be_focused()
    expect(toggle(reading)).to_have_attribute("aria-pressed", "false")
    assert reading.evaluate(width) > narrow
    reading.reload()
    expect(toggle(reading)).to_have_attribute("aria-pressed", "false")
    expect(pane(reading)).to_be_hidden()
    assert reading.evaluate(SHIFTS) < 0.001
    show_code(reading, DX).click()
    expect(sheet(reading)).to_be_visible(timeout=SLOW)
    reading.keyboard.press("Escape")
    toggle(reading).click()
    expect(pane(reading)).to_be_visible()
    reading.reload()
    expect(pane(reading)).to_be_visible()


def test_without_storage_the_pane_is_on(page: Page, address: str) -> None:
    page.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new Error('no'); } })"
    )
    page.goto(f"{address}layer-norm.html")
    expect(pane(page)).to_be_visible()
    toggle(page).click()
    expect(pane(page)).to_be_hidden()


@pytest.mark.parametrize("width", [1280, 1440])
@pytest.mark.parametrize("path", ["layer-norm.html#eq-ln-dx", "lesson.html"])
def test_nothing_moves_when_it_loads(page: Page, address: str, path: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(address + path)
    expect(pane(page).locator(".line").first).to_be_visible(timeout=SLOW)
    assert page.evaluate(SHIFTS) < 0.001


def test_the_text_keeps_its_room(page: Page, address: str) -> None:
    for width in (1280, 1440, 1920):
        page.set_viewport_size({"width": width, "height": 900})
        page.goto(f"{address}layer-norm.html")
        text, code = page.locator("main").bounding_box(), pane(page).bounding_box()
        assert text
        assert code
        assert text["width"] > 540
        assert code["x"] > text["x"] + text["width"]
        assert code["x"] + code["width"] <= width
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_page_without_equations_has_no_pane(page: Page, address: str) -> None:
    page.goto(f"{address}laboratory.html")
    expect(toggle(page)).to_have_count(0)
    expect(pane(page)).to_have_count(0)


def test_without_scripts_the_page_is_as_it_was(browser: Browser, address: str) -> None:
    for width in (1440, 375):
        context = browser.new_context(
            java_script_enabled=False, viewport={"width": width, "height": 900}
        )
        page = context.new_page()
        page.goto(f"{address}layer-norm.html")
        for button in page.locator(".show-code, .pane-toggle").all():
            expect(button).to_be_hidden()
        box = page.locator("main").bounding_box()
        assert box
        assert box["width"] == min(width - 32, 896)
        context.close()


def test_nothing_of_it_is_printed(reading: Page) -> None:
    reading.emulate_media(media="print")
    expect(pane(reading)).to_be_hidden()
    expect(toggle(reading)).to_have_count(0)
    expect(reading.get_by_role("button", name="Show code")).to_have_count(0)


def test_motion_only_where_it_is_wanted(browser: Browser, address: str) -> None:
    for wanted, name in (("no-preference", "code-sheet"), ("reduce", "none")):
        context = browser.new_context(
            viewport={"width": 375, "height": 667},
            reduced_motion="reduce" if wanted == "reduce" else "no-preference",
        )
        page = context.new_page()
        page.goto(f"{address}layer-norm.html")
        show_code(page, DX).click()
        animation = "sheet => getComputedStyle(sheet).animationName"
        assert sheet(page).evaluate(animation) == name
        context.close()


def test_axe_finds_nothing_in_pane_and_sheet(browser: Browser, address: str) -> None:
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.goto(f"{address}layer-norm.html#eq-ln-dx")
    expect_shown(page, "layer_norm_backward", ["45", "46"])
    pane(page).get_by_role("link", name="Line 43").hover()
    assert violations_in_both_themes(page, BESIDE) == []
    show_code(page, DX).press("Enter")
    assert violations_in_both_themes(page, BESIDE) == []
    page.set_viewport_size({"width": 375, "height": 667})
    show_code(page, DX).click()
    expect(sheet(page)).to_be_visible(timeout=SLOW)
    page.wait_for_timeout(300)
    assert violations_in_both_themes(page, ".code-sheet") == []
    page.close()
