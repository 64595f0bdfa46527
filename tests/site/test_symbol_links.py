"""The symbols of the pages: marked in formulas, code and values, and nothing else is changed."""

import re
from pathlib import Path
from typing import Any

import pytest

from site_builder.cache import Cache
from site_builder.directives import DIRECTIVES
from site_builder.problem import Place, Report
from site_builder.render.maths import typeset
from site_builder.render.node import Node
from site_builder.render.tools import Tools
from site_builder.resolve.project import read_project
from site_builder.resolve.symbol_links import SymbolLinks
from site_builder.resolve.text_views import Maths
from tests.site.html import Element
from tests.site_builder.projects import REPOSITORY, Project

pytestmark = pytest.mark.site

_MARK = r"\htmlData{symbol="
_SPAN = re.compile(r"<span[^>]*>|</span>|<[^>]*>|[^<]+")


@pytest.fixture(scope="session")
def marked() -> dict[str, tuple[str, str]]:
    """The LaTeX of every equation of the site, by its id: as it is, and with its symbols marked."""
    project = read_project(REPOSITORY, DIRECTIVES, Report())
    links = {
        document.page.slug: SymbolLinks(document.symbols, [], project.codebase)
        for document in project.documents
    }
    return {
        equation.id: (equation.latex, links[equation.slug].linked(equation.latex))
        for equation in project.equations.values()
    }


def without_marks(latex: str) -> str:
    while _MARK in latex:
        before, _, rest = latex.partition(_MARK)
        rest = rest.partition("}{")[2]
        depth, end = 1, 0
        while depth:
            depth += {"{": 1, "}": -1}.get(rest[end], 0)
            end += 1
        latex = before + rest[: end - 1] + rest[end:]
    return latex


def without_elements(html: str) -> str:
    """HTML without the elements that marks became."""
    kept, is_mark = [], []
    for piece in _SPAN.findall(html):
        if piece.startswith("<span"):
            is_mark.append('class="enclosing' in piece)
            kept += [] if is_mark[-1] else [piece]
        elif piece != "</span>" or not is_mark.pop():
            kept.append(piece)
    return "".join(kept)


def test_every_equation_is_marked_and_keeps_its_latex(marked: dict[str, tuple[str, str]]) -> None:
    for id_, (latex, with_marks) in marked.items():
        assert _MARK in with_marks, id_
        assert without_marks(with_marks) == latex, id_


def test_marks_change_nothing_that_is_typeset(
    marked: dict[str, tuple[str, str]], tmp_path: Path
) -> None:
    place = Place(path="", line=0)
    plain = [Maths(latex=latex, display=True, linked=latex) for latex, _ in marked.values()]
    linked = [Maths(latex=latex, display=True, linked=marks) for latex, marks in marked.values()]
    report = Report()
    with Node() as node:
        tools = Tools(node, Cache(tmp_path))
        html = typeset(dict.fromkeys([*plain, *linked], place), tools, report)
    report.raise_if_any()
    for one, other in zip(plain, linked, strict=True):
        assert html[one].html != html[other].html
        assert html[one].html == without_elements(html[other].html)
        assert html[one].mathml == html[other].mathml


def symbols(element: Element) -> list[str]:
    return [one.get("data-symbol") for one in element if one.get("data-symbol")]


@pytest.mark.parametrize(
    ("equation", "expected"),
    [
        ("eq-ln-variance", ["var", "d", "X", "mu"]),
        ("eq-ln-output", ["Y", "gamma", "Xhat", "beta"]),
        ("eq-ln-dxhat", ["dXhat", "dY", "gamma"]),
    ],
)
def test_the_longest_symbol_is_marked(page: Element, equation: str, expected: list[str]) -> None:
    assert symbols(page.by_id(equation)) == expected


def test_every_mark_of_a_page_has_a_row(pages: dict[str, Element], explain: dict[str, Any]) -> None:
    for path in [facts["url"] for facts in explain["pages"]]:
        page = pages[path]
        rows = {row.get("data-symbol") for row in page.all("tr") if row.get("data-symbol")}
        assert set(symbols(page)) <= rows, path


