"""A page goes from heading to heading: each passage begins with one."""

import pytest

from tests.site.html import Element

pytestmark = pytest.mark.site

HEADINGS = ("h2", "h3")


def blocks(passage: Element) -> list[Element]:
    return [child for child in passage.children if isinstance(child, Element)]


@pytest.mark.parametrize("path", ["layer-norm.html", "lesson.html", "laboratory.html"])
def test_each_heading_of_the_text_begins_a_passage(pages: dict[str, Element], path: str) -> None:
    passages = [blocks(passage) for passage in pages[path].one("main").all("section", "passage")]
    assert len(passages) > 5
    assert all(first.tag in HEADINGS for first, *_ in passages[1:])
    assert not [block for _, *rest in passages for block in rest if block.tag in HEADINGS]


def test_without_a_browser_no_height_was_measured(page: Element) -> None:
    assert not [passage for passage in page.all("section", "passage") if passage.get("style")]
