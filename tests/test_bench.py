"""What `make bench` measures is there to be measured: its copies build, and its edits are edits."""

import subprocess
from pathlib import Path

import pytest

from bench.browser import served
from bench.saves import seconds_to_page
from bench.sites import CODE, ROOT, edit_code, edit_prose, make_project, make_sphinx
from bench.stages import stage_seconds
from tests.site.html import parse
from tests.site_builder.projects import Project


@pytest.mark.slow
def test_a_copy_with_many_pages_builds_after_each_edit(tmp_path: Path) -> None:
    project = Project(tmp_path / "pages")
    make_project(project.root, 2)
    built = project.build()
    assert built.code == 0, built.errors
    recorded = project.page("layer-norm-1.html")
    for mark in ("prose-1", "prose-2"):
        edit_prose(project.root, mark)
        assert project.build().code == 0
        assert mark in project.page("layer-norm-0.html")
        assert project.page("layer-norm-1.html") == recorded
    assert "prose-1" not in project.page("layer-norm-0.html")
    for mark in ("code-1", "code-2"):
        edit_code(project.root, mark)
        assert project.build().code == 0
        assert all(f"# {mark}" in project.page(f"layer-norm-{n}.html") for n in (0, 1))
    assert "code-1" not in project.read(str(CODE))
    assert project.read(str(CODE)).count("\n") == (ROOT / CODE).read_text("utf-8").count("\n")


@pytest.mark.slow
def test_sphinx_gets_the_equations_listings_and_tables_of_the_pages(tmp_path: Path) -> None:
    project = Project(tmp_path / "pages")
    make_project(project.root, 2)
    assert project.build().code == 0
    make_sphinx(tmp_path / "sphinx", project.root / "dist", 2)
    page = parse(project.page("layer-norm-1.html"))
    text = (tmp_path / "sphinx" / "layer-norm-1.md").read_text("utf-8")
    assert text.count("\n$$\n") == 2 * len(page.all("span", "katex-display"))
    assert text.count("```python\n") >= 10
    assert text.count("\n| --- |") >= 5
    assert ":::" not in text


@pytest.mark.slow
def test_a_save_reaches_the_served_page(tmp_path: Path) -> None:
    make_project(tmp_path / "pages", 1)
    taken = seconds_to_page(tmp_path / "pages", 1)
    assert taken.keys() == {"prose", "code"}
    assert all(len(values) == 1 and values[0] > 0 for values in taken.values())


@pytest.mark.slow
def test_both_stages_take_time() -> None:
    taken = stage_seconds()
    assert len(taken) == 2
    assert all(value > 0 for value in taken.values())


@pytest.mark.browser
def test_the_site_in_the_browser_is_the_published_one() -> None:
    with served() as (folder, address):
        assert address.startswith("http://")
        assert [*folder.glob("*.pdf")]
        assert "--narrow:" in (folder / "layer-norm.html").read_text("utf-8")


@pytest.mark.browser
def test_nothing_but_the_measurements_goes_to_standard_output() -> None:
    command = ["make", "--no-print-directory", "chromium"]  # under `make test` it says where it is
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert "chrom" in found.stderr
    assert found.stdout == ""
