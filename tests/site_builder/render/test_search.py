"""What can be found, and the index that Pagefind makes of it."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from site_builder.cache import Cache
from site_builder.problem import Report
from site_builder.render.node import Node
from site_builder.render.search_index import search_index
from site_builder.render.tools import Tools
from site_builder.resolve.search import SearchRecord
from tests.site_builder.projects import PAGE, Project, tree

RECORDS = [
    SearchRecord(kind="Page", title="Small", href="small.html", where="", text="A small page."),
    SearchRecord(
        kind="Equation", title="The mean", href="small.html#eq-mean", where="Small", words="mean"
    ),
]


def records(project: Project) -> list[dict[str, Any]]:
    found: dict[str, Any] = json.loads(project.read("dist/search/records.json"))
    assert set(found["files"]) == {
        path.removeprefix("dist/search/")
        for path in tree(project.root)
        if path.startswith("dist/search/") and not path.endswith("records.json")
    }
    return list(found["records"].values())


def of_kind(project: Project, kind: str) -> dict[str, dict[str, Any]]:
    """The records of a kind by their addresses."""
    return {record["href"]: record for record in records(project) if record["kind"] == kind}


def test_everything_with_an_address_has_a_record(built_tiny: Project) -> None:
    (page,) = of_kind(built_tiny, "Page").values()
    assert (page["title"], page["text"]) == ("Small", "A small page.")
    section = of_kind(built_tiny, "Section")["small.html#what"]
    assert section["title"] == "What it is"
    assert section["text"] == "The line ops.py:6 takes the mean. It is said in one equation."
    equation = of_kind(built_tiny, "Equation")["small.html#eq-mean"]
    assert equation["title"] == "The mean"
    assert equation["where"] == "Small: What it is"
    assert equation["words"].split()[0] == "mean"
    assert equation["maths"].startswith("<math")
    assert "annotation" not in equation["maths"]
    symbol = of_kind(built_tiny, "Symbol")["small.html#sym-mu"]
    assert symbol["text"] == "The mean"
    assert "\N{GREEK SMALL LETTER MU}" in symbol["words"]
    assert "small.html#ex-row" in of_kind(built_tiny, "Example")


def test_a_function_is_where_a_page_shows_it_or_else_in_its_file(built_tiny: Project) -> None:
    functions = of_kind(built_tiny, "Function")
    centre = functions["small.html#fn-centre"]
    assert centre["text"] == "Take the mean of each row away."
    assert centre["where"] == "ops.py:4-8"
    (twice,) = [href for href, function in functions.items() if function["title"] == "twice"]
    assert re.fullmatch(r"source/ops\.html#L11(-L\d+)?", twice)
    assert not [href for href in functions if "test" in href]


def test_each_line_of_source_is_in_one_record(built_tiny: Project) -> None:
    for name in ("ops", "config"):
        lines = built_tiny.read(f"src/tiny/{name}.py").removesuffix("\n").split("\n")
        seen: dict[int, str] = {}
        for record in records(built_tiny):
            if record["href"] == f"source/{name}.html":
                for number, line in enumerate(record["text"].split("\n"), record["first"]):
                    assert number not in seen
                    seen[number] = line
        assert {n: line for n, line in enumerate(lines, 1) if line} == {
            n: line for n, line in seen.items() if line
        }


def test_what_a_page_says_can_be_found_in_it(tiny: Project) -> None:
    tiny.append(
        PAGE, "\n(new)=\n## A *new* part\n\nIt has $\\mu$ and `code`.\n\n:::{note}\nAside.\n:::\n"
    )
    assert tiny.build().code == 0
    section = of_kind(tiny, "Section")["small.html#new"]
    assert section["title"] == "A new part"
    assert section["text"] == "It has \N{GREEK SMALL LETTER MU} and code. Aside."


def test_the_same_records_give_the_same_bytes(node: Node, tmp_path: Path) -> None:
    report = Report()
    first = search_index(RECORDS, Tools(node, Cache(tmp_path / "a")), report)
    assert first == search_index(RECORDS, Tools(node, Cache(tmp_path / "b")), report)
    assert {"search/pagefind.js", "search/pagefind-entry.json", "search/wasm.en.pagefind"} < {
        *first
    }
    assert not [path for path in first if "ui" in path or "fragment" in path]
    report.raise_if_any()


def test_node_is_asked_once(tools: Tools, monkeypatch: pytest.MonkeyPatch) -> None:
    report = Report()
    first = search_index(RECORDS, tools, report)
    with monkeypatch.context() as patch:
        patch.delattr(Node, "ask")
        assert search_index(RECORDS, tools, report) == first
    assert search_index(RECORDS[:1], tools, report) != first


def test_a_failure_is_a_problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAGEFIND_EXTENDED_BINARY_PATH", "/nowhere")
    monkeypatch.setenv("PAGEFIND_BINARY_PATH", "/nowhere")
    report = Report()
    with Node() as node:
        assert search_index(RECORDS, Tools(node, Cache(tmp_path)), report) == {}
    with pytest.raises(Exception, match="Pagefind cannot make the search index: "):
        report.raise_if_any()
    assert not list(tmp_path.iterdir())
