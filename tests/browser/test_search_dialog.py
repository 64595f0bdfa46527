"""The dialog of the search: it can be used by anyone, anywhere, and without a network."""

import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.search_page import ANSWER_MS, Search
from tests.browser.static_host import static_host
from tests.browser.test_accessibility import violations_in_every_look
from tests.browser.test_offline import ALL_KEPT, INSTALLED, UPDATE, change, release
from tests.browser.test_policy import WATCH, broken
from tests.browser.waiting import wait_for_promise

pytestmark = pytest.mark.browser


def slowly(route: Route) -> None:
    route.request.frame.page.wait_for_timeout(1000)
    route.continue_()


def test_nothing_is_loaded_before_it_is_opened(page: Page, address: str) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{address}layer-norm.html")
    page.wait_for_load_state("networkidle")
    assert [url for url in asked if "/search/" in url] == [f"{address}static/js/search/offer.js"]
    search = Search(page)
    search.open()
    search.ask("gamma")
    assert all(url.startswith(address) for url in asked)
    assert not [url for url in asked if "worker" in url.rpartition("/")[2]]


def test_by_keyboard_alone(page: Page, address: str) -> None:
    page.goto(f"{address}layer-norm.html")
    search, keyboard = Search(page), page.keyboard
    keyboard.press("Tab")
    skip = page.get_by_role("link", name="Skip to the content")
    expect(skip).to_be_focused()
    keyboard.press("/")
    expect(search.field).to_be_focused()
    keyboard.type("gamma")
    expect(search.links.nth(1)).to_be_visible(timeout=ANSWER_MS)
    keyboard.press("ArrowDown")
    expect(search.links.first).to_be_focused()
    keyboard.press("ArrowDown")
    expect(search.links.nth(1)).to_be_focused()
    keyboard.press("ArrowUp")
    keyboard.press("ArrowUp")
    expect(search.field).to_be_focused()
    keyboard.press("ArrowUp")
    expect(search.field).to_be_focused()
    keyboard.press("ArrowDown")
    keyboard.type("x")  # goes on with the query
    expect(search.field).to_have_value("gammax")
    expect(search.field).to_be_focused()
    keyboard.press("Escape")
    expect(search.dialog).to_be_hidden()
    expect(skip).to_be_focused()


@pytest.mark.parametrize("late", ["dialog.js", "finder.js", "records.json"])
def test_enter_goes_to_the_first_result(page: Page, address: str, late: str) -> None:
    page.route(f"**/search/{late}", slowly)
    page.goto(f"{address}index.html")
    page.keyboard.press("/")
    page.keyboard.type("ln-variance")
    page.keyboard.press("Enter")  # before anything was found, or could be
    page.wait_for_url(f"{address}layer-norm.html#eq-ln-variance", timeout=ANSWER_MS)
    expect(page.locator("#eq-ln-variance")).to_be_in_viewport()


def test_a_result_on_the_page_itself(page: Page, address: str) -> None:
    page.goto(f"{address}layer-norm.html")
    search = Search(page)
    search.open()
    search.ask("ln-variance")
    search.links.first.click()
    expect(search.dialog).to_be_hidden()
    assert page.url == f"{address}layer-norm.html#eq-ln-variance"
    expect(page.locator("#eq-ln-variance")).to_be_in_viewport()
    search.open()
    expect(search.field).to_have_value("ln-variance")  # selected, so that typing replaces it
    page.keyboard.type("g")
    expect(search.field).to_have_value("g")


def test_it_closes_by_its_button_and_beside_it(page: Page, address: str) -> None:
    page.goto(f"{address}index.html")
    search = Search(page)
    search.open()
    search.dialog.get_by_role("button", name="Close").click()
    expect(search.dialog).to_be_hidden()
    expect(page.locator(".search-button")).to_be_focused()
    search.open()
    page.mouse.click(10, 500)
    expect(search.dialog).to_be_hidden()
    expect(page.locator(".search-button")).to_be_focused()


def test_it_closes_before_its_script_is_there(page: Page, address: str) -> None:
    page.route("**/search/dialog.js", lambda _: None)
    page.goto(f"{address}index.html")
    search = Search(page)
    search.open()
    search.dialog.get_by_role("button", name="Close").click()
    expect(search.dialog).to_be_hidden()


def test_a_slash_in_a_field_is_a_slash(page: Page, address: str) -> None:
    page.goto(f"{address}layer-norm.html")
    cell = page.locator("#ex-ln-forward input").first
    cell.focus()
    page.keyboard.press("/")
    expect(Search(page).dialog).to_be_hidden()
    page.goto(f"{address}lesson.html")
    page.locator("code-cell").first.get_by_role("button", name="Edit").click()
    editor = page.locator("code-cell .cm-content").first
    editor.click()
    page.keyboard.press("/")
    expect(Search(page).dialog).to_be_hidden()
    expect(editor).to_contain_text("/")


@pytest.mark.parametrize("path", ["source/ops.html", "freshness.html", "404.html"])
def test_on_pages_of_every_kind(page: Page, address: str, path: str) -> None:
    page.goto(address + path)
    search = Search(page)
    search.open()
    search.ask("Biased variance")
    assert search.leads(search.links)[0] == "layer-norm.html#eq-ln-variance"


