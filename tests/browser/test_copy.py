"""What buttons and selections put on the clipboard."""

import json
import textwrap
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.cell_page import CodeOnPage
from tests.browser.code_view_page import SLOW, pane
from tests.browser.test_accessibility import violations_in_both_themes
from tests.browser.test_passages import AT_REST
from tests.site_builder.projects import REPOSITORY

pytestmark = pytest.mark.browser

OPS = (REPOSITORY / "src/tinygpt/ops.py").read_text("utf-8")
FORWARD = "\n".join(OPS.split("\n")[18:32])
MATHML = "{http://www.w3.org/1998/Math/MathML}"
REFUSED = "navigator.clipboard.writeText = () => Promise.reject(new Error('refused')); 0"


@pytest.fixture
def reading(page: Page, address: str) -> Page:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"{address}layer-norm.html")
    return page


@pytest.fixture
def phone(browser: Browser, address: str) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 320, "height": 700}, has_touch=True)
    page = context.new_page()
    page.goto(f"{address}layer-norm.html")
    yield page
    context.close()


def clipboard(page: Page) -> str:
    text: str = page.evaluate("navigator.clipboard.readText()")
    return text.replace("\r\n", "\n")


def equation(page: Page, name: str) -> Locator:
    return page.locator(f"#eq-{name}")


def choose(page: Page, name: str, form: str) -> None:
    equation(page, name).get_by_role("button", name="Copy").click()
    equation(page, name).get_by_role("button", name=form, exact=True).click()
    expect(page.get_by_role("status").filter(has_text=f"Copied as {form}.")).to_have_count(1)


def test_an_equation_as_its_authors_latex(reading: Page, site_folder: Path) -> None:
    explain = json.loads((site_folder / "explain.json").read_text("utf-8"))
    latex = {e["id"]: e["latex"] for page in explain["pages"] for e in page["equations"]}
    for name in ("ln-variance", "ln-step-chain"):
        choose(reading, name, "LaTeX")
        assert clipboard(reading) == latex[f"eq-{name}"]


def test_an_equation_as_mathml(reading: Page) -> None:
    choose(reading, "ln-mean", "MathML")
    maths = ET.fromstring(clipboard(reading))  # noqa: S314 - from the page itself
    assert maths.tag == f"{MATHML}math"
    assert maths.get("display") == "block"
    symbols = [element.text for element in maths.iter(f"{MATHML}mi")]
    assert symbols[:2] == ["μ", "t"]
    assert maths.find(f".//{MATHML}mfrac") is not None


@pytest.mark.parametrize(
    ("name", "first", "last"), [("ln-mean", 28, 28), ("ln-dx", 45, 46), ("ln-parameters", 47, 48)]
)
def test_an_equation_as_the_lines_that_compute_it(
    reading: Page, name: str, first: int, last: int
) -> None:
    choose(reading, name, "NumPy")
    lines = OPS.split("\n")[first - 1 : last]
    assert clipboard(reading) == textwrap.dedent("\n".join(lines))


def test_by_keyboard(reading: Page) -> None:
    button = equation(reading, "ln-mean").get_by_role("button", name="Copy")
    choices = equation(reading, "ln-mean").get_by_role("group", name="Copy as")
    expect(choices).to_be_hidden()
    button.press("Enter")
    expect(button).to_have_attribute("aria-expanded", "true")
    reading.keyboard.press("Tab")
    expect(choices.get_by_role("button", name="LaTeX")).to_be_focused()
    reading.keyboard.press("Escape")
    expect(choices).to_be_hidden()
    expect(button).to_be_focused()
    reading.keyboard.press("Space")
    for _ in range(2):
        reading.keyboard.press("Tab")
    reading.keyboard.press("Enter")
    expect(button).to_be_focused()
    expect(choices).to_be_hidden()
    assert clipboard(reading).startswith("<math")
    button.press("Enter")
    for _ in range(4):  # past the last choice
        reading.keyboard.press("Tab")
    expect(choices).to_be_hidden()


def test_a_click_elsewhere_and_another_button_close_the_choices(reading: Page) -> None:
    first, second = equation(reading, "ln-mean"), equation(reading, "ln-variance")
    first.get_by_role("button", name="Copy").click()
    second.get_by_role("button", name="Copy").click()
    expect(reading.locator(".copy-choices:visible")).to_have_count(1)
    expect(second.locator(".copy-choices")).to_be_visible()
    reading.locator("h1").click()
    expect(reading.locator(".copy-choices:visible")).to_have_count(0)


def test_a_listing_without_its_numbers(reading: Page) -> None:
    listing = reading.locator("#fn-layer_norm_forward")
    listing.get_by_role("button", name="Copy this code").click()
    expect(reading.get_by_role("status").filter(has_text="Copied.")).to_have_count(1)
    expect(listing.locator("[data-copied]")).to_have_count(1)
    assert clipboard(reading) == FORWARD
    expect(listing.locator("[data-copied]")).to_have_count(0)  # after a while


def test_a_source_page_is_copied_whole(reading: Page, address: str) -> None:
    reading.goto(f"{address}source/ops.html")
    reading.get_by_role("button", name="Copy this code").click()
    expect(reading.get_by_role("status").filter(has_text="Copied.")).to_have_count(1)
    assert clipboard(reading) == OPS.removesuffix("\n")


def test_what_a_reader_made_of_the_code(forward: CodeOnPage) -> None:
    page = forward.page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.locator("#cell-forward").get_by_role("button", name="Edit", exact=True).click()
    page.locator("#cell-forward .cm-content").click()
    page.keyboard.press("Control+Home")
    page.keyboard.type("# mine\n")
    page.locator("#cell-forward").get_by_role("button", name="Copy this code").click()
    expect(page.get_by_role("status").filter(has_text="Copied.")).to_have_count(1)
    assert clipboard(page).startswith("# mine\ndef layernorm_forward(")


