"""Numbers of sections and equations."""

from pathlib import Path

from site_builder.problem import Report
from site_builder.read.numbers import number_pages
from site_builder.read.page import Page, read_page

FRONT = "---\ntitle: T\nsummary: S\n---\n"
EQUATION = ":::{{{kind}}} {id}\n:caption: C\n:computed-by: a.b\nx\n:::\n"


def read(folder: Path, name: str, text: str) -> Page:
    (folder / f"{name}.md").write_text(FRONT + text, "utf-8")
    report = Report()
    page = read_page(folder, f"{name}.md", report)
    report.raise_if_any()
    assert page
    return page


def equation(id_: str, kind: str = "equation") -> str:
    return EQUATION.format(kind=kind, id=id_)


def test_numbers_follow_the_order_of_pages_and_what_is_on_them(tmp_path: Path) -> None:
    first = read(tmp_path, "first", f"(a)=\n## A\n{equation('u')}(b)=\n### B\n(c)=\n## C\n")
    text = f"(a)=\n## A\n(b)=\n### B\n{equation('v')}(c)=\n### C\n(d)=\n#### D\n(e)=\n## E\n"
    second = read(tmp_path, "second", text + equation("w", "step"))
    assert number_pages([first, second]) == {
        ("first", "a"): "1.1", ("first", "b"): "1.1.1", ("first", "c"): "1.2",
        ("first", "eq-u"): "1.1",
        ("second", "a"): "2.1", ("second", "b"): "2.1.1", ("second", "c"): "2.1.2",
        ("second", "d"): "2.1.2.1", ("second", "e"): "2.2",
        ("second", "eq-v"): "2.1", ("second", "eq-w"): "2.2",
    }  # fmt: skip
    assert number_pages([second, first])["first", "c"] == "2.2"
