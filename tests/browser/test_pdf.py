"""The PDF of all pages and what pages say of it, and the pictures: the build makes them."""

import contextlib
import io
import json
import os
import shutil
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader
from pypdf.generic import Destination

from tests.chromium import find_chromium
from tests.site.html import Element, parse
from tests.site_builder.projects import (
    OPS,
    PAGE,
    REPOSITORY,
    SETTINGS,
    Project,
    copy_project,
    tree,
)

pytestmark = pytest.mark.browser

USAGE = "\n:::{usage} ops.centre\n:::\n"
MORE = r"""
(more)=
## What is more

:::{equation} shifted
:caption: The result
:computed-by: ops.centre:return
:unchecked: it is an example
Y_i = X_i - \mu + b
:::
"""
PDF = "tiny.pdf"


@pytest.fixture(autouse=True)
def _chromium(monkeypatch: pytest.MonkeyPatch) -> None:
    found = find_chromium()
    assert found, "no Chromium: run `python -m tests.chromium`"
    monkeypatch.setenv("CHROMIUM", str(found))


@pytest.fixture(scope="session")
def printed_once(built_tiny: Project, tmp_path_factory: pytest.TempPathFactory) -> Project:
    """The tiny project with two equations of one function, and where that is in the PDF."""
    project = copy_project(built_tiny, tmp_path_factory.mktemp("printed") / "project")
    project.append(PAGE, USAGE + MORE)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CHROMIUM", str(find_chromium()))
        outcome = project.build(printing=True)
    assert outcome.code == 0, outcome.errors
    return project


@pytest.fixture
def printed(printed_once: Project, tmp_path: Path) -> Project:
    """The same, to be changed at will."""
    return copy_project(printed_once, tmp_path / "printed")


def pdf(project: Project) -> PdfReader:
    return PdfReader(io.BytesIO((project.root / "dist" / PDF).read_bytes()))


def bookmarks(outline: object) -> Iterator[str]:
    if isinstance(outline, Destination):
        yield outline.title or ""
    elif isinstance(outline, list):
        for inner in outline:
            yield from bookmarks(inner)


def places(project: Project) -> list[Element]:
    """The lines of the row that says where the PDF has the function."""
    card = parse(project.page()).one("*", "usage")
    row = [term.words for term in card.all("dt")].index("In the PDF")
    return card.all("dd")[row].all("span", "place")


def in_json(project: Project) -> list[dict[str, Any]]:
    functions = json.loads(project.read("dist/explain.json"))["functions"]
    (found,) = [function["pdf"] for function in functions if function["name"] == "tiny.ops.centre"]
    result: list[dict[str, Any]] = found
    return result


def page_with(project: Project, text: str) -> int:
    """The only page, from 1, that shows a text."""
    texts = [" ".join(page.extract_text().split()) for page in pdf(project).pages]
    found = [number for number, shown in enumerate(texts, 1) if text in shown]
    assert len(found) == 1, found
    return found[0]


def test_it_is_set_in_the_faces_of_the_site(printed: Project) -> None:
    names = set()
    for page in pdf(printed).pages:
        fonts: Any = page["/Resources"]
        names |= {str(font.get("/BaseFont")).partition("+")[2] for font in fonts["/Font"].values()}
    assert {"SourceSerif4-Regular", "SourceSerif4-SemiBold", "IBMPlexMono-Regular"} <= names


def test_bookmarks_have_the_numbers_of_sections(printed: Project) -> None:
    assert [*bookmarks(pdf(printed).outline)] == [
        "1 Small", "1.1 What it is", "One row", "1.2 What is more",
    ]  # fmt: skip


