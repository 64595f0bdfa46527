"""The notebooks: they are valid, have the lines of the code, and run with NumPy alone."""

import json
import re
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

import nbformat
import pytest

from tests.site.html import Element
from tests.site_builder.projects import Project

pytestmark = pytest.mark.site

SLUGS = ("layer-norm", "lesson", "laboratory")
# Runs code cells as Jupyter would. Packages are found, but not those that .pth files add, which is
# how this project itself is installed.
RUNNER = """
import contextlib, importlib.util, io, json, sys
cells, packages = json.load(sys.stdin)
sys.path.append(packages)
assert not any(map(importlib.util.find_spec, ("tinygpt", "lessons", "eqcheck")))
outputs, namespace = [], {"__name__": "__main__"}
for cell in cells:
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(cell, "<cell>", "exec"), namespace)
    outputs.append(printed.getvalue())
print(json.dumps(outputs))
"""
Notebook = dict[str, Any]


def read(project: Project, slug: str) -> Notebook:
    notebook: Notebook = json.loads(project.read(f"dist/{slug}.ipynb"))
    return notebook


def sources(notebook: Notebook, kind: str) -> list[str]:
    return ["".join(c["source"]) for c in notebook["cells"] if c["cell_type"] == kind]


def run(cells: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run cells in a process of their own, in an empty folder, with NumPy and nothing else."""
    return subprocess.run(
        [sys.executable, "-I", "-S", "-c", RUNNER],
        input=json.dumps([cells, sysconfig.get_path("purelib")]),
        cwd=folder,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


@pytest.mark.parametrize("slug", SLUGS)
def test_it_is_valid(built_site: Project, slug: str) -> None:
    notebook = read(built_site, slug)
    nbformat.validate(notebook)
    ids = [cell["id"] for cell in notebook["cells"]]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("slug", SLUGS)
def test_it_runs_from_start_to_end_and_prints_what_it_holds(
    built_site: Project, tmp_path: Path, slug: str
) -> None:
    notebook = read(built_site, slug)
    ran = run(sources(notebook, "code"), tmp_path)
    assert ran.returncode == 0, ran.stderr
    stored = [
        "".join(text for output in cell["outputs"] for text in output["text"])
        for cell in notebook["cells"]
        if cell["cell_type"] == "code"
    ]
    assert json.loads(ran.stdout) == stored
    assert any("As on the page: " in text for text in stored)
    assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize(
    ("old", "new", "label"),
    [
        ("mu = X.sum(axis=-1, keepdims=True) / d", "mu = X.max(axis=-1, keepdims=True)", "Mean"),
        ("dX = s * (dXhat", "dX = 2 * s * (dXhat", "Gradient on the input"),
    ],
)
def test_a_change_of_the_code_is_noticed(
    built_site: Project, tmp_path: Path, old: str, new: str, label: str
) -> None:
    cells = sources(read(built_site, "layer-norm"), "code")
    assert any(old in cell for cell in cells)
    ran = run([cell.replace(old, new) for cell in cells], tmp_path)
    assert f"AssertionError: {label} is" in ran.stderr


@pytest.mark.parametrize("slug", SLUGS)
def test_its_functions_are_lines_of_the_code(built_site: Project, slug: str) -> None:
    found = 0
    for cell in sources(read(built_site, slug), "code"):
        for match in re.finditer(r"^# (\S+\.py), lines? (\d+)(?: to (\d+))?\n", cell, re.MULTILINE):
            first, last = int(match[2]), int(match[3] or match[2])
            lines = built_site.read(match[1]).split("\n")[first - 1 : last]
            assert cell[match.end() :].startswith("\n".join(lines)), match[0]
            found += 1
    assert found > 5


@pytest.mark.parametrize("slug", SLUGS)
def test_it_has_the_text_of_the_page(
    built_site: Project, pages: dict[str, Element], slug: str
) -> None:
    text = "\n".join(sources(read(built_site, slug), "markdown"))
    page = pages[f"{slug}.html"]
    for equation in page.all("figure", "equation"):
        maths = equation.one("div", "maths")
        latex, number = maths.one("annotation").text, maths.get("data-number")
        assert f'<a id="{equation.get("id")}"></a>' in text
        assert f"$$\n{latex} \\tag{{{number}}}\n$$" in text
    for level in ("h1", "h2", "h3"):
        for heading in page.all(level):
            title = heading.words.removesuffix(" #")
            if not heading.all("annotation") and "exercise" not in heading.get("id"):
                assert f"\n{'#' * int(level[1])} {title}" in f"\n{text}"
    assert "{claim}" not in text
    assert ":::" not in text


def test_equations_have_the_same_verdict(built_site: Project, page: Element) -> None:
    text = "\n".join(sources(read(built_site, "layer-norm"), "markdown"))
    verdicts = [d.one("summary").words.removeprefix("✓ ") for d in page.all("details", "verdict")]
    assert len(verdicts) == 16
    assert [line[1:-1] for line in text.split("\n") if line.startswith("*runs: ")] == verdicts
