import base64
import re
from pathlib import Path

import pytest

from site_builder.cache import Cache
from site_builder.problem import Report
from site_builder.render import fonts as module
from site_builder.render.esbuild import STYLES
from site_builder.render.fonts import KATEX, Faces
from tests.site_builder.projects import REPOSITORY, Project

SHEET = (REPOSITORY / "static" / "site.css").read_text("utf-8")
_DATA = re.compile(r'url\("data:font/woff2;base64,([^"]*)"\)')
_NAMES = re.compile(r'font-family:"?(KaTeX_\w+)"?;font-style:(\w+);font-weight:(\d+);src')
_SUM = (
    '<span class="katex"><span class="katex-mathml"><math>∑</math></span>'
    '<span class="katex-html" aria-hidden="true"><span class="mop op-symbol large-op">∑</span>'
    '<span class="mord mathnormal">x</span></span></span>'
)


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Cache:
    return Cache(tmp_path_factory.mktemp("cache"))


def styles(cache: Cache, *formulas: str, texts: tuple[str, ...] = ()) -> dict[str, str]:
    report = Report()
    found = Faces(REPOSITORY, SHEET, formulas, cache, report).styles("test", texts)
    report.raise_if_any()
    return found


def faces(style: str) -> list[bytes]:
    return [base64.b64decode(data) for data in _DATA.findall(style)]


def test_every_face_of_the_text_is_in_its_style_sheet_and_small(cache: Cache) -> None:
    site = styles(cache)[STYLES]
    found = faces(site)
    assert len(found) == site.count("@font-face") - 1  # one stands in for a face of the system
    for face in found:
        assert face.startswith(b"wOF2")
        assert 3000 < len(face) < 13_000


def test_katex_has_the_faces_that_formulas_use_and_no_other(cache: Cache) -> None:
    assert _NAMES.findall(styles(cache, _SUM)[KATEX]) == [
        ("KaTeX_Main", "normal", "400"),
        ("KaTeX_Math", "italic", "400"),
        ("KaTeX_Size2", "normal", "400"),
    ]
    assert "@font-face" not in styles(cache)[KATEX]


def test_bold_and_other_alphabets_bring_their_faces(cache: Cache) -> None:
    bold = _SUM.replace("mathnormal", "mathbf").replace("op-symbol large-op", "mathbb")
    assert _NAMES.findall(styles(cache, bold)[KATEX]) == [
        ("KaTeX_AMS", "normal", "400"),
        ("KaTeX_Main", "normal", "700"),
        ("KaTeX_Main", "normal", "400"),
    ]


def test_a_character_of_a_page_is_in_the_face(cache: Cache) -> None:
    plain, more = styles(cache)[STYLES], styles(cache, texts=("naïve",))[STYLES]
    assert plain == styles(cache, texts=("naive",))[STYLES]
    assert all(len(b) > len(a) for a, b in zip(faces(plain), faces(more), strict=True))


def test_no_style_of_the_site_asks_for_a_file_of_a_font(built_site: Project) -> None:
    for file in (built_site.root / "dist" / "static").rglob("*.css"):
        assert not re.search(r"url\((?!\"data:)", file.read_text("utf-8")), file
    assert not [*(built_site.root / "dist").rglob("*.woff*")]


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

    def answer(_: Path, questions: list[object]) -> list[dict[str, str]]:
        asked.append(len(questions))
        return [{"data": "AAAA"}] * len(questions)

    monkeypatch.setattr(module, "ask_node", answer)
    cache = Cache(tmp_path)
    first = styles(cache, _SUM)
    assert styles(cache, _SUM) == first
    styles(cache, _SUM.replace(">x<", ">y<"))
    assert asked == [7, 3]