@pytest.mark.parametrize(
    ("path", "first", "last"),
    [("layer-norm.html", "#ops-L27", "#ops-L32"), ("source/ops.html", "#L27", "#L32")],
)
def test_a_selection_with_the_mouse_has_no_numbers(
    reading: Page, address: str, path: str, first: str, last: str
) -> None:
    reading.goto(address + path)
    over_the_pane = path == "layer-norm.html"
    if over_the_pane:
        expect(pane(reading).locator(".line").first).to_be_visible(timeout=SLOW)
    line = reading.locator(last)
    line.evaluate("line => line.scrollIntoView({ block: 'center' })")
    line.evaluate(AT_REST)  # passages above it get their own heights only now
    start, end = reading.locator(f"{first} .number").bounding_box(), line.bounding_box()
    assert start
    assert end
    # Past the end of that line's code: over the pane, or else still within the box that scrolls.
    x, y = 1150 if over_the_pane else 1000, end["y"] + end["height"] - 5
    at = "([x, y]) => Boolean(document.elementFromPoint(x, y).closest('.code-pane'))"
    assert reading.evaluate(at, [x, y]) == over_the_pane
    reading.mouse.move(start["x"] + start["width"] + 1, start["y"] + 5)  # where the code begins
    reading.mouse.down()
    reading.mouse.move(x, y, steps=5)
    reading.wait_for_timeout(300)  # what is selected under a pointer at rest is selected only now
    reading.mouse.up()
    reading.keyboard.press("Control+c")
    assert clipboard(reading).rstrip("\n").split("\n") == OPS.split("\n")[26:32]


def test_everything_selected_has_no_numbers(reading: Page) -> None:
    reading.evaluate("getSelection().selectAllChildren(document.querySelector('.listing pre'))")
    reading.keyboard.press("Control+c")
    assert clipboard(reading).rstrip("\n") == FORWARD


def test_where_the_clipboard_is_not_allowed_the_selection_is_copied(reading: Page) -> None:
    reading.evaluate(REFUSED)
    choose(reading, "ln-mean", "NumPy")
    assert clipboard(reading) == "mu = X.sum(axis=-1, keepdims=True) / d"
    expect(reading.get_by_role("dialog")).to_have_count(0)


def refuse_all(page: Page) -> None:
    page.evaluate(f"{REFUSED}; document.execCommand = () => false; 0")
    equation(page, "ln-mean").get_by_role("button", name="Copy").click()
    equation(page, "ln-mean").get_by_role("button", name="NumPy", exact=True).click()


def test_a_refusal_is_told_and_the_text_is_selected(reading: Page) -> None:
    refuse_all(reading)
    dialog = reading.get_by_role("dialog", name="Copy by hand")
    expect(dialog).to_contain_text("does not let this page copy")
    reading.keyboard.press("Control+c")
    assert clipboard(reading) == "mu = X.sum(axis=-1, keepdims=True) / d"
    reading.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(equation(reading, "ln-mean").get_by_role("button", name="Copy")).to_be_focused()
    expect(reading.get_by_role("status").filter(has_text="Copied")).to_have_count(0)


def test_nothing_of_it_without_javascript(browser: Browser, address: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{address}layer-norm.html")
    expect(page.get_by_role("button", name="Copy")).to_have_count(0)
    page.goto(f"{address}source/ops.html")
    expect(page.get_by_role("button", name="Copy")).to_have_count(0)
    expect(page.locator(".copy-place")).to_be_hidden()
    context.close()


@pytest.mark.parametrize("path", ["layer-norm.html", "source/ops.html"])
@pytest.mark.parametrize("width", [1440, 320])
def test_nothing_moves_when_the_buttons_come(
    browser: Browser, address: str, path: str, width: int
) -> None:
    places = """() => [...document.querySelectorAll("main :not(.copy, .copy *)")].map((element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      return [element.tagName, left, top + scrollY, width, height].join();
    })"""
    found = []
    for script in ("**/nothing.js", "**/copy.js"):
        context = browser.new_context(viewport={"width": width, "height": 800})
        context.route(script, lambda route: route.abort())
        context.route("**/*.woff2", lambda route: route.abort())  # a late one is used or is not
        page = context.new_page()
        page.goto(address + path, wait_until="networkidle")
        found.append((page.locator(".copy").count(), page.evaluate(places)))
        context.close()
    assert found[0][0] > 0
    assert found[1][0] == 0
    assert found[0][1] == found[1][1]


def test_on_a_narrow_screen(phone: Page) -> None:
    equation(phone, "ln-mean").get_by_role("button", name="Copy").tap()
    assert phone.evaluate("document.documentElement.scrollWidth") <= 320
    buttons = phone.locator(".copy button:visible")
    assert buttons.count() > 20
    for index in range(buttons.count()):
        box = buttons.nth(index).bounding_box()
        assert box
        assert min(box["width"], box["height"]) >= 24
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 320


def test_none_of_it_is_printed(reading: Page) -> None:
    reading.emulate_media(media="print")
    expect(reading.locator(".copy:visible")).to_have_count(0)


def test_axe_finds_nothing(browser: Browser, address: str) -> None:
    page = browser.new_page()
    page.goto(f"{address}layer-norm.html")
    equation(page, "ln-mean").get_by_role("button", name="Copy").click()
    assert violations_in_both_themes(page, "#eq-ln-mean") == []
    page.keyboard.press("Escape")
    refuse_all(page)
    expect(page.get_by_role("dialog")).to_be_visible()
    assert violations_in_both_themes(page, "dialog") == []
    page.close()
