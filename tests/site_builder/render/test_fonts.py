import base64
import re
from pathlib import Path

import pytest

from site_builder.cache import Cache
from site_builder.problem import Report
from site_builder.render.esbuild import STYLES
from site_builder.render.fonts import KATEX, Fonts, formula_styles
from site_builder.render.node import Node
from site_builder.render.tools import Tools
from tests.site_builder.projects import REPOSITORY, Project

SHEET = (REPOSITORY / "static" / "site.css").read_text("utf-8")
_DATA = re.compile(r'url\("data:font/woff2;base64,([^"]*)"\)')
_FILES = re.compile(r'url\("?(fonts/[^")]+)"?\)')
_FACE = re.compile(r"@font-face\s*\{[^}]*\}")
_PRELOAD = re.compile(r'<link rel="preload" href="([^"]+)" as="font"')
_NAMES = re.compile(r'font-family:"?(KaTeX_\w+)"?;font-style:(\w+);font-weight:(\d+);src')
_SUM = (
    '<span class="katex"><span class="katex-mathml"><math>∑</math></span>'
    '<span class="katex-html" aria-hidden="true"><span class="mop op-symbol large-op">∑</span>'
    '<span class="mord mathnormal">x</span></span></span>'
)


@pytest.fixture(scope="module")
def tools(node: Node, tmp_path_factory: pytest.TempPathFactory) -> Tools:
    return Tools(node, Cache(tmp_path_factory.mktemp("cache")))


def fonts(tools: Tools, *formulas: str) -> Fonts:
    report = Report()
    sheet = formula_styles(formulas, tools, report)
    report.raise_if_any()
    return Fonts(root=REPOSITORY, sheet=SHEET, formula_sheet=sheet, tools=tools, report=report)


def files(tools: Tools, *formulas: str, texts: tuple[str, ...] = ()) -> dict[str, str | bytes]:
    given = fonts(tools, *formulas)
    found = given.styles("test", texts)
    given.report.raise_if_any()
    return found


def katex(tools: Tools, *formulas: str) -> str:
    style = files(tools, *formulas)[KATEX]
    assert isinstance(style, str)
    return style


def font_files(found: dict[str, str | bytes]) -> list[bytes]:
    return [file for file in found.values() if isinstance(file, bytes)]


def test_every_font_of_the_text_has_a_file_that_is_small(tools: Tools) -> None:
    found = files(tools)
    named = {f"static/{path}" for path in _FILES.findall(SHEET)}
    assert named == {path for path, file in found.items() if isinstance(file, bytes)}
    assert named == set(fonts(tools).of_text)
    assert len(named) == SHEET.count("@font-face") - SHEET.count("src: local(")
    for font in font_files(found):
        assert font.startswith(b"wOF2")
        assert 3000 < len(font) < 13_000


def test_the_fonts_of_formulas_are_in_their_style_sheet(tools: Tools) -> None:
    found = [base64.b64decode(data) for data in _DATA.findall(katex(tools, _SUM))]
    assert len(found) == 3
    assert all(font.startswith(b"wOF2") for font in found)


def test_katex_has_the_fonts_that_formulas_use_and_no_other(tools: Tools) -> None:
    assert _NAMES.findall(katex(tools, _SUM)) == [
        ("KaTeX_Main", "normal", "400"),
        ("KaTeX_Math", "italic", "400"),
        ("KaTeX_Size2", "normal", "400"),
    ]
    assert "@font-face" not in katex(tools)


def test_bold_and_other_alphabets_bring_their_fonts(tools: Tools) -> None:
    bold = _SUM.replace("mathnormal", "mathbf").replace("op-symbol large-op", "mathbb")
    assert _NAMES.findall(katex(tools, bold)) == [
        ("KaTeX_AMS", "normal", "400"),
        ("KaTeX_Main", "normal", "700"),
        ("KaTeX_Main", "normal", "400"),
    ]


def test_a_character_of_a_page_is_in_the_font(tools: Tools) -> None:
    plain, more = files(tools), files(tools, texts=("naïve",))
    assert plain == files(tools, texts=("naive",))
    assert all(len(b) > len(a) for a, b in zip(font_files(plain), font_files(more), strict=True))


@pytest.mark.site
def test_each_page_asks_at_once_for_the_fonts_that_its_styles_name(built_site: Project) -> None:
    dist = built_site.root / "dist"
    named = {f"static/{path}" for path in _FILES.findall((dist / STYLES).read_text("utf-8"))}
    assert named == {file.relative_to(dist).as_posix() for file in dist.rglob("*.woff*")}
    for page in dist.glob("*.html"):
        asked = _PRELOAD.findall(page.read_text("utf-8"))
        assert {path.lstrip("/") for path in asked} == named, page


@pytest.mark.site
def test_no_font_of_the_text_moves_it_by_coming_late(built_site: Project) -> None:
    style = (built_site.root / "dist" / STYLES).read_text("utf-8")
    of_files = [font for font in _FACE.findall(style) if "fonts/" in font]
    assert of_files
    assert all("font-display:optional" in font for font in of_files)


def test_a_font_that_no_package_has_is_named_at_its_line(tiny: Project) -> None:
    name = "source-serif-4-latin-600-normal.woff2"
    line = tiny.line("static/site.css", name)
    tiny.replace("static/site.css", name, "source-serif-4-latin-650-normal.woff2")
    assert tiny.problem() == (
        f"static/site.css:{line}: no package has the font source-serif-4-latin-650-normal.woff2;"
        " add its package in site_builder/render/fonts.py, or correct the name"
    )


def test_node_is_asked_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def answer(_: Node, script: Path, questions: list[object]) -> list[dict[str, str]]:
        assert script.name == "fonts.mjs"
        asked.append(len(questions))
        return [{"data": "AAAA"}] * len(questions)

    monkeypatch.setattr(Node, "ask", answer)
    tools = Tools(Node(), Cache(tmp_path))
    first = files(tools, _SUM)
    assert files(tools, _SUM) == first
    files(tools, _SUM.replace(">x<", ">y<"))
    assert asked == [3, 4, 3]
