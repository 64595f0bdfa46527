"""The command line: what it prints, its exit codes, and what it leaves alone."""

import shutil
from pathlib import Path

import pytest

from tests.site_builder.projects import OPS, PAGE, SETTINGS, Project, run_build, tree

pytestmark = pytest.mark.slow


def times(root: Path) -> dict[str, int]:
    return {str(file): file.stat().st_mtime_ns for file in root.rglob("*")}


def test_help_mentions_all_three_commands(tmp_path: Path) -> None:
    run = run_build(tmp_path, "--help")
    assert run.returncode == 0
    for command in ("python build.py ", "build.py serve", "build.py check", "--without-runtime"):
        assert command in run.stdout
    assert run.stderr == ""


@pytest.mark.parametrize("arguments", [("bild",), ("--fast",), ("build", "check"), ("--port", "x")])
def test_a_wrong_command_line(built_tiny: Project, arguments: tuple[str, ...]) -> None:
    before = tree(built_tiny.root)
    run = run_build(built_tiny.root, *arguments)
    assert run.returncode == 2
    assert "usage: build.py" in run.stderr
    assert tree(built_tiny.root) == before


def test_problems_go_to_standard_error_with_their_number(tiny: Project) -> None:
    tiny.append(PAGE, "\n## One\n\n## Two\n")
    run = run_build(tiny.root)
    line = tiny.line(PAGE, "## One")
    remedy = "put a line such as (some-id)= above it"
    assert run.returncode == 1
    assert run.stdout == ""
    assert run.stderr == (
        f"{PAGE}:{line}: the heading 'One' has no id; {remedy}\n"
        f"{PAGE}:{line + 2}: the heading 'Two' has no id; {remedy}\n"
        "2 problems; dist/ is untouched\n"
    )


def test_no_settings_no_traceback(tmp_path: Path) -> None:
    run = run_build(tmp_path)
    assert run.returncode == 1
    assert run.stderr.startswith(f"{SETTINGS}: cannot be read (")
    assert "Traceback" not in run.stderr


def test_check_writes_nothing(tiny: Project) -> None:
    shutil.rmtree(tiny.root / "dist")
    shutil.rmtree(tiny.root / ".cache")
    before = tree(tiny.root)
    outcome = tiny.build("check")
    assert outcome.code == 0
    assert outcome.output.startswith("nothing is wrong with 1 page with 1 equations")
    after = {name: data for name, data in tree(tiny.root).items() if not name.startswith(".cache/")}
    assert after == before
    assert not (tiny.root / "dist").exists()


def test_check_finds_what_is_wrong(tiny: Project) -> None:
    tiny.append(PAGE, "\n## One\n")
    before = times(tiny.root / "dist")
    outcome = tiny.build("check")
    assert outcome.code == 1
    assert len(outcome.errors) == 2
    assert times(tiny.root / "dist") == before


def test_nothing_changed(tiny: Project) -> None:
    assert tiny.build().code == 0
    before = times(tiny.root)
    outcome = tiny.build()
    assert (outcome.code, outcome.output) == (0, "dist/ is up to date\n")
    assert times(tiny.root) == before


@pytest.mark.parametrize("path", [PAGE, OPS, SETTINGS, "static/site.css", "tests/tiny/test_ops.py",
                                  "templates/note.html"])  # fmt: skip
def test_any_changed_input_is_seen(tiny: Project, path: str) -> None:
    tiny.build()
    tiny.append(path, "\n")
    assert tiny.build().output.startswith("dist/ holds 1 page")
    assert tiny.build().output == "dist/ is up to date\n"


@pytest.mark.parametrize("change", ["edit", "delete", "add", "all"])
def test_a_changed_dist_is_made_again(tiny: Project, change: str) -> None:
    dist = tiny.root / "dist"
    tiny.build()
    before = tree(dist)
    if change == "edit":
        tiny.append("dist/small.html", "x")
    elif change == "delete":
        (dist / "404.html").unlink()
    elif change == "add":
        tiny.write("dist/more.html", "x")
    else:
        shutil.rmtree(dist)
    assert tiny.build().code == 0
    assert tree(dist) == before


def test_force(tiny: Project) -> None:
    before = tree(tiny.root / "dist")
    assert tiny.build("--force").output.startswith("dist/ holds")
    assert tree(tiny.root / "dist") == before


def test_without_the_cache_the_site_is_the_same(tiny: Project) -> None:
    before = tree(tiny.root / "dist")
    shutil.rmtree(tiny.root / ".cache")
    assert tiny.build().code == 0
    assert tree(tiny.root / "dist") == before


@pytest.mark.parametrize("damage", [b"", b"{", b"\xff", b"null"])
def test_a_damaged_cache_costs_nothing_but_time(tiny: Project, damage: bytes) -> None:
    before = tree(tiny.root / "dist")
    for file in (tiny.root / ".cache/site").rglob("*"):
        if file.is_file():
            file.write_bytes(damage)
    outcome = tiny.build()
    assert outcome.code == 0, outcome.errors
    assert tree(tiny.root / "dist") == before


def test_a_page_that_is_removed_leaves_the_site(tiny: Project) -> None:
    tiny.write("content/more.md", "---\ntitle: More\nsummary: More.\norder: 2\n---\n")
    assert tiny.build().code == 0
    assert (tiny.root / "dist/more.html").exists()
    (tiny.root / "content/more.md").unlink()
    assert tiny.build().code == 0
    assert not (tiny.root / "dist/more.html").exists()
