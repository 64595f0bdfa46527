"""What `make bench` measures is there to be measured: its copies build, and its edits are edits."""

import subprocess
from pathlib import Path

import pytest

from bench.browser import served
from bench.sites import CODE, PAGE, ROOT, edit_code, edit_prose, make_project, make_sphinx
from bench.stages import stage_seconds
from tests.site_builder.projects import Project


@pytest.mark.slow
def test_a_copy_with_many_pages_builds_after_each_edit(tmp_path: Path) -> None:
    project = Project(tmp_path / "pages")
    make_project(project.root, 2)
    built = project.build()
    assert built.code == 0, built.errors
    recorded = [project.page(f"layer-norm-{number}.html") for number in (0, 1)]
    edit_prose(project.root, 1)
    assert project.build().code == 0
    first, second = (project.page(f"layer-norm-{number}.html") for number in (0, 1))
    assert "both, edit 1" in first
    assert second == recorded[1]
    edit_code(project.root, 1)
    assert project.build().code == 0
    assert "# edited 1" in project.page("source/ops.html")
    assert project.read(str(CODE)).count("\n") == (ROOT / CODE).read_text("utf-8").count("\n") + 1


def test_sphinx_gets_as_many_pages_of_that_size(tmp_path: Path) -> None:
    make_sphinx(tmp_path / "sphinx", 3)
    size = (ROOT / PAGE).stat().st_size
    pages = [*(tmp_path / "sphinx").glob("page-*.rst")]
    assert len(pages) == 3
    assert all(0.99 * size < page.stat().st_size < 1.01 * size for page in pages)


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
