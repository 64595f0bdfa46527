"""Everything that links may name has a visible anchor, and is listed as published."""

import re
from posixpath import dirname, join, normpath
from urllib.parse import urlsplit

import pytest

from tests.site.html import Element
from tests.site_builder.projects import REPOSITORY

pytestmark = pytest.mark.site

LIST = (REPOSITORY / "content/ids.txt").read_text("utf-8").splitlines()
LINES = re.compile(r"(?:.+-)?L\d+(?:-L\d+)?")
TAGS = ("h2", "h3", "live-example", "code-cell", "code-exercise")
PREFIXES = ("eq-", "sym-", "fn-", "fig-", "trace-")


def test_every_id_that_a_page_links_to_is_listed(pages: dict[str, Element]) -> None:
    ids = {path: {e.get("id") for e in page if e.get("id")} for path, page in pages.items()}
    linked = set()
    for path, page in pages.items():
        for link in page.all("a"):
            address = urlsplit(link.get("href"))
            target = normpath(join(dirname(path), address.path)) if address.path else path
            is_lasting = address.fragment != "content" and not LINES.fullmatch(address.fragment)
            if not address.netloc and is_lasting and address.fragment in ids.get(target, ()):
                linked.add(f"{target.removesuffix('.html')}#{address.fragment}")
    names = {path.removesuffix(".html") for path in pages} - {"404"}
    assert sorted((linked | names) - set(LIST)) == [], "run 'make ids', and commit content/ids.txt"
    assert len(linked) > 100


def test_what_is_listed_is_there(pages: dict[str, Element]) -> None:
    ids = {f"{path.removesuffix('.html')}#{e.get('id')}" for path, page in pages.items()
           for e in page if e.get("id")}  # fmt: skip
    names = {path.removesuffix(".html") for path in pages}
    assert sorted(set(LIST) - ids - names) == []


def test_the_list_is_sorted_and_says_nothing_twice() -> None:
    assert sorted(set(LIST)) == LIST, "run 'make ids'; it sorts"


def is_linkable(path: str, element: Element) -> bool:
    id_ = element.get("id")
    if not id_ or id_.endswith("-title"):
        return False
    if path.startswith("source/"):  # names of lines, which have their numbers as links
        return element.tag in TAGS
    return element.tag in TAGS or id_.startswith(PREFIXES)


def test_what_can_be_linked_has_an_anchor_with_a_name(pages: dict[str, Element]) -> None:
    found = 0
    for path, page in pages.items():
        anchors = page.all("a", "anchor")
        linked = {anchor.get("href").removeprefix("#") for anchor in anchors}
        linkable = {element.get("id") for element in page if is_linkable(path, element)}
        assert linkable <= linked, (path, linkable - linked)
        names = [anchor.get("aria-label") for anchor in anchors]
        assert all(name.startswith("Link to ") for name in names), path
        found += len(linkable)
    assert found > 100


def test_each_line_of_a_listing_is_a_link_to_itself(page: Element) -> None:
    lines = [line for line in page.all("span", "line") if line.get("id")]
    assert len(lines) > 20
    for line in lines:
        assert line.one("a", "number").get("href") == f"#{line.get('id')}"
