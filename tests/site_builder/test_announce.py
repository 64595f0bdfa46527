"""Titles, canonical addresses, sitemap, robots, llms.txt and the feed, in a site with a past."""

import re
import shutil
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from tests.site.html import parse
from tests.site_builder.projects import OPS, PAGE, SETTINGS, Project
from tests.site_builder.read.test_history import commit
from tests.site_builder.read.test_revision import git

pytestmark = pytest.mark.slow

ADDRESS = "https://me.example/tiny"
SITEMAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
ATOM = "{http://www.w3.org/2005/Atom}"
XHTML = "{http://www.w3.org/1999/xhtml}"
PLACED, WRITTEN = "2020-01-01T10:00:00+00:00", "2021-02-02T10:00:00+00:00"
CODED, ASIDE = "2022-03-03T10:00:00+00:00", "2023-04-04T10:00:00+00:00"


def give_a_past(project: Project) -> None:
    """Four commits: all files, then the page, then code that it shows, then something else."""
    project.write(".gitignore", "dist/\n.cache/\n")
    git(project.root, "init", "--quiet")
    page, code = project.read(PAGE), project.read(OPS)
    commit(project.root, PAGE, "Begin", PLACED)
    commit(project.root, PAGE, "Explain <it> & more", WRITTEN)
    project.write(PAGE, page)
    commit(project.root, OPS, "Break it", "2021-06-06T10:00:00+00:00")
    project.write(OPS, code)
    commit(project.root, "ignored.txt", "Change the code", CODED)
    commit(project.root, "ignored.txt", "An aside", ASIDE)


@pytest.fixture
def placed(tiny: Project) -> Project:
    """The tiny project with an address and a past, built."""
    settings = tiny.read(SETTINGS)
    tiny.write(SETTINGS, f'url = "{ADDRESS}/"\n{settings}')
    give_a_past(tiny)
    assert tiny.build().code == 0
    return tiny


def xml(project: Project, name: str) -> ET.Element:
    return ET.fromstring(project.read(f"dist/{name}"))  # noqa: S314 - the build just wrote it


def head(project: Project, page: str) -> dict[str, str]:
    elements = parse(project.page(page))
    metas = {m.get("property") or m.get("name"): m.get("content") for m in elements.all("meta")}
    links = {link.get("rel"): link.get("href") for link in elements.all("link")}
    return {**metas, **links}


def test_a_page_says_what_and_where_it_is(placed: Project) -> None:
    page = head(placed, "small.html")
    assert page["canonical"] == page["og:url"] == f"{ADDRESS}/small.html"
    assert page["og:type"] == "article"
    assert page["og:title"] == parse(placed.page()).one("h1").words
    assert page["og:description"] == page["description"] != ""
    assert head(placed, "index.html")["canonical"] == f"{ADDRESS}/"
    assert head(placed, "source/ops.html")["canonical"] == f"{ADDRESS}/source/ops.html"
    missing = head(placed, "404.html")
    assert missing["robots"] == "noindex"
    assert "canonical" not in missing


def test_the_sitemap_has_every_page_once_with_the_date_of_its_last_change(placed: Project) -> None:
    entries = {
        entry.findtext(f"{SITEMAP}loc"): entry.findtext(f"{SITEMAP}lastmod")
        for entry in xml(placed, "sitemap.xml")
    }
    dist = placed.root / "dist"
    pages = {file.relative_to(dist).as_posix() for file in dist.rglob("*.html")} - {"404.html"}
    assert set(entries) == {f"{ADDRESS}/{p.replace('index.html', '')}" for p in pages}
    assert len(xml(placed, "sitemap.xml")) == len(pages)
    assert entries[f"{ADDRESS}/small.html"] == CODED
    assert entries[f"{ADDRESS}/source/ops.html"] == CODED
    assert entries[f"{ADDRESS}/source/config.html"] == PLACED
    assert entries[f"{ADDRESS}/"] is None


