"""Tests of the comparison of two built sites."""

import hashlib
import json
import shutil
import sys
import zipfile
import zlib
from base64 import b64encode
from pathlib import Path

import pytest

from tests.compare_builds import Difference, Expected, compare, judge, main, read_expected
from tests.site_builder.projects import PAGE, Project

COMMITS = {"old": "0123456789" * 4, "new": "abcdef0123" * 4}


@pytest.fixture
def sites(tmp_path: Path) -> tuple[Path, Path]:
    """Two sites of the same files, built from different commits."""
    old, new = (tmp_path / name for name in COMMITS)
    for site in (old, new):
        _write_site(site, COMMITS[site.name])
    return old, new


def _write_site(site: Path, commit: str, code: str = "x = 1\n") -> None:
    (site / "runtime").mkdir(parents=True)
    (site / "explain.json").write_text(json.dumps({"commit": commit, "pages": [1, 2]}), "utf-8")
    (site / "index.html").write_text(
        f"<p>One</p>\n<p>Two</p>\n<code>{commit[:12]}</code>\n", "utf-8"
    )
    header = f"# Sphinx inventory version 2\n# Project: x\n# Version: {commit[:12]}\n# zlib\n"
    (site / "objects.inv").write_bytes(header.encode() + zlib.compress(b"f py:function 1 a.html"))
    (site / "font.woff2").write_bytes(b"\xff\x00")
    with zipfile.ZipFile(site / "runtime" / "sources.zip", "w") as archive:
        archive.writestr("tinygpt/ops.py", code)
        archive.writestr("tinygpt/same.py", "")
    page = b64encode(hashlib.sha256((site / "index.html").read_bytes()).digest()).decode()
    release = {"name": commit[::-1][:16], "install": {"index.html": page}}
    text = f"self.RELEASE = {json.dumps(release, indent=1)};\nrest();\n"
    (site / "service-worker.js").write_text(text, "utf-8")


def test_the_commit_and_the_hashes_of_a_release_are_no_difference(sites: tuple[Path, Path]) -> None:
    assert compare(*sites) == []


def test_each_changed_added_and_removed_line_is_a_difference(sites: tuple[Path, Path]) -> None:
    page = sites[1] / "index.html"
    page.write_text(page.read_text("utf-8").replace("<p>Two</p>", "<p>2</p>\n<hr>"), "utf-8")
    assert compare(*sites) == [
        Difference(path="index.html", old="<p>Two</p>", new="<p>2</p>"),
        Difference(path="index.html", old="(nothing)", new="<hr>"),
    ]


def test_a_file_that_only_one_has_is_a_difference(sites: tuple[Path, Path]) -> None:
    (sites[0] / "font.woff2").unlink()
    (sites[1] / "index.html").unlink()
    added, removed = compare(*sites)
    assert (added.path, added.old) == ("font.woff2", "(no such file)")
    assert added.new.startswith("(2 bytes, SHA-256 ")
    assert (removed.path, removed.new) == ("index.html", "(no such file)")


def test_what_is_packed_is_compared_unpacked(sites: tuple[Path, Path]) -> None:
    shutil.rmtree(sites[1])
    _write_site(sites[1], COMMITS["new"], code="x = 2\n")
    header, _, _ = (sites[1] / "objects.inv").read_bytes().partition(b"x\x9c")
    (sites[1] / "objects.inv").write_bytes(header + zlib.compress(b"f py:function 1 b.html"))
    (sites[1] / "font.woff2").write_bytes(b"\xff\x01")
    font, inventory, code = compare(*sites)
    assert font.path == "font.woff2"
    assert inventory == Difference(
        path="objects.inv", old="f py:function 1 a.html", new="f py:function 1 b.html"
    )
    assert code == Difference(path="runtime/sources.zip/tinygpt/ops.py", old="x = 1", new="x = 2")


def test_a_file_that_a_release_lacks_is_a_difference(sites: tuple[Path, Path]) -> None:
    worker = sites[1] / "service-worker.js"
    worker.write_text(worker.read_text("utf-8").replace("index.html", "main.html"), "utf-8")
    (found,) = compare(*sites)
    assert found.path == "service-worker.js"
    assert '"index.html"' in found.old


def test_a_changed_word_is_found_in_the_page_and_in_the_search(
    built_tiny: Project, tiny: Project
) -> None:
    before, after = built_tiny.root / "dist", tiny.root / "dist"
    assert compare(before, after) == []
    tiny.append(PAGE, "\nAn aardvark explains it.\n")
    assert tiny.build().code == 0
    found = compare(before, after)
    assert {"small.html", "small.md", "search/records.json", "search/index"} <= {
        difference.path for difference in found
    }
    words = [d.new for d in found if d.path == "search/index" and d.new.startswith("aardvark ")]
    assert len(words) == 1
    assert "small.html" in words[0]
    assert not [d for d in found if d.path.endswith(("_index", "_meta"))]


CHANGE = Difference(path="static/js/pane.js", old="let a = 1", new="let b = 1")


@pytest.mark.parametrize(
    ("path", "what", "covered"),
    [
        ("static/js/pane.js", "any", True),
        ("static/*", "any", True),
        ("*.html", "any", False),
        ("*", "^let a = 1 → let b = 1$", True),
        ("*", "let c", False),
    ],
)
def test_an_entry_covers_paths_and_changes(path: str, what: str, *, covered: bool) -> None:
    entry = Expected(path=path, what=what, reason="renamed")
    surprises, idle = judge([CHANGE], [entry])
    assert surprises == ([] if covered else [CHANGE])
    assert idle == ([] if covered else [entry])


def test_a_long_line_is_shortened_to_what_changed() -> None:
    line = "a" * 500 + "{}" + "z" * 500
    shown = str(Difference(path="x", old=line.format("old"), new=line.format("new")))
    assert "aold" in shown
    assert "anewz" in shown
    assert len(shown) < 220


def test_an_entry_needs_a_reason(tmp_path: Path) -> None:
    file = tmp_path / "expected.toml"
    file.write_text('[[difference]]\npath = "*"\nwhat = "any"\nreason = " "\n', "utf-8")
    with pytest.raises(SystemExit, match="a reason"):
        read_expected(file)


def test_the_command_fails_on_a_surprise_and_on_an_idle_entry(
    sites: tuple[Path, Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    expected = tmp_path / "expected.toml"
    expected.write_text('[[difference]]\npath = "font*"\nwhat = "any"\nreason = "why"\n', "utf-8")
    folders = ["compare_builds", str(sites[0]), str(sites[1])]
    monkeypatch.setattr(sys, "argv", folders)
    assert main() == 0
    monkeypatch.setattr(sys, "argv", [*folders, "--expected", str(expected)])
    assert main() == 1
    assert "did not occur: font*" in capsys.readouterr().out
    (sites[1] / "font.woff2").write_bytes(b"\xff\x02")
    assert main() == 0
    monkeypatch.setattr(sys, "argv", folders)
    assert main() == 1
    assert "font.woff2: (2 bytes" in capsys.readouterr().out


def test_a_folder_that_is_no_site_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match=r"explain\.json"):
        compare(tmp_path, tmp_path)
