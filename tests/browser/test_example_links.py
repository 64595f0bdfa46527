"""A link carries the numbers of an example. It is shown, and nothing is run until somebody asks."""

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.conftest import fresh_page
from tests.browser.example_page import BACKWARD, FORWARD, READY_MS, ExamplePage
from tests.browser.laboratory_page import wait
from tests.browser.test_accessibility import violations_in_every_look

pytestmark = pytest.mark.browser

COPY = "Copy link with these numbers"
LINK = "#ex-ln-forward=X:1,2,3,10&beta:0,0,0,-1.5e-3"
RECORDED_MEAN = "3"
LEFT_OUT = "do not fit this example"


@pytest.fixture
def linked(page: Page, address: str) -> ExamplePage:
    """The page as somebody sees it who follows a link with numbers."""
    page.goto(f"{address}layer-norm.html{LINK}")
    return ExamplePage(page)


@pytest.fixture
def phone(handset: Page, address: str) -> Page:
    handset.goto(f"{address}layer-norm.html{LINK}")
    return handset


def notice(example: ExamplePage, name: str = FORWARD) -> Locator:
    return example.example(name).locator(".offer")


def edited(example: ExamplePage, name: str, symbol: str) -> list[int]:
    """The cells that are marked."""
    cells = example.example(name).locator(f"tbody[data-input={symbol}] input")
    return [i for i in range(cells.count()) if cells.nth(i).get_attribute("data-edited") == ""]


def copied_link(example: ExamplePage, name: str = FORWARD) -> str:
    example.button(name, COPY).click()
    return copied(example, name).input_value()


def copied(example: ExamplePage, name: str = FORWARD) -> Locator:
    return example.example(name).locator(".copied input")


def test_a_link_shows_its_numbers_and_starts_nothing(browser: Browser, address: str) -> None:
    with fresh_page(browser) as (page, errors):
        fetched: list[str] = []
        page.on("request", lambda request: fetched.append(request.url))
        page.goto(f"{address}layer-norm.html{LINK}")
        example = ExamplePage(page)
        expect(notice(example)).to_contain_text("came with the link. They have not been run.")
        assert example.inputs(FORWARD, "X") == ["1", "2", "3", "10"]
        assert example.inputs(FORWARD, "beta") == ["0", "0", "0", "-1.5e-3"]
        assert edited(example, FORWARD, "X") == [3]
        assert edited(example, FORWARD, "gamma") == []
        assert example.numbers(FORWARD, "Mean") == [RECORDED_MEAN]
        expect(example.status(FORWARD)).to_contain_text("have not been run")
        expect(example.status(FORWARD)).to_contain_text("those that the build recorded")
        expect(example.example(FORWARD)).to_have_attribute("data-state", "idle")
        expect(example.example(FORWARD)).to_be_in_viewport()
        page.wait_for_load_state("networkidle")
        assert not [url for url in fetched if "runtime" in url]
        assert errors == []


def test_run_runs_them(linked: ExamplePage) -> None:
    notice(linked).get_by_role("button", name="Run").click()
    expect(notice(linked)).to_be_hidden()
    linked.wait_until_ready()
    expect(linked.row(FORWARD, "Mean").locator(".number")).to_have_text("4")
    assert "#ex-ln-forward=X:" in linked.page.url, "a reload shows the same"


def test_to_touch_a_cell_runs_them_too(linked: ExamplePage) -> None:
    linked.cell(BACKWARD, "dY", 0).focus()
    linked.wait_until_ready()
    expect(linked.row(FORWARD, "Mean").locator(".number")).to_have_text("4")
    expect(notice(linked)).to_be_hidden()
    linked.cell(FORWARD, "X", 0).fill("5")  # which makes them the reader's own
    linked.wait_until_ready()
    expect(linked.row(FORWARD, "Mean").locator(".number")).to_have_text("5")
    assert linked.page.url.endswith("#ex-ln-forward")


def test_reset_takes_them_away_without_a_run(linked: ExamplePage) -> None:
    notice(linked).get_by_role("button", name="Reset").click()
    assert linked.inputs(FORWARD, "X") == ["1", "2", "3", "6"]
    assert edited(linked, FORWARD, "X") == []
    expect(linked.example(FORWARD)).to_have_attribute("data-state", "idle")
    expect(linked.example(FORWARD)).not_to_have_attribute("data-stale", "")
    expect(linked.status(FORWARD)).to_contain_text("Recorded by the build")
    assert linked.page.url.endswith("#ex-ln-forward")