def test_names_in_listings_are_those_of_their_symbols(
    pages: dict[str, Element], explain: dict[str, Any]
) -> None:
    for facts in explain["pages"]:
        page = pages[facts["url"]]
        code: dict[str, set[str]] = {}
        for row in page.all("tr"):
            if row.get("data-symbol"):
                names = {one.text for one in row.all("td")[1].all("code")}
                code.setdefault(row.get("data-symbol"), set()).update(names)
        for line in page.all("span", "line"):
            for name in [one for one in line if one is not line and one.get("data-symbol")]:
                assert name.text in code[name.get("data-symbol")]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("var = ((X - mu)", ["var", "X", "mu", "d"]),
        ("return gamma * Xhat + beta", ["Y", "gamma", "Xhat", "beta", "Xhat", "s"]),
        ("X: Array, gamma: Array, beta: Array, epsilon", ["X", "gamma", "beta", "epsilon"]),
        ("Xhat, s = cache", ["Xhat", "s"]),
    ],
)
def test_a_line_has_the_symbols_that_it_names(
    page: Element, line: str, expected: list[str]
) -> None:
    (found,) = [one for one in page.all("span", "line") if line in one.text]
    assert symbols(found) == expected


def test_lines_and_equations_belong_together(
    pages: dict[str, Element], explain: dict[str, Any]
) -> None:
    for facts in explain["pages"]:
        lines = {  # those that the page quotes; a stub has none of its own
            f"{link.one('a').get('href').partition('#')[0]}#L{number.text}": line
            for listing in pages[facts["url"]].all("figure", "listing")
            for link in listing.all("span", "code-link")
            for line in listing.all("span", "line")
            for number in line.all("a", "number")
        }
        linked = {
            (id_, href)
            for href, line in lines.items()
            for id_ in line.get("data-equations").split()
        }
        computing = {
            (equation["id"], link["url"].partition("-")[0])
            for equation in facts["equations"]
            for link in equation["links"]
            if link["role"] == "computes"
        }
        assert linked == {pair for pair in computing if pair[1] in lines}


def test_values_and_inputs_are_those_of_symbols(page: Element) -> None:
    example = page.by_id("ex-ln-forward")
    inputs = {b.get("data-input"): b.get("data-symbol") for b in example.all("tbody")}
    assert inputs.items() >= {"X": "X", "gamma": "gamma", "beta": "beta"}.items()
    rows = example.one("table", "results").one("tbody").all("tr")
    assert {row.one("th").words: symbols(row) for row in rows} == {
        "Mean": ["mu"],
        "Variance": ["var"],
        "Inverse standard deviation": ["s"],
        "Normalised row": ["Xhat"],
        "Output": ["Y"],
    }


def test_the_latex_that_is_copied_has_no_marks(built_site: Project) -> None:
    for path in ("layer-norm.html", "lesson.html", "explain.json"):
        assert "htmlData" not in built_site.read(f"dist/{path}")


def test_marks_cannot_be_written_by_hand(site: Project) -> None:
    site.append("content/layer-norm.md", "\n$\\htmlData{symbol=mu}{X}$\n")
    (problem,) = site.problems()
    assert "this LaTeX cannot be typeset" in problem


def test_an_argument_without_braces_is_reported(site: Project) -> None:
    site.append("content/layer-norm.md", "\n$\\sqrt d$\n")
    (problem,) = site.problems()
    assert "cannot be typeset: a symbol in it is an argument without braces" in problem


def test_an_id_that_cannot_be_one_is_reported(site: Project) -> None:
    site.replace("content/layer-norm.md", "\nmu | \\mu |", "\nm,u | \\mu |")
    assert any("'m,u' is not a valid id for a symbol" in problem for problem in site.problems())


def test_a_row_marks_its_symbol_once(page: Element) -> None:
    row = page.by_id("sym-mu")
    assert symbols(row.one("th")) == []