def test_the_row_says_what_is_printed_where(printed: Project) -> None:
    rows = [place.words for place in places(printed)]
    first, second = page_with(printed, "The mean"), page_with(printed, "The result")
    assert "(1.1)" in pdf(printed).pages[first - 1].extract_text()
    assert "(1.2)" in pdf(printed).pages[second - 1].extract_text()
    assert rows[0] == f"Section 1.1, Eq. 1.1, code, p. {first}"
    assert rows[-1] == f"Section 1.2, Eq. 1.2, p. {second}"
    links = [place.one("a").get("href") for place in places(printed)]
    assert links == [f"{PDF}#page={first}", f"{PDF}#page={second}"]
    told = [(entry["section"], entry["equations"], entry["page"]) for entry in in_json(printed)]
    assert told == [("1.1", ["1.1"], first), ("1.2", ["1.2"], second)]
    source = parse(printed.page("source/ops.html"))
    assert f"In the PDF: {rows[0]}; {rows[-1]}." in source.one("*", "outline").words
    assert f"../{PDF}#page={first}" in [link.get("href") for link in source.all("a")]


def test_the_row_follows_an_equation_that_moves(printed: Project) -> None:
    before = places(printed)[-1].words
    printed.replace(PAGE, MORE, "")
    pages = "\n".join(f"Paragraph {n}.\n" for n in range(60))
    printed.append(PAGE, f"\n(between)=\n## Between\n\n{pages}{MORE}")
    printed.replace(PAGE, ":::{equation} shifted", ":::{equation} renamed")
    assert printed.build(printing=True).code == 0
    page = page_with(printed, "The result")
    after = places(printed)[-1].words
    assert after == f"Section 1.3, Eq. 1.2, p. {page}" != before
    assert page > page_with(printed, "The mean")


def test_links_between_equations_and_text_work_in_the_pdf(printed: Project) -> None:
    reader = pdf(printed)
    names = {key.removeprefix("/") for key in reader.named_destinations}
    assert {"small:eq-mean", "small:eq-shifted", "small:fn-centre", "small:what"} <= names
    links = [
        annotation.get_object().get("/A", {}).get("/URI", "")
        for page in reader.pages
        for annotation in page.get("/Annots", [])
    ]
    assert links
    assert not [uri for uri in links if "site.invalid" in uri]


def test_the_pdf_is_linked_from_every_page(printed: Project) -> None:
    count = len(pdf(printed).pages)
    for path, href in (("small.html", PDF), ("index.html", PDF), ("source/ops.html", f"../{PDF}")):
        footer = parse(printed.page(path)).one("footer")
        assert href in [a.get("href") for a in footer.all("a")], path
        assert f"All pages as one PDF, {count} pages." in footer.words


