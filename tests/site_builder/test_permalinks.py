"""Links to the repository: only for a tree that is exactly a commit."""

import json
import re

import pytest

from tests.site.html import parse
from tests.site_builder.projects import OPS, PAGE, Project, tree
from tests.site_builder.read.test_revision import git

pytestmark = pytest.mark.slow


@pytest.fixture
def committed(tiny: Project, monkeypatch: pytest.MonkeyPatch) -> tuple[Project, str]:
    """The tiny project in a repository of its own, and its commit."""
    monkeypatch.setenv("GITHUB_REPOSITORY", "me/tiny")
    tiny.write(".gitignore", "dist/\n.cache/\n")
    git(tiny.root, "init", "--quiet")
    git(tiny.root, "add", ".")
    git(tiny.root, "commit", "--quiet", "-m", "One")
    return tiny, git(tiny.root, "rev-parse", "HEAD")


def test_every_link_to_code_has_its_permalink(committed: tuple[Project, str]) -> None:
    project, commit = committed
    assert project.build().code == 0
    base = f"https://github.com/me/tiny/blob/{commit}/"
    page = parse(project.page())
    permalinks = [a.get("href") for a in page.all("a", "permalink")]
    assert f"{base}{OPS}#L6" in permalinks
    assert f"{base}{OPS}#L4-L8" in permalinks
    assert all(href.startswith(base) for href in permalinks)
    table = json.loads(project.read("dist/explain.json"))
    assert table["commit"] == commit
    for link in table["pages"][0]["equations"][0]["links"]:
        lines = f"L{link['first']}" + (f"-L{link['last']}" if link["last"] != link["first"] else "")
        assert link["permalink"] == f"{base}{link['file']}#{lines}"
    assert f"https://github.com/me/tiny/commit/{commit}" in project.page()


def test_nothing_but_links_to_the_repository_leaves_the_site(
    committed: tuple[Project, str],
) -> None:
    project, _ = committed
    assert project.build().code == 0
    for path, data in tree(project.root / "dist").items():
        if path.endswith(".html"):
            for element in parse(data.decode()):
                for name in ("src", "srcset", "poster", "data-runtime"):
                    assert "//" not in element.get(name), path
                href = element.get("href")
                if "//" in href:
                    assert element.tag == "a", path
                    assert href.startswith("https://github.com/me/tiny/"), path
        if path.endswith(".css"):
            assert not re.search(r"url\([\"']?(https?:)?//|@import", data.decode()), path


def test_a_change_takes_the_commit_off_every_page(committed: tuple[Project, str]) -> None:
    project, commit = committed
    assert project.build().code == 0
    project.append(PAGE, "\nMore.\n")
    assert project.build().code == 0
    for path, data in tree(project.root / "dist").items():
        assert commit.encode() not in data, path
        assert commit[:12].encode() not in data, path
    assert "Built from files that are not committed." in project.page()


def test_a_commit_alone_is_seen(committed: tuple[Project, str]) -> None:
    """The text of no file changes, and yet every page has to."""
    project, commit = committed
    assert project.build().code == 0
    git(project.root, "commit", "--quiet", "--allow-empty", "-m", "Two")
    assert project.build().output.startswith("dist/ holds")
    assert commit not in project.page()
    assert project.build().output == "dist/ is up to date\n"


def test_building_leaves_the_tree_clean(committed: tuple[Project, str]) -> None:
    project, _ = committed
    assert project.build().code == 0
    assert git(project.root, "status", "--porcelain") == ""
