"""The search: what is found, and where it leads."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.search_page import Search

pytestmark = pytest.mark.browser


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