def test_without_a_browser_the_row_says_so(
    printed: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CHROMIUM", "/nowhere/chromium")
    assert printed.build(printing=True).code == 0  # although nothing but the browser has changed
    said = "No PDF was made in this build: no browser was found."
    assert said in parse(printed.page()).one("*", "usage").words
    assert json.loads(printed.read("dist/explain.json"))["pdf"] == {
        "url": None, "reason": "no browser was found",
    }  # fmt: skip
    assert in_json(printed) == []
    assert "PDF" not in parse(printed.page()).one("footer").words
    assert not (printed.root / "dist" / PDF).exists()


def test_it_can_be_left_out(printed: Project) -> None:
    assert printed.build().code == 0
    said = "No PDF was made in this build: it was left out."
    assert said in parse(printed.page()).one("*", "usage").words
    assert not (printed.root / "dist" / PDF).exists()


def test_the_browser_is_started_only_for_what_is_new(
    printed: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log, wrapper = tmp_path / "log", tmp_path / "wrapper"
    wrapper.write_text(f'#!/bin/sh\necho started >> "{log}"\nexec "{find_chromium()}" "$@"\n')
    wrapper.chmod(0o755)
    monkeypatch.setenv("CHROMIUM", str(wrapper))
    assert printed.build("--force", printing=True).code == 0
    first = tree(printed.root / "dist")
    assert log.read_text() == "started\n"
    assert printed.build("--force", printing=True).code == 0
    printed.append(OPS, "\n\nUNUSED = 1\n")  # on no page but the module's own
    assert printed.build(printing=True).code == 0
    assert log.read_text() == "started\n"
    assert tree(printed.root / "dist")[PDF] == first[PDF]
    shutil.rmtree(printed.root / ".cache")
    assert printed.build("--force", printing=True).code == 0
    assert log.read_text() == "started\nstarted\n"
    assert tree(printed.root / "dist")[PDF] == first[PDF], "a second run makes other bytes"


def test_a_browser_that_fails_ends_the_build(
    printed: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = tmp_path / "broken"
    broken.write_text("#!/bin/sh\necho no display >&2\nexit 3\n")
    broken.chmod(0o755)
    monkeypatch.setenv("CHROMIUM", str(broken))
    before = tree(printed.root / "dist")
    outcome = printed.build(printing=True)
    assert outcome.code == 1
    assert outcome.errors[0] == (
        f"{broken}: this browser cannot print the site: Failed to launch the browser process: "
        "Code: 3 stderr: no display; set CHROMIUM to another one, or go on with --without-pdf"
    )
    assert tree(printed.root / "dist") == before


def test_a_killed_builder_leaves_no_process_and_no_profile(
    printed: Project, tmp_path: Path
) -> None:
    """It is killed alone, by its id, while Chromium prints."""
    shutil.rmtree(printed.root / ".cache")
    profiles = tmp_path / "profiles"
    profiles.mkdir()
    mark = f"KILLED_BUILDER={tmp_path}"
    script = str(REPOSITORY / "build.py")
    command = [sys.executable, script, "--root", str(printed.root), "--without-runtime"]
    name, _, value = mark.partition("=")
    environment = {**os.environ, name: value, "TMPDIR": str(profiles)}
    builder = subprocess.Popen(
        command, env=environment, stdout=subprocess.DEVNULL, start_new_session=True
    )

    def descendants() -> list[str]:
        return [name for pid, name in marked(mark) if pid != builder.pid]

    with builder:
        wait_until(lambda: "chrom" in " ".join(descendants()))
        assert "node" in " ".join(descendants())
        builder.send_signal(signal.SIGKILL)
    wait_until(lambda: not descendants())
    assert not [path for path in profiles.iterdir() if "chromium" in path.name]


def wait_until(holds: Callable[[], bool]) -> None:
    until = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < until
        time.sleep(0.01)


def marked(mark: str) -> Iterator[tuple[int, str]]:
    """Id and name of each running process that has the mark in its environment."""
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if mark.encode() in (folder / "environ").read_bytes():
                yield int(folder.name), (folder / "comm").read_text().strip()


def test_an_equation_whose_number_is_not_printed_ends_the_build(printed: Project) -> None:
    printed.replace("static/print.css", 'content: "(" attr(data-number) ")"', 'content: ""')
    outcome = printed.build(printing=True)
    assert outcome.code == 1
    places = [printed.line(PAGE, f":::{{equation}} {id_}") for id_ in ("mean", "shifted")]
    assert [error.partition(";")[0] for error in outcome.errors[:-1]] == [
        f"{PAGE}:{line}: the PDF of all pages does not show this equation as ({number})"
        for line, number in zip(places, ("1.1", "1.2"), strict=True)
    ]


def test_pictures_need_an_address(printed: Project) -> None:
    assert "og:image" not in printed.page()
    assert not (printed.root / "dist/pictures").exists()
    printed.replace(SETTINGS, 'title = "Tiny"', 'title = "Tiny"\nurl = "https://x.example/tiny"')
    assert printed.build(printing=True).code == 0
    for path, name, alt in (
        ("small.html", "small", "Small, and an equation: The mean"),
        ("index.html", "index", "Tiny"),
        ("source/ops.html", "index", "Tiny"),
    ):
        head = parse(printed.page(path)).one("head")
        told = {meta.get("property"): meta.get("content") for meta in head.all("meta")}
        assert told["og:image"] == f"https://x.example/tiny/pictures/{name}.png"
        assert told["og:image:alt"] == alt
        picture = (printed.root / f"dist/pictures/{name}.png").read_bytes()
        assert struct.unpack(">II", picture[16:24]) == (1200, 630)
        assert 5_000 < len(picture) <= 100_000
    assert "og:image" not in printed.page("404.html")
