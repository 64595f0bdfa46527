"""Links that readers made to the site last: ids and pages stay, or say what stands for them."""

import re

import pytest

from tests.site.html import Element, parse
from tests.site_builder.projects import PAGE, SETTINGS, Project

pytestmark = pytest.mark.slow

IDS = "content/ids.txt"
GONE = "is no longer on the page 'small'"


@pytest.fixture
def listed(tiny: Project) -> Project:
    """The tiny project, with the ids that it has listed as published."""
    assert tiny.build("ids").code == 0
    return tiny


EXPECTED = """\
freshness
freshness#claims
freshness#equations
freshness#symbols
freshness#tests
index
index#model
index#pages
index#source
small
small#eq-mean
small#ex-row
small#fn-centre
small#sym-mu
small#what
source/config
source/lessons/__init__
source/lessons/small
source/ops
source/tests/tiny/test_ops
""".splitlines()


def links(page: Element) -> list[str]:
    return [link.get("href") for link in page.all("a")]


def test_what_the_site_links_to_is_published_but_no_line_of_code(listed: Project) -> None:
    assert set(listed.read(IDS).splitlines()) >= set(EXPECTED)
    assert listed.read(IDS).splitlines() == sorted(listed.read(IDS).splitlines())
    assert not [entry for entry in listed.read(IDS).splitlines() if "L5" in entry]


def test_the_list_only_grows(listed: Project) -> None:
    listed.replace(PAGE, "(what)=", "(which)=")
    listed.append(PAGE, "\n:::{alias} what\n:for: which\n:::\n")
    assert listed.build("ids").output == f"1 new in {IDS}\n"
    assert {"small#what", "small#which"} <= set(listed.read(IDS).splitlines())
    assert listed.build("ids").output == f"0 new in {IDS}\n"


def test_a_renamed_id_fails_the_build_and_both_are_named(listed: Project) -> None:
    listed.replace(PAGE, ":::{equation} mean", ":::{equation} average")
    listed.replace(PAGE, "#eq-mean", "#eq-average")
    line = listed.line(IDS, "small#eq-mean")
    assert listed.problem() == (
        f"{IDS}:{line}: the id 'eq-mean' was published and {GONE}; restore it, or put"
        " ':::{alias} eq-mean' there, for its replacement (new there: eq-average)"
    )
    assert listed.build("ids").code == 1, "nothing is listed while something is missing"


def test_an_alias_keeps_the_old_id_and_leads_to_the_new_one(listed: Project) -> None:
    listed.replace(PAGE, ":::{equation} mean", ":::{equation} average")
    listed.replace(PAGE, "#eq-mean", "#eq-average")
    listed.append(PAGE, "\n:::{alias} eq-mean\n:for: eq-average\n:::\n")
    outcome = listed.build()
    assert outcome.code == 0, outcome.errors
    assert links(parse(listed.page()).by_id("eq-mean")) == ["#eq-average"]


def test_an_alias_may_lead_to_another_page(listed: Project) -> None:
    text = "---\ntitle: More\nsummary: Another page.\n---\n\n(more)=\n## More\n"
    listed.write("content/more.md", text)
    listed.append(PAGE, "\n:::{alias} old\n:for: more.md#more\n:::\n")
    outcome = listed.build()
    assert outcome.code == 0, outcome.errors
    assert links(parse(listed.page()).by_id("old")) == ["more.html#more"]


@pytest.mark.parametrize("name", ["eq-median", "small.md#eq-median", "missing.md#eq-mean"])
def test_an_alias_for_nothing_is_a_problem(tiny: Project, name: str) -> None:
    line = tiny.append(PAGE, f"\n:::{{alias}} old\n:for: {name}\n:::\n") + 1
    problem = tiny.problem()
    assert problem.startswith(f"{PAGE}:{line}: ")
    assert "has no target" in problem


def test_an_alias_cannot_take_an_id_that_is_in_use(tiny: Project) -> None:
    tiny.append(PAGE, "\n:::{alias} eq-mean\n:for: what\n:::\n")
    assert "the id 'eq-mean' is taken by" in tiny.problem()


def test_a_page_that_is_gone_is_one_problem(listed: Project) -> None:
    listed.write("content/little.md", listed.read(PAGE))
    (listed.root / PAGE).unlink()
    line = listed.read(IDS).splitlines().index("small") + 1
    assert listed.problem() == (
        f"{IDS}:{line}: the page 'small' was published and no longer exists;"
        " name the page that replaces it under [moved] in content/site.toml"
    )


