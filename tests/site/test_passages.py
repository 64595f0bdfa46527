"""A page goes from heading to heading: each passage begins with one."""

import pytest

from tests.site.html import Element

pytestmark = pytest.mark.site

HEADINGS = ("h2", "h3")


def blocks(passage: Element) -> list[Element]:
    return [child for child in passage.children if isinstance(child, Element)]


@pytest.mark.parametrize("path", ["layer-norm.html", "lesson.html", "laboratory.html"])
def test_each_heading_begins_a_passage(pages: dict[str, Element], path: str) -> None:
    main = pages[path].one("main")
    passages = main.all("section", "passage")
    begins = [blocks(passage)[0] for passage in passages]
    assert [first.get("id") for first in begins if first.tag in HEADINGS] == [
        heading.get("id") for heading in main if heading.tag in HEADINGS
    ]
    assert all(first.tag in HEADINGS for first in begins[1:])


def test_without_a_browser_no_height_was_measured(page: Element) -> None:
    assert not [passage for passage in page.all("section", "passage") if passage.get("style")]
