"""explain.json agrees with the pages, and with the code."""

import textwrap
from typing import Any

import pytest

from tests.site.html import Element
from tests.site_builder.projects import Project

pytestmark = pytest.mark.site

Table = dict[str, Any]


@pytest.fixture(scope="session")
def entry(explain: Table) -> Table:
    """What it says of the page on LayerNorm."""
    (found,) = [entry for entry in explain["pages"] if entry["url"] == "layer-norm.html"]
    result: Table = found
    return result


def test_equations_are_those_of_the_page(entry: Table, page: Element) -> None:
    figures = [figure.get("id") for figure in page.all("figure", "equation")]
    assert [equation["id"] for equation in entry["equations"]] == figures
    assert len(figures) == 16
    for equation in entry["equations"]:
        annotations = page.by_id(equation["id"]).all("annotation")
        assert annotations[0].text.strip() == equation["latex"].strip()


def test_source_of_each_equation(entry: Table, built_site: Project) -> None:
    for equation in entry["equations"]:
        source = equation["source"]
        line = built_site.read(source["file"]).split("\n")[source["line"] - 1]
        assert line.endswith(equation["id"].removeprefix("eq-"))


def test_links_of_each_equation_are_those_of_the_tables(entry: Table, page: Element) -> None:
    shown = {
        (group.one("th").one("a").get("href").removeprefix("#"), link.get("href"))
        for table in page.all("table", "connections")
        for group in table.all("tbody")
        for cell in group.all("td")
        for link in cell.all("a")
    }
    told = {
        (equation["id"], link["url"])
        for equation in entry["equations"]
        for link in equation["links"]
    }
    assert shown == told
    roles = {link["role"] for equation in entry["equations"] for link in equation["links"]}
    assert roles == {"computes", "calls", "tests"}


def test_the_text_of_each_link_is_in_the_file(entry: Table, built_site: Project) -> None:
    for equation in entry["equations"]:
        for link in equation["links"]:
            lines = built_site.read(link["file"]).split("\n")[link["first"] - 1 : link["last"]]
            text = "\n".join(lines)
            assert link["text"] in text, link
            if link["role"] == "computes":
                assert link["text"] == text.strip()
            first, last = link["first"], link["last"]
            assert link["url"].endswith(f"#L{first}" if first == last else f"#L{first}-L{last}")


def test_symbols_are_those_of_the_page(entry: Table, page: Element) -> None:
    rows = [row for table in page.all("table", "symbols") for row in table.one("tbody").all("tr")]
    assert len(rows) == len(entry["symbols"])
    for row, symbol in zip(rows, entry["symbols"], strict=True):
        assert row.get("id") == (symbol["id"] or "")
        assert row.one("th").one("annotation").text.strip() == symbol["latex"]
        shape = " ".join(filter(None, [symbol["shape"], symbol["concrete"]]))
        assert row.all("td")[-1].words == shape
        links = [a.get("href") for a in row.all("a") if a.get("href").startswith("source/")]
        assert links[:1] == ([symbol["url"]] if symbol["url"] else [])


def test_functions(explain: Table, built_site: Project, page: Element) -> None:
    functions = {function["name"]: function for function in explain["functions"]}
    assert all(name.startswith("tinygpt.") for name in functions)
    for name, function in functions.items():
        line = built_site.read(function["file"]).split("\n")[function["first"] - 1].strip()
        assert line.startswith(("def ", "@")), name
    forward = functions["tinygpt.ops.layer_norm_forward"]
    assert forward["called_by"] == [
        "tinygpt.transformer.block_forward",
        "tinygpt.transformer.forward",
    ]
    backward = functions["tinygpt.ops.layer_norm_backward"]
    assert backward["called_by"] == [
        "tinygpt.transformer.block_backward",
        "tinygpt.transformer.loss_and_grads",
    ]
    cards = {card.one("*", "card-title").words: card for card in page.all("*", "usage")}
    for function in (forward, backward):
        assert "tests.tinygpt.test_ops.test_layer_norm_worked_example" in function["tested_by"]
        card = cards[function["name"].rpartition(".")[2]]
        shown = [term.words for term in card.all("dt")]
        callers = card.all("dd")[shown.index("Called by")].all("a")
        testers = card.all("dd")[shown.index("Tested by")].all("a")
        assert sorted(f"tinygpt.{a.words}" for a in callers) == function["called_by"]
        assert sorted(a.words for a in testers) == function["tested_by"]


def test_examples_and_the_model(explain: Table, entry: Table, page: Element) -> None:
    ids = [element.get("id") for element in page.all("live-example")]
    assert [example["id"] for example in entry["examples"]] == ids
    assert len(ids) == 4
    parameters = {p["name"]: p for p in explain["parameters"]}
    assert parameters["lnf_g"] == {
        "name": "lnf_g", "shape": [32], "starts": "ones", "decays": False,
    }  # fmt: skip
    assert parameters["head_w"]["decays"]
    assert parameters["b0.ln1_b"]["starts"] == "zeros"


def test_it_claims_no_commit_here(explain: Table) -> None:
    assert explain["commit"] is None
    assert explain["environment"].startswith("Python 3.")


def test_each_equation_has_the_code_that_computes_it(
    entry: Table, page: Element, built_site: Project
) -> None:
    """What is copied as NumPy: the lines of each place, without their common indentation."""
    for equation in entry["equations"]:
        lines = [
            built_site.read(link["file"]).split("\n")[link["first"] - 1]
            for link in equation["links"]
            if link["role"] == "computes"
        ]
        found = page.by_id(equation["id"]).get("data-code")
        assert [line.strip() for line in found.split("\n")] == [line.strip() for line in lines]
        assert textwrap.dedent(found) == found
        assert lines
    two = page.by_id("eq-ln-dx").get("data-code").split("\n")
    assert [len(line) - len(line.lstrip()) for line in two] == [0, 10]
