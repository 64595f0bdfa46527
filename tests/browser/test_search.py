"""The search: what is found, where it leads, and that it can be used by anyone, anywhere."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.example_page import READY_MS
from tests.browser.static_host import static_host
from tests.browser.test_accessibility import THEMES, violations
from tests.browser.test_offline import INSTALLED, SETTLED_MS, UPDATE, change, release
from tests.browser.test_policy import WATCH, broken

pytestmark = pytest.mark.browser

ANSWER_MS = READY_MS  # the first search loads Pagefind


class Search:
    """The search dialog of a page."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.dialog = page.get_by_role("dialog", name="Search this site")
        self.field = page.get_by_role("searchbox")
        self.status = self.dialog.get_by_role("status")
        self.links = self.dialog.locator(".search-result a:visible")

    def open(self) -> None:
        self.page.get_by_role("button", name="Search", exact=True).click()
        expect(self.field).to_be_focused()

    def ask(self, query: str) -> None:
        """Type a query, and wait for what is found."""
        self.field.fill(query)
        expect(self.status).to_have_text(
            re.compile(f"(No|[0-9]+) results? for “{re.escape(query)}”"), timeout=ANSWER_MS
        )

    def group(self, kind: str) -> Locator:
        return self.dialog.get_by_role("region", name=kind)

    def leads(self, links: Locator) -> list[str]:
        """Where links lead, from the top of the site."""
        hrefs: list[str] = links.evaluate_all("all => all.map((link) => link.href)")
        return [re.sub("^[a-z]+://[^/]+/(gpt/)?", "", href) for href in hrefs]


@pytest.fixture(scope="module")
def _opened_once(browser: Browser, address: str) -> Iterator[Search]:
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    page.goto(f"{address}index.html")
    search = Search(page)
    search.open()
    yield search
    context.close()


@pytest.fixture
def opened(_opened_once: Search) -> Search:
    """The search, open on the index page. It serves many tests."""
    return _opened_once


@pytest.mark.parametrize(
    ("query", "kind", "first"),
    [
        ("layer_norm_forward", "Functions", "layer-norm.html#fn-layer_norm_forward"),
        ("ops.layer_norm_forward", "Functions", "layer-norm.html#fn-layer_norm_forward"),
        ("causal_attention_backward", "Functions", "source/attention.html#L"),
        ("gamma", "Symbols", ("layer-norm.html#sym-gamma", "lesson.html#sym-gamma")),
        (
            "\N{GREEK SMALL LETTER GAMMA}",
            "Symbols",
            ("layer-norm.html#sym-gamma", "lesson.html#sym-gamma"),
        ),
        ("Biased variance", "Equations", "layer-norm.html#eq-ln-variance"),
        ("ln-variance", "Equations", "layer-norm.html#eq-ln-variance"),
        ("what gamma and beta can undo", "Sections", "lesson.html#undo"),
        ("Deriving the backward formula", "Sections", "layer-norm.html#derivation"),
        ("laboratory", "Pages", "laboratory.html"),
        ("two sums that are zero", "Exercises", "lesson.html#exercise-sums-to-zero"),
    ],
)
def test_a_query_leads_to_the_place_itself(
    opened: Search, query: str, kind: str, first: str | tuple[str, ...]
) -> None:
    opened.ask(query)
    assert opened.leads(opened.group(kind).get_by_role("link"))[0].startswith(first)
    assert opened.leads(opened.links)[0].startswith(first), "its kind stands first"


@pytest.mark.parametrize("query", ["layer_norm", "norm_forward", "forward", "layer norm forward"])
def test_a_part_of_a_name_finds_it(opened: Search, query: str) -> None:
    opened.ask(query)
    hrefs = opened.leads(opened.group("Functions").locator("a"))  # those not shown yet, too
    assert "layer-norm.html#fn-layer_norm_forward" in hrefs


def test_code_leads_to_its_line(opened: Search, address: str) -> None:
    opened.ask("mu = X.sum")
    (href,) = opened.leads(opened.links)
    assert href.startswith("source/ops.html#L")
    page = opened.page.context.new_page()
    page.goto(address + href)
    line = page.locator(f"#{href.partition('#')[2]}")
    expect(line).to_contain_text("mu = X.sum(axis=-1, keepdims=True) / d")
    page.close()
    expect(opened.links.locator("mark").first).to_have_text("mu")
    expect(opened.group("Lines of source").locator(".search-about")).to_have_text(
        re.compile(r"^ops\.py:\d+, in layer_norm_forward$")
    )