def move(project: Project, old: str, new: str) -> None:
    project.append(SETTINGS, f'\n[moved]\n"{old}" = "{new}"\n')


def test_a_page_that_moved_leads_to_the_new_one(listed: Project) -> None:
    listed.write("content/little.md", listed.read(PAGE))
    (listed.root / PAGE).unlink()
    move(listed, "small", "little")
    listed.replace(SETTINGS, 'title = "Tiny"\n', 'title = "Tiny"\nurl = "https://me.example.org"\n')
    outcome = listed.build()
    assert outcome.code == 0, outcome.errors
    page = parse(listed.page("small.html"))
    assert "little.html" in links(page.one("main"))
    (refresh,) = [meta for meta in page.all("meta") if meta.get("http-equiv") == "refresh"]
    assert refresh.get("content") == "0; url=little.html"
    (canonical,) = [link for link in page.all("link") if link.get("rel") == "canonical"]
    assert canonical.get("href") == "https://me.example.org/little.html"
    assert "org/small.html" not in listed.page("sitemap.xml")


def test_a_page_that_moved_has_its_ids_at_the_new_place(listed: Project) -> None:
    listed.write("content/little.md", listed.read(PAGE).replace("(what)=", "(which)="))
    (listed.root / PAGE).unlink()
    move(listed, "small", "little")
    line = listed.line(IDS, "small#what")
    assert listed.problem().startswith(
        f"{IDS}:{line}: the id 'what' was published and is no longer on the page 'little'; "
    )


def test_a_file_of_code_may_move(listed: Project) -> None:
    listed.write("src/tiny/functions.py", listed.read("src/tiny/ops.py"))
    (listed.root / "src/tiny/ops.py").unlink()
    for path in (PAGE, "src/lessons/small.py", "tests/tiny/test_ops.py"):
        text = listed.read(path).replace("tiny.ops", "tiny.functions")
        listed.write(path, re.sub(r"(?<!test_)ops\.", "functions.", text))
    assert "the page 'source/ops' was published and no longer exists" in listed.problem()
    move(listed, "source/ops", "source/functions")
    outcome = listed.build()
    assert outcome.code == 0, outcome.errors
    assert "../source/functions.html" in links(parse(listed.page("source/ops.html")).one("main"))


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("small", "index", "says that 'small' was a page, which is impossible"),
        ("../small", "index", "says that '../small' was a page, which is impossible"),
        ("little", "large", "leads from 'little' to 'large', which is not a page"),
    ],
)
def test_a_move_that_cannot_be(tiny: Project, old: str, new: str, what: str) -> None:
    move(tiny, old, new)
    assert what in tiny.problem()


def test_a_line_of_the_list_that_means_nothing(listed: Project) -> None:
    line = listed.append(IDS, "small#what else\n")
    assert listed.problem() == (
        f"{IDS}:{line}: 'small#what else' is neither a page nor an id on one; write page#id,"
        " or run 'make ids'"
    )


@pytest.mark.parametrize("range_", ["ops-L4-L8", "ops-L5-L6"])
def test_authors_may_link_to_lines_that_are_listed(tiny: Project, range_: str) -> None:
    tiny.append(PAGE, f"\nSee [these lines](#{range_}).\n")
    outcome = tiny.build()
    assert outcome.code == 0, outcome.errors
    line = parse(tiny.page()).by_id(range_.rpartition("-")[0])
    assert line.get("class") == "line"
    assert line.by_id(range_), "without JavaScript the link leads to the first line"


@pytest.mark.parametrize("range_", ["ops-L4-L99", "ops-L8-L4", "ops-L5-L5", "config-L1-L2"])
def test_lines_that_are_not_listed_cannot_be_linked(tiny: Project, range_: str) -> None:
    line = tiny.append(PAGE, f"\nSee [these lines](#{range_}).\n") + 1
    assert tiny.problem().startswith(f"{PAGE}:{line}: the link to '#{range_}' has no target")


def test_a_link_of_the_build_to_several_lines_leads_to_the_first(tiny: Project) -> None:
    source = parse(tiny.page("source/ops.html"))
    assert "source/ops.html#L4-L8" in links(parse(tiny.page()))
    assert source.by_id("L4").by_id("L4-L8")
