import html
import re

import pytest

from site_builder.render.esbuild import STYLES
from site_builder.render.highlight import highlight_lines, highlight_python
from site_builder.resolve.symbol_links import SymbolName
from tests.site_builder.projects import Project

_CLASSES = re.compile(r'<span class="([a-z][a-z0-9]?)">')
_TAG = re.compile(r"<[^>]*>")


def named(code: str, *names: str) -> str:
    """The code in colours, with the first place of each name marked as a symbol of that name."""
    found = [
        SymbolName(start=code.index(name), stop=code.index(name) + len(name), symbol=name)
        for name in names
    ]
    lines, marked, start = code.split("\n"), [], 0
    for line in lines:
        on_line = [n for n in found if start <= n.start and n.stop <= start + len(line)]
        marked.append(
            [
                SymbolName(start=n.start - start, stop=n.stop - start, symbol=n.symbol)
                for n in on_line
            ]
        )
        start += len(line) + 1
    return "\n".join(highlight_lines(lines, marked))


def test_what_has_no_colour_has_no_element() -> None:
    assert highlight_python("y = f(x) + z[0]") == 'y = f(x) + z[<span class="mi">0</span>]'


@pytest.mark.site
def test_each_colour_of_the_pages_is_in_the_styles(built_site: Project) -> None:
    dist = built_site.root / "dist"
    styles = (dist / STYLES).read_text("utf-8")
    pages = [page.read_text("utf-8") for page in dist.rglob("*.html")]
    classes = {name for page in pages for name in _CLASSES.findall(page)}
    assert {"k", "nf", "mi", "sd", "c1"} <= classes
    for name in classes:
        assert re.search(rf"\.{name}[,{{]", styles), name


@pytest.mark.parametrize("lines", [["x"], ["x", ""], ["x", "", ""], ["", "x"], [""]])
def test_each_line_stays_a_line(lines: list[str]) -> None:
    assert highlight_lines(lines) == lines


def mark(name: str, inside: str = "") -> str:
    return f'<span data-symbol="{name}">{inside or name}</span>'


def colour(kind: str, text: str) -> str:
    return f'<span class="{kind}">{text}</span>'


@pytest.mark.parametrize(
    ("code", "names", "marked"),
    [
        ("mu = x", ("mu", "x"), f"{mark('mu')} = {mark('x')}"),
        ("a < mu", ("mu",), f"a &lt; {mark('mu')}"),
        ("x-y", ("x", "y"), f"{mark('x')}-{mark('y')}"),
        (
            "def norm(x):",
            ("norm",),
            f"{colour('k', 'def')} {mark('norm', colour('nf', 'norm'))}(x):",
        ),
        ("@norm", ("norm",), colour("nd", "@norm")),  # within a colour there is no room for a mark
        ("x", (), "x"),
    ],
)
def test_names_are_marked_around_their_colours(
    code: str, names: tuple[str, ...], marked: str
) -> None:
    assert named(code, *names) == marked


def test_names_that_touch_are_marked_each() -> None:
    names = [SymbolName(start=n, stop=n + 1, symbol=name) for n, name in enumerate("xy")]
    assert highlight_lines(["xy"], [names]) == [mark("x") + mark("y")]


def test_marks_change_no_character() -> None:
    code = "dX = s * (dXhat - mean(dXhat)) < 1  # one row"
    assert html.unescape(_TAG.sub("", named(code, "dX", "s", "mean"))) == code