def test_a_symbol_is_found_in_the_code_too(opened: Search) -> None:
    opened.ask("gamma")
    found = opened.group("Lines of source").locator("a")
    assert found.count() > 5
    assert set(opened.leads(opened.group("Symbols").locator("a"))) >= {
        "layer-norm.html#sym-gamma",
        "lesson.html#sym-gamma",
        "layer-norm.html#sym-dgamma",
    }


def test_every_result_leads_to_something(opened: Search, address: str) -> None:
    hrefs: set[str] = set()
    for query in ("forward", "mean", "row", "loss", "the", "a", "x"):
        opened.ask(query)
        hrefs.update(opened.leads(opened.dialog.locator(".search-result a")))
    assert len(hrefs) > 200
    dead = opened.page.evaluate(
        """async ([top, hrefs]) => {
          const pages = {};
          const dead = [];
          for (const href of hrefs) {
            const [path, id] = href.split("#");
            pages[path] ??= new DOMParser().parseFromString(
              await (await fetch(top + path)).text(), "text/html");
            const [first, last = first] = id?.match(/^L\\d+|L\\d+$/g) ?? [id, id];
            const ids = [first, last].filter(Boolean);
            if (!ids.every((id) => pages[path].getElementById(id))) dead.push(href);
          }
          return dead;
        }""",
        [address, sorted(hrefs)],
    )
    assert dead == []


def test_words_that_were_found_are_marked_in_the_excerpt(opened: Search) -> None:
    opened.ask("optimiser")
    about = opened.dialog.locator(".search-about", has_text="The optimiser moves gamma")
    assert about.locator("mark").all_text_contents() == ["optimiser"]
    opened.ask("optimisers normalises")  # other forms of words that are there
    marks = opened.dialog.locator(".search-about mark").all_text_contents()
    assert marks
    assert all(re.match("optimis|normalis", mark, re.IGNORECASE) for mark in marks), marks


def test_an_equation_is_shown_typeset(opened: Search) -> None:
    opened.ask("Biased variance of one row")
    maths = opened.group("Equations").locator("li").first.locator("math")
    box = maths.bounding_box()
    assert box
    assert box["width"] > 60
    assert "annotation" not in maths.inner_html()


def test_the_rest_of_a_kind_is_shown_when_asked_for(opened: Search) -> None:
    opened.ask("forward")
    group = opened.group("Functions")
    links = group.get_by_role("link")
    expect(links).to_have_count(5)
    group.get_by_role("button", name=re.compile("Show [0-9]+ more")).click()
    expect(links.nth(5)).to_be_focused()
    assert links.count() > 6
    assert group.locator(".search-count").inner_text() == str(links.count())


def test_what_is_not_there(opened: Search) -> None:
    for query in ("zebra", "gamma zebra", "qqq", "norm_backwards_and_forwards"):
        opened.ask(query)
        expect(opened.status).to_have_text(f"No results for “{query}”")
        expect(opened.links).to_have_count(0)
    opened.field.fill("")
    expect(opened.status).to_have_text("")


@pytest.mark.parametrize("query", ["(", "[a-z", "\\", "a.*", "<b>x</b>", "a-b /", "'", "=", "^$"])
def test_signs_are_just_text(opened: Search, query: str) -> None:
    errors: list[str] = []
    opened.page.on("pageerror", lambda error: errors.append(str(error)))
    opened.ask(query)
    assert errors == []
    expect(opened.dialog.locator("b")).to_have_count(0)


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


def test_enter_goes_to_the_first_result(page: Page, address: str) -> None:
    page.goto(f"{address}index.html")
    page.keyboard.press("/")
    page.keyboard.type("ln-variance")
    page.keyboard.press("Enter")  # before anything was found
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
        page.wait_for_function(
            """async (urls) =>
              (await Promise.all(urls.map((url) => caches.match(url)))).every(Boolean)""",
            arg=files,
        )
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
        page.reload()
        page.evaluate(UPDATE)
        page.reload()
        page.wait_for_timeout(SETTLED_MS)
        page.wait_for_function("caches.keys().then((names) => names.length === 1)")
    page.reload()
    search.open()
    search.ask("Biased variance")
    assert search.leads(search.links)[0] == "layer-norm.html#eq-ln-variance"
    page.context.close()


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("width", [1440, 375])
def test_axe_finds_nothing(browser: Browser, address: str, theme: str, width: int) -> None:
    page = browser.new_context(
        color_scheme="dark" if theme == "dark" else "light",
        viewport={"width": width, "height": 800},
    ).new_page()
    page.goto(f"{address}index.html")
    search = Search(page)
    search.open()
    assert violations(page, ".search") == []
    search.ask("variance")
    assert violations(page, ".search") == []
    page.context.close()


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