def test_robots_name_the_sitemap(placed: Project) -> None:
    robots = placed.read("dist/robots.txt")
    assert robots == f"User-agent: *\nAllow: /\n\nSitemap: {ADDRESS}/sitemap.xml\n"


def test_the_feed_has_what_changed_pages_and_nothing_else(placed: Project) -> None:
    feed = xml(placed, "feed.xml")
    entries = feed.findall(f"{ATOM}entry")
    titles = [entry.findtext(f"{ATOM}title") for entry in entries]
    assert titles == ["Change the code", "Break it", "Explain <it> & more", "Begin"]
    assert entries[0].findtext(f"{ATOM}updated") == feed.findtext(f"{ATOM}updated") == CODED
    ids = [element.text or "" for element in feed.iter(f"{ATOM}id")]
    assert len(set(ids)) == len(ids)
    assert all(re.fullmatch(r"urn:uuid:[0-9a-f-]{36}", id_) for id_ in ids)
    assert {a.get("href") for a in feed.iter(f"{XHTML}a")} == {f"{ADDRESS}/small.html"}
    for page in ("small.html", "source/ops.html"):
        (link,) = [
            link.get("href")
            for link in parse(placed.page(page)).all("link")
            if link.get("type") == "application/atom+xml"
        ]
        assert (placed.root / "dist" / Path(page).parent / link).resolve().name == "feed.xml"


def test_without_an_address_links_are_relative_and_there_is_no_sitemap(tiny: Project) -> None:
    give_a_past(tiny)
    assert tiny.build().code == 0
    assert not (tiny.root / "dist/sitemap.xml").exists()
    assert "Sitemap" not in tiny.read("dist/robots.txt")
    assert "canonical" not in head(tiny, "small.html")
    feed = xml(tiny, "feed.xml")
    assert {a.get("href") for a in feed.iter(f"{XHTML}a")} == {"small.html"}
    assert {e.get("href") for e in feed.iter(f"{ATOM}link")} == {
        "feed.xml", "index.html", "small.html",
    }  # fmt: skip


def test_without_a_past_there_are_neither_dates_nor_a_feed(placed: Project) -> None:
    shutil.rmtree(placed.root / ".git")
    assert placed.build("--force").code == 0
    assert "lastmod" not in placed.read("dist/sitemap.xml")
    assert not (placed.root / "dist/feed.xml").exists()
    assert "feed.xml" not in placed.page()


def test_llms_txt_links_every_page(placed: Project) -> None:
    text = placed.read("dist/llms.txt")
    assert text.startswith("# Tiny\n\n> A tiny site.\n\n## Pages\n\n- [")
    paths = re.findall(rf"\]\({re.escape(ADDRESS)}/([^)]*)\)", text)
    assert "small.html" in paths
    assert all((placed.root / "dist" / path).is_file() for path in paths)


def test_the_source_of_a_page_is_beside_it_and_linked(placed: Project) -> None:
    assert placed.read("dist/small.md") == placed.read(PAGE)
    page = parse(placed.page())
    links = {a.words: a.get("href") for a in page.one("section", "take").all("a")}
    assert links["Markdown"] == "small.md"
    kinds = {link.get("type"): link.get("href") for link in page.all("link")}
    assert kinds["text/markdown"] == "small.md"
    assert f"]({ADDRESS}/small.md)" in placed.read("dist/llms.txt")


def test_the_notebook_and_the_table_for_programs_are_linked(placed: Project) -> None:
    page = parse(placed.page())
    links = {a.words: a.get("href") for a in page.one("section", "take").all("a")}
    assert links["Notebook"] == "small.ipynb"
    assert links["explain.json"] == "explain.json"
    kinds = {link.get("type"): link.get("href") for link in page.all("link")}
    assert kinds["application/x-ipynb+json"] == "small.ipynb"
    for name in ("small.ipynb", "explain.json", "objects.inv"):
        assert f"]({ADDRESS}/{name})" in placed.read("dist/llms.txt")