def test_a_link_can_be_copied_once_something_is_edited(
    browser: Browser, started: ExamplePage
) -> None:
    copy = started.example(FORWARD).locator("[data-action=share]")
    expect(copy).to_be_hidden()
    started.cell(FORWARD, "X", 3).fill("-10")
    started.cell(FORWARD, "gamma", 1).fill("0.5")
    link = copied_link(started)
    assert link.endswith("layer-norm.html#ex-ln-forward=X:1,2,3,-10&gamma:1,0.5,1,2")
    with fresh_page(browser) as (page, errors):
        page.goto(link)
        there = ExamplePage(page)
        expect(notice(there)).to_be_visible()
        for symbol in ("X", "gamma", "beta"):
            assert there.inputs(FORWARD, symbol) == started.inputs(FORWARD, symbol)
        assert copied_link(there) == link, "and copied again, without a run"
        expect(there.example(FORWARD)).to_have_attribute("data-state", "idle")
        assert errors == []
    started.button(FORWARD, "Reset").click()
    expect(copy).to_be_hidden()
    expect(copied(started)).to_have_count(0)


def test_a_link_carries_sizes(browser: Browser, started: ExamplePage) -> None:
    started.button(FORWARD, "Add a row").click()
    started.button(FORWARD, "Add a feature").click()
    started.wait_until_ready()
    link = copied_link(started)
    with fresh_page(browser) as (page, _):
        page.goto(link)
        there = ExamplePage(page)
        expect(notice(there)).to_be_visible()
        for symbol in ("X", "gamma", "beta"):
            assert there.inputs(FORWARD, symbol) == started.inputs(FORWARD, symbol)
        assert there.inputs(BACKWARD, "dY") == started.inputs(BACKWARD, "dY")


@pytest.mark.parametrize(
    "numbers",
    [
        "",
        "X",
        "X:",
        "X:1,2,3",
        "X:1,2,3,four",
        "X:1,2,3,4;5,6,7",
        "X:1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17",
        "gamma:1,2,3,4,5",
        "nothing:1",
        "__proto__:1",
        "X:1,2,3,4&&",
        "X:1,2,3,%E0",
        "X:" + "1," * 20_000 + "1",
    ],
)
def test_a_link_that_does_not_fit_says_so(page: Page, address: str, numbers: str) -> None:
    page.goto(f"{address}layer-norm.html#ex-ln-forward={numbers}")
    example = ExamplePage(page)
    expect(notice(example)).to_contain_text(LEFT_OUT)
    assert example.inputs(FORWARD, "X") == ["1", "2", "3", "6"]
    expect(example.example(FORWARD)).to_have_attribute("data-state", "idle")
    expect(example.example(FORWARD)).not_to_have_attribute("data-stale", "")


def test_another_link_on_the_page_that_is_open(started: ExamplePage) -> None:
    started.page.evaluate("location.hash = 'ex-ln-forward=X:2,2,2,6'")
    expect(notice(started)).to_contain_text("have not been run")
    expect(started.example(FORWARD)).to_have_attribute("data-state", "ready")
    expect(started.status(FORWARD)).to_contain_text("The results are those of the last run")
    assert started.numbers(FORWARD, "Mean") == [RECORDED_MEAN]
    notice(started).get_by_role("button", name="Run").click()
    expect(started.row(FORWARD, "Mean").locator(".number")).to_have_text("3")
    expect(started.status(FORWARD)).to_contain_text("Run in this browser")


def test_figures_follow_the_numbers_of_a_link(page: Page, laboratory: Page, address: str) -> None:
    laboratory.locator("#ex-batch-norm input").first.fill("9")
    wait(laboratory)
    link = copied_link(ExamplePage(laboratory), "ex-batch-norm")
    before = laboratory.locator("#fig-batch-norm .numbers-table").text_content()
    page.goto(f"{address}laboratory.html#ex-batch-norm=")
    example = ExamplePage(page)
    lab = page.locator("#ex-batch-norm")
    table = page.locator("#fig-batch-norm .numbers-table")
    expect(notice(example, "ex-batch-norm")).to_contain_text(LEFT_OUT)
    page.goto("about:blank")
    page.goto(link)
    expect(page.locator("#fig-batch-norm")).to_have_attribute("data-stale", "")
    notice(example, "ex-batch-norm").get_by_role("button", name="Run").click()
    expect(lab).to_have_attribute("data-state", "ready", timeout=READY_MS)
    expect(table).to_have_text(before or "", use_inner_text=False)
    expect(page.locator("#fig-batch-norm")).not_to_have_attribute("data-stale", "")


def test_on_a_phone(phone: Page) -> None:
    example = ExamplePage(phone)
    expect(notice(example)).to_be_in_viewport()
    for button in notice(example).get_by_role("button").all():
        box = button.bounding_box()
        assert box
        assert min(box["width"], box["height"]) >= 24
    example.button(FORWARD, COPY).tap()
    expect(copied(example)).to_be_visible()
    expect(notice(example)).to_be_visible()  # what it offers is still there
    assert phone.evaluate("document.documentElement.scrollWidth") <= 375
    expect(example.example(FORWARD)).to_have_attribute("data-state", "idle")


def test_axe_finds_nothing(page: Page, address: str) -> None:
    page.goto(f"{address}layer-norm.html{LINK}")
    example = ExamplePage(page)
    copied_link(example)
    expect(notice(example)).to_be_visible()  # beside the link
    assert violations_in_every_look(page, f"#{FORWARD}") == []
