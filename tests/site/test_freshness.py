"""The freshness page lists all that was checked, and agrees with explain.json and the code."""

from typing import Any

import pytest

from site_builder.directives import DIRECTIVES
from site_builder.problem import Report
from site_builder.read.test_report import code_fingerprint, write_test_report
from site_builder.resolve.project import read_project
from tests.site.html import Element, parse
from tests.site_builder.projects import OPS, PAGE, Project

pytestmark = pytest.mark.slow

Table = dict[str, Any]
OUTCOMES = {
    "tests/tiny/test_ops.py::test_centre": True,
    "tests/tiny/test_ops.py::test_twice": True,
    "tests/tiny/test_ops.py::test_wrong": False,
}


@pytest.fixture(scope="session")
def freshness(pages: dict[str, Element]) -> Element:
    return pages["freshness.html"]


def facts(page: Element) -> dict[str, str]:
    return {row.one("dt").words: row.one("dd").words for row in page.one("dl").all("div")}


def rows(page: Element, caption: str) -> list[Element]:
    (table,) = [t for t in page.all("table") if t.one("caption").words == caption]
    return table.one("tbody").all("tr")


@pytest.mark.site
def test_equations(freshness: Element, explain: Table, pages: dict[str, Element]) -> None:
    told = {
        f"{page['url']}#{equation['id']}": equation["verdict"]
        for page in explain["pages"]
        for equation in page["equations"]
    }
    shown = rows(freshness, "Equations and their verdicts")
    assert [row.one("a").get("href") for row in shown] == [*told]
    for row, (href, verdict) in zip(shown, told.items(), strict=True):
        url, _, id_ = href.partition("#")
        figure = pages[url].by_id(id_)
        assert row.one("a").words in figure.one("figcaption").words
        assert [cell.words for cell in row.all("td")][:2] == ["holds", str(verdict["inputs"])]
        assert f"runs: {verdict['inputs']} inputs" in figure.one("summary").words
    executed = [verdict for verdict in told.values() if verdict["executed"]]
    assert len(executed) >= 16
    assert facts(freshness)["equations executed"] == str(len(executed))
    assert facts(freshness)["not executed"] == str(len(told) - len(executed))


@pytest.mark.site
def test_claims(freshness: Element, explain: Table, pages: dict[str, Element]) -> None:
    shown = rows(freshness, "Claims that hold")
    assert len(shown) == len(explain["claims"]) >= 10
    assert facts(freshness)["claims held"] == str(len(shown))
    for row, claim in zip(shown, explain["claims"], strict=True):
        _, condition, place = row.all("td")
        source = claim["source"]
        assert condition.words == " ".join(claim["condition"].split())
        assert place.words == f"{source['file']}:{source['line']}"
    marks = [
        mark.get("title")
        for url in dict.fromkeys(row.all("td")[2].one("a").get("href") for row in shown)
        for mark in pages[url].all("a", "checked")
    ]
    assert marks == [f"Checked by the build: {claim['condition']}" for claim in explain["claims"]]


@pytest.mark.site
def test_symbols(freshness: Element, explain: Table) -> None:
    told = {
        (symbol["latex"], symbol["shape"], symbol["url"])
        for page in explain["pages"]
        for symbol in page["symbols"]
        if symbol["url"]
    }
    shown = [
        (
            row.one("th").one("annotation").text.strip(),
            row.all("td")[1].words,
            row.all("td")[0].one("a").get("href"),
        )
        for row in rows(freshness, "Symbols observed")
    ]
    assert len(shown) == len(set(shown)) >= 16
    assert set(shown) == told
    assert facts(freshness)["symbols observed"] == str(len(shown))


def test_without_a_report_nothing_is_said_of_tests(built_tiny: Project) -> None:
    page = parse(built_tiny.page("freshness.html"))
    assert facts(page)["tests passed"] == "not run"
    assert "nothing is said of them" in page.words


def report_tests(project: Project, outcomes: dict[str, bool] = OUTCOMES) -> None:
    """As a run of the tests does."""
    codebase = read_project(project.root, DIRECTIVES, Report()).codebase
    write_test_report(project.root, code_fingerprint(codebase), outcomes)


def test_tests_that_ran_on_this_code_are_shown(tiny: Project) -> None:
    report_tests(tiny)
    assert tiny.build().code == 0
    page = parse(tiny.page("freshness.html"))
    assert facts(page)["tests passed"] == "2"
    assert "a run of exactly this code: 2 passed and 1 failed" in page.words
    shown = [item.words for item in page.one("details").all("li")]
    assert shown == [
        "failed: tests/tiny/test_ops.py::test_wrong",
        "passed: tests/tiny/test_ops.py::test_centre",
        "passed: tests/tiny/test_ops.py::test_twice",
    ]


@pytest.mark.parametrize(
    "path", [OPS, "src/lessons/small.py", "tests/tiny/test_ops.py", "src/tiny/config.py"]
)
def test_tests_that_ran_on_other_code_are_not_shown(tiny: Project, path: str) -> None:
    """Not even where a comment is all that changed; and they are again when it is changed back."""
    report_tests(tiny)
    before = tiny.read(path)
    tiny.write(path, before + "# the end\n")
    assert tiny.build().code == 0
    page = parse(tiny.page("freshness.html"))
    assert facts(page)["tests passed"] == "not run"
    assert "test_centre" not in page.one("main").words
    tiny.write(path, before)
    assert tiny.build().code == 0
    assert facts(parse(tiny.page("freshness.html")))["tests passed"] == "2"


def test_an_edit_of_a_page_leaves_the_tests_shown(tiny: Project) -> None:
    report_tests(tiny)
    tiny.replace(PAGE, "It is said", "It is now said")
    assert tiny.build().code == 0
    assert facts(parse(tiny.page("freshness.html")))["tests passed"] == "2"


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"code": 1}', "not JSON", "\ud800"])
def test_a_report_that_cannot_be_read_is_none(tiny: Project, text: str) -> None:
    report_tests(tiny)
    (tiny.root / ".cache/site/tests.json").write_bytes(text.encode("utf-8", "surrogatepass"))
    outcome = tiny.build()
    assert outcome.code == 0, outcome.errors
    assert facts(parse(tiny.page("freshness.html")))["tests passed"] == "not run"


def test_what_is_not_executed_gives_its_reason(built_tiny: Project) -> None:
    page = parse(built_tiny.page("freshness.html"))
    (row,) = rows(page, "Equations and their verdicts")
    assert row.one("td").words == "not executed: the row is left out"
    assert facts(page)["equations executed"] == "0"
    assert facts(page)["not executed"] == "1"
