"""Every place has an address that a reader can see, take and follow: also several lines of code."""

from collections.abc import Iterator
from itertools import pairwise
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.pages import lay_out
from tests.browser.static_host import static_host
from tests.browser.test_accessibility import violations_in_every_look
from tests.site_builder.projects import PAGE, SETTINGS, Project, copy_project

pytestmark = pytest.mark.browser

RANGE = "#ops-L28-L31"


@pytest.fixture
def reading(page: Page, address: str) -> Page:
    page.goto(f"{address}layer-norm.html")
    return page


@pytest.fixture(scope="module")
def moved_address(built_tiny: Project, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a tiny site with an alias, and with a page that was renamed."""
    project = copy_project(built_tiny, tmp_path_factory.mktemp("moved") / "project")
    lines = "\n".join(f"Line {n}.\n" for n in range(200))
    project.append(PAGE, f"\n{lines}\n:::{{alias}} old\n:for: eq-mean\n:::\n\n{lines}")
    project.append(SETTINGS, '\n[moved]\n"tiny" = "small"\n')
    assert project.build().code == 0
    with static_host(project.root / "dist") as address:
        yield address


def fragment(page: Page) -> str:
    return urlsplit(page.url).fragment


def marked(page: Page) -> list[str]:
    return [line.get_attribute("id") or "" for line in page.locator("[data-in-range]").all()]


def number(page: Page, line: int) -> Locator:
    return page.locator(f"#ops-L{line} .number")


def opacity(anchor: Locator) -> str:
    return str(anchor.evaluate("anchor => getComputedStyle(anchor).opacity"))


@pytest.mark.parametrize(
    ("place", "anchor"),
    [
        ("#forward", "#forward .anchor"),
        ("#eq-ln-mean .maths", "#eq-ln-mean .anchor"),
        ("#sym-mu td:nth-of-type(2)", "#sym-mu .anchor"),
        ("#fn-layer_norm_forward figcaption code", "#fn-layer_norm_forward .anchor"),
    ],
)
def test_an_anchor_is_seen_on_hover_and_on_focus(reading: Page, place: str, anchor: str) -> None:
    link = reading.locator(anchor).first
    assert opacity(link) == "0"
    reading.locator(place).first.hover()
    assert opacity(link) == "1"
    reading.locator("h1").hover()
    assert opacity(link) == "0"
    reading.keyboard.press("Tab")  # so that focus is that of the keyboard
    link.focus()
    assert opacity(link) == "1"
    reading.keyboard.press("Enter")
    assert f"#{fragment(reading)}" == link.get_attribute("href")


def test_anchors_are_always_seen_on_a_touch_screen_and_large_enough(phone: Page) -> None:
    lay_out(phone)
    anchors = phone.locator(".anchor")
    assert anchors.count() > 60
    boxes = anchors.evaluate_all(
        """all => all.filter((anchor) => anchor.checkVisibility()).map((anchor) => {
             const { width, height } = anchor.getBoundingClientRect();
             return [anchor.href, width, height, Number(getComputedStyle(anchor).opacity)]; })"""
    )
    assert [box for box in boxes if min(box[1:3]) < 24 or box[3] < 1] == []
    assert phone.evaluate("document.documentElement.scrollWidth") <= 375


def test_line_numbers_are_large_enough_on_a_touch_screen(phone: Page) -> None:
    tops = phone.locator("#fn-layer_norm_forward .line").evaluate_all(
        "lines => lines.map((line) => line.getBoundingClientRect().top)"
    )
    gaps = [after - before for before, after in pairwise(tops)]
    assert min(gaps) >= 24


def test_a_line_has_an_address(reading: Page) -> None:
    number(reading, 28).click()
    assert fragment(reading) == "ops-L28"
    colour = "line => getComputedStyle(line).backgroundColor"
    assert reading.locator("#ops-L28").evaluate(colour) != "rgba(0, 0, 0, 0)"
    assert marked(reading) == []


def test_a_second_line_with_shift_makes_a_range(reading: Page) -> None:
    number(reading, 28).click()
    number(reading, 31).click(modifiers=["Shift"])
    assert fragment(reading) == "ops-L28-L31"
    assert marked(reading) == [f"ops-L{n}" for n in (28, 29, 30, 31)]
    assert len(reading.context.pages) == 1
    status = reading.get_by_role("status").filter(has_text="Lines 28 to 31 are marked")
    assert status.count() == 1
    number(reading, 26).click(modifiers=["Shift"])  # from where the reader began
    assert fragment(reading) == "ops-L26-L28"
    assert len(marked(reading)) == 3
    number(reading, 30).click()
    assert marked(reading) == []
    assert fragment(reading) == "ops-L30"


def test_a_range_by_keyboard(reading: Page) -> None:
    number(reading, 28).focus()
    reading.keyboard.press("Enter")
    number(reading, 30).focus()
    reading.keyboard.press("Shift+Enter")
    assert fragment(reading) == "ops-L28-L30"
    assert len(marked(reading)) == 3
    assert len(reading.context.pages) == 1


def test_a_range_begins_in_the_file_where_it_ends(page: Page, address: str) -> None:
    page.goto(f"{address}source/ops.html#L3")
    page.locator("#L7 .number").click(modifiers=["Shift"])
    assert fragment(page) == "L3-L7"
    assert marked(page) == [f"L{n}" for n in range(3, 8)]
    page.goto(f"{address}source/ops.html")
    page.locator("#L7 .number").click(modifiers=["Shift"])
    assert fragment(page) == "L7"


@pytest.mark.parametrize("path", [f"layer-norm.html{RANGE}", "source/ops.html#L28-L31"])
def test_the_address_of_a_range_shows_it(page: Page, address: str, path: str) -> None:
    page.goto(f"{address}{path}")
    expect(page.locator("[data-in-range]")).to_have_count(4)
    expect(page.locator("[data-in-range]").first).to_be_in_viewport()
    # A reload begins where the page was; so does going back.
    page.goto(f"{address}layer-norm.html")
    page.go_back()
    expect(page.locator("[data-in-range]")).to_have_count(4)


def test_a_link_on_the_page_to_a_range_shows_it(reading: Page) -> None:
    reading.evaluate(
        """range => document.querySelector("h1").insertAdjacentHTML("afterend",
             `<a id="to" href="${range}">lines</a>`)""",
        RANGE,
    )
    reading.locator("#to").click()
    expect(reading.locator("[data-in-range]")).to_have_count(4)
    expect(reading.locator("[data-in-range]").first).to_be_in_viewport()


@pytest.mark.parametrize(
    "nonsense", ["ops-L9000-L9001", "nothing-L1-L2", "ops-L-L", "ops-L1-L999999999999", "%E0-L1-L2"]
)
def test_an_address_of_lines_that_are_not_there_does_nothing_bad(
    page: Page, address: str, nonsense: str
) -> None:
    page.goto(f"{address}layer-norm.html#{nonsense}")
    expect(page.locator("h1")).to_be_visible()
    number(page, 28).click()
    assert fragment(page) == "ops-L28"


def test_the_links_of_the_build_lead_to_their_lines_without_javascript(
    browser: Browser, address: str
) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{address}layer-norm.html")
    link = page.locator("#fn-layer_norm_forward .code-link a").first
    assert "-L" in (link.get_attribute("href") or "")
    link.click()
    first = fragment(page).partition("-")[0]
    expect(page.locator(f"#{first}")).to_be_in_viewport()
    context.close()


def test_axe_finds_nothing_in_a_range(page: Page, address: str) -> None:
    page.goto(f"{address}layer-norm.html#ops-L42-L46")  # with a comment, in the faintest colour
    expect(page.locator("[data-in-range]")).to_have_count(5)
    assert violations_in_every_look(page, "#fn-layer_norm_backward") == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 375


def test_an_alias_leads_on(page: Page, moved_address: str) -> None:
    page.goto(f"{moved_address}small.html#old")
    page.wait_for_url("**/small.html#eq-mean")
    expect(page.locator("#eq-mean")).to_be_in_viewport()
    expect(page.locator(".alias")).to_be_hidden()


def test_a_page_of_an_old_name_leads_to_the_same_place(page: Page, moved_address: str) -> None:
    page.goto(f"{moved_address}tiny.html#eq-mean")
    page.wait_for_url("**/small.html#eq-mean")
    expect(page.locator("#eq-mean")).to_be_in_viewport()


def test_old_links_without_javascript(browser: Browser, moved_address: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{moved_address}small.html#old")
    expect(page.locator("#old")).to_be_in_viewport()
    page.locator("#old a").click()
    assert fragment(page) == "eq-mean"
    page.goto(f"{moved_address}tiny.html")
    page.wait_for_url("**/small.html")
    context.close()
