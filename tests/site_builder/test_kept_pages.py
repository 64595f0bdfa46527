"""A page that is kept is the page that a build from nothing makes, whatever has changed."""

from collections.abc import Callable
from pathlib import Path

import pytest

from site_builder.cache import Cache
from site_builder.pipeline import Builder
from tests.site_builder.projects import LESSON, OPS, PAGE, SETTINGS, Project

pytestmark = pytest.mark.slow

Files = dict[str, bytes]
SECOND = "content/second.md"


def built(builder: Builder) -> Files:
    return {
        path: content.read_bytes() if isinstance(content, Path) else
        content.encode() if isinstance(content, str) else content
        for path, content in builder.build(None).files.items()
    }  # fmt: skip


def replacing(path: str, old: str, new: str) -> Callable[[Project], None]:
    return lambda project: project.replace(path, old, new)


def second_page(project: Project) -> None:
    front = "---\ntitle: Second\nsummary: More.\norder: 2\n---\n\n"
    project.write(SECOND, f"{front}See {{equation}}`mean` and {{line}}`ops.twice:Y#1`.\n")


@pytest.fixture
def project(tiny: Project) -> Project:
    second_page(tiny)
    return tiny


CHANGES = {
    "prose": replacing(SECOND, "See ", "Look at "),
    "a caption that another page shows": replacing(PAGE, ":caption: The mean", ":caption: A mean"),
    "code in a function that is listed": replacing(OPS, "Y = X - mu", "Y = -(mu - X)"),
    "code in a function that one line is linked of": replacing(
        OPS, "    Y = centre(X)\n", "    Y = centre(1 * X)\n"
    ),
    "a line above everything": replacing(OPS, '"""Operations."""', '"""Operations.\n\nTwo."""'),
    "a comment after everything": lambda project: project.append(OPS, "# the end\n"),
    "another function that calls": lambda project: project.append(
        LESSON, "\n\ndef more(X):\n    return centre(X)\n"
    ),
    "a default": replacing(OPS, "shift=0.0", "shift=0.5"),
    "the sizes of the model": replacing("src/tiny/config.py", "rows: int = 4", "rows: int = 9"),
    "the title of the site": replacing(SETTINGS, 'title = "Tiny"', 'title = "Small"'),
    "the order of the pages": replacing(SECOND, "order: 2", "order: 0"),
    "a template": replacing("templates/equation.html", 'class="equation"', 'class="equation x"'),
    "a style": lambda project: project.append("static/site.css", "\nmain { margin: 1px }\n"),
    "a script": lambda project: project.append("static/js/page.js", "\nconsole.log(1);\n"),
    "the title of a page": replacing(SECOND, "title: Second", "title: Another"),
    "the numbers of a test": lambda project: project.replace(
        "tests/tiny/test_ops.py", "X = np.array([[1.0", "X = np.array([[2.0"
    ),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_what_is_kept_is_what_a_build_from_nothing_makes(
    project: Project, tmp_path: Path, change: Callable[[Project], None]
) -> None:
    with Builder(project.root, Cache(tmp_path / "cache")) as builder:
        before = built(builder)
        change(project)
        after = built(builder)
    with Builder(project.root, Cache(tmp_path / "cache")) as another:  # that starts from the files
        assert built(another) == after
    with Builder(project.root, Cache(tmp_path / "new")) as fresh:
        assert built(fresh) == after
    assert after != before
