"""A page as a part of the document of all pages: ids and links."""

import pytest

from site_builder.render.print_links import as_part

SLUGS = {"one", "two"}


def part(body: str, site: str = "") -> str:
    return as_part(body, "one", SLUGS, site)


@pytest.mark.parametrize(("href", "expected"), [
    ("#eq-mean", "#one:eq-mean"),
    ("two.html#eq-mean", "#two:eq-mean"),
    ("two.html", "#two:"),
    ("https://elsewhere.example/a#b", "https://elsewhere.example/a#b"),
    ("mailto:a@b.example", "mailto:a@b.example"),
])  # fmt: skip
def test_links_that_lead_somewhere(href: str, expected: str) -> None:
    assert part(f'<a class="x" href="{href}">y</a>') == f'<a class="x" href="{expected}">y</a>'


def test_other_files_need_an_address() -> None:
    link = '<a href="source/ops.html#L4">ops.py:4</a>'
    assert part(link) == "<a>ops.py:4</a>"
    whole = '<a href="https://x.example/gpt/source/ops.html#L4">ops.py:4</a>'
    assert part(link, "https://x.example/gpt") == whole


def test_ids_of_two_pages_differ() -> None:
    body = '<p id="a"></p><table aria-labelledby="a b">'
    assert part(body) == '<p id="one:a"></p><table aria-labelledby="one:a one:b">'
    assert as_part(body, "two", SLUGS, "").startswith('<p id="two:a">')


def test_text_is_not_changed() -> None:
    body = '<p>say href=&quot;#a&quot; and id=&#34;a&#34;</p><p data-id="a">x</p>'
    assert part(body) == body


def test_scripts_and_what_replaces_them_are_left_out() -> None:
    body = (
        'a<script type="application/json">{"x": "<p id=\\"a\\">"}</script>b<noscript>c</noscript>d'
    )
    assert part(body) == "abd"


def test_numbers_of_headings_are_text() -> None:
    heading = '<h3 id="a" data-number="1.2">How <a href="#a">#</a></h3>'
    assert part(heading) == (
        '<h3 id="one:a"><span class="section-number">1.2</span> How <a href="#one:a">#</a></h3>'
    )