def test_it_keeps_to_the_policy(browser: Browser, address: str) -> None:
    page = browser.new_page()
    page.add_init_script(WATCH)
    page.goto(f"{address}source/ops.html")
    search = Search(page)
    search.open()
    search.ask("variance")
    assert broken(page) == []
    page.close()


@pytest.mark.parametrize(
    "pattern", ["**/search/pagefind.js*", "**/search/records.json", "**/*.pf_index"]
)
def test_a_failure_is_said_and_can_be_retried(browser: Browser, address: str, pattern: str) -> None:
    page = browser.new_page()
    page.route(pattern, lambda route: route.abort())
    page.goto(f"{address}index.html")
    search = Search(page)
    search.open()
    search.field.fill("gamma")
    retry = search.dialog.get_by_role("button", name="Retry")
    expect(retry).to_be_visible(timeout=ANSWER_MS)
    expect(search.status).to_have_text("The search cannot be loaded. Is there a network?")
    page.unroute(pattern)
    retry.click()
    expect(search.links.first).to_be_visible(timeout=ANSWER_MS)
    expect(retry).to_be_hidden()
    page.close()


def test_once_used_it_needs_no_network(browser: Browser, site_folder: Path) -> None:
    page = browser.new_context(service_workers="allow").new_page()
    with static_host(site_folder) as address:
        page.goto(f"{address}index.html")
        page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        kept = "caches.match(new URL('search/records.json', document.baseURI)).then(Boolean)"
        assert not page.evaluate(kept)  # it was not used yet
        search = Search(page)
        search.open()
        search.ask("gamma")
        files = [
            f"{address}{file.relative_to(site_folder).as_posix()}"
            for file in (site_folder / "search").rglob("*")
            if file.is_file()
        ]
        wait_for_promise(page, ALL_KEPT, files)
    page.goto(f"{address}lesson.html")
    search.open()
    search.ask("Biased variance")  # other words than before
    search.links.first.click()
    page.wait_for_url(f"{address}layer-norm.html#eq-ln-variance")
    page.context.close()


def test_a_new_release_has_all_of_it_where_it_was_used(
    browser: Browser, site_folder: Path, tmp_path: Path
) -> None:
    folder = Path(shutil.copytree(site_folder, tmp_path / "dist"))
    page = browser.new_context(service_workers="allow").new_page()
    with static_host(folder) as address:
        page.goto(f"{address}index.html")
        page.evaluate(INSTALLED)
        page.reload()
        search = Search(page)
        search.open()
        search.ask("gamma")
        (old,) = folder.glob("search/*.pf_meta")  # its name comes from its content
        new = old.rename(old.with_name("pagefind.en_another.pf_meta"))
        entry = folder / "search/pagefind-entry.json"
        records = folder / "search/records.json"
        for file in (entry, records):
            change(file, old.name.split(".")[1], new.name.split(".")[1])
        release(folder)
        page.evaluate(UPDATE)
    page.reload()
    search.open()
    search.ask("Biased variance")
    assert search.leads(search.links)[0] == "layer-norm.html#eq-ln-variance"
    page.context.close()


def test_axe_finds_nothing(page: Page, address: str) -> None:
    page.goto(f"{address}index.html")
    search = Search(page)
    search.open()
    assert violations_in_every_look(page, ".search") == []
    search.ask("variance")
    assert violations_in_every_look(page, ".search") == []


@pytest.mark.parametrize("width", [320, 375])
def test_on_a_phone(browser: Browser, address: str, width: int) -> None:
    page = browser.new_context(
        viewport={"width": width, "height": 700}, has_touch=True, is_mobile=True
    ).new_page()
    page.goto(f"{address}layer-norm.html")
    header = page.locator(".site-header").bounding_box()
    assert header
    assert header["height"] < 80  # two lines
    search = Search(page)
    page.get_by_role("button", name="Search", exact=True).tap()
    search.ask("variance")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    wide = search.dialog.evaluate("dialog => dialog.querySelector('.search-results').scrollWidth")
    assert wide <= width
    for link in search.links.all():
        box = link.locator("..").bounding_box()
        assert box
        assert box["height"] >= 24
        assert box["x"] + box["width"] <= width
    search.links.first.tap()
    expect(search.dialog).to_be_hidden()
    page.context.close()


def test_the_button_moves_nothing(browser: Browser, address: str) -> None:
    page = browser.new_page(viewport={"width": 375, "height": 800})
    page.add_init_script("""
      window.shifts = 0;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) window.shifts += entry.value;
      }).observe({ type: "layout-shift", buffered: true });
    """)
    page.goto(f"{address}source/ops.html")
    page.wait_for_load_state("networkidle")
    page.get_by_role("button", name="Search", exact=True).click()
    assert page.evaluate("window.shifts") < 0.001
    page.close()


def test_without_javascript_there_is_no_button(browser: Browser, address: str) -> None:
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto(f"{address}index.html")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.locator(".search-button")).to_be_hidden()
    expect(page.locator(".search")).to_be_hidden()
    page.context.close()
