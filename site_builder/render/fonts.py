"""The fonts of the site, each subset to the characters that the site uses.

KaTeX's fonts are embedded in its style sheet, so that no formula is ever drawn without them. Text
fonts are files: one that arrives late is used from the next page on, so that nothing moves.
"""

import base64
import html
import re
import string
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from site_builder.problem import Place, Report
from site_builder.render.esbuild import STYLES
from site_builder.render.tools import PACKAGES, Question, Tool, Tools

KATEX = "static/katex/katex.min.css"
_SITE = "static/site.css"  # names the text fonts
_SCRIPT = Path(__file__).with_suffix(".mjs")
_KATEX = PACKAGES / "katex" / "dist"
_TEXT_FONTS = (  # packages of the fonts that site.css may name
    PACKAGES / "@fontsource" / "source-serif-4" / "files",
    PACKAGES / "@fontsource" / "ibm-plex-mono" / "files",
)
_REMEDY = "add its package in site_builder/render/fonts.py, or correct the name"
_TYPED = string.digits + string.ascii_letters + string.punctuation + " "  # readers type these
_FONT_FACE = re.compile(r"@font-face\s*\{[^}]*\}\s*")
_SOURCE = re.compile(r'src:\s*url\("?fonts/([^")]+\.woff2)"?\) format\("woff2"\)[^;}]*')
_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_VISUAL = '<span class="katex-html"'  # the start of the visual part, after the MathML
_CLASSES = re.compile(r'class="([^"]*)"')
_TAG = re.compile(r"<[^>]*>")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Look:
    """The font properties of a rule or an @font-face; None if unspecified."""

    family: str | None
    bold: bool
    italic: bool


def formula_styles(formulas: Iterable[str], tools: Tools, report: Report) -> str:
    """KaTeX's style sheet with only the fonts that these typeset formulas use."""
    known = tuple(formulas)
    signs = "".join(sorted(set().union(*map(_signs, known))))
    style = _with_used_fonts((_KATEX / "katex-swap.min.css").read_text("utf-8"), known)
    return _embedded(style, _subset("formulas", _requested(style, signs, report), tools, report))


@dataclass(frozen=True, slots=True, kw_only=True)
class Fonts:
    """The style sheets of a project, and the fonts that they name.

    Attributes:
        root: the project's folder.
        sheet: the site's own style sheet, minified.
        formula_sheet: the style sheet for formulas, with its fonts embedded.
        tools: subset the fonts.
        report: receives fonts that cannot be found or subset.
    """

    root: Path
    sheet: str
    formula_sheet: str
    tools: Tools
    report: Report

    @property
    def of_text(self) -> tuple[str, ...]:
        """The paths in the site of the text fonts."""
        return tuple(_path(name) for name in _SOURCE.findall(self._site))

    def styles(self, use: str, texts: Iterable[str]) -> dict[str, str | bytes]:
        """The style sheets and the files of the text fonts, by their path in the site.

        Args:
            use: the purpose; each has its own cache entry.
            texts: everything with characters shown in the text fonts.
        """
        text = "".join(sorted({*_TYPED}.union(*map(_characters, texts))))
        requested = _requested(self._site, text, self.report)
        fonts = _subset(use, requested, self.tools, self.report)
        files = {_path(name): base64.b64decode(fonts.get(name, "")) for name in requested}
        return {STYLES: self.sheet, KATEX: self.formula_sheet, **files}

    @property
    def _site(self) -> str:
        return (self.root / _SITE).read_text("utf-8")


def _path(name: str) -> str:
    return f"static/fonts/{name}"


@lru_cache(maxsize=1024)
def _characters(text: str) -> frozenset[str]:
    return frozenset(text)


@lru_cache(maxsize=8192)
def _signs(formula: str) -> str:
    """The characters that a typeset formula shows."""
    return html.unescape(_TAG.sub("", formula[formula.find(_VISUAL) :]))


def _requested(style: str, text: str, report: Report) -> dict[str, tuple[Path, str]]:
    """The file of each font that a style sheet names, and the characters that it needs."""
    requested = {}
    for match in _SOURCE.finditer(style):
        name = match[1]
        folders = (*_TEXT_FONTS, _KATEX / "fonts")
        file = next((f / name for f in folders if (f / name).is_file()), None)
        if file:
            requested[name] = (file, text)
        else:
            line = style.count("\n", 0, match.start()) + 1
            report.add(Place(path=_SITE, line=line), f"no package has the font {name}", _REMEDY)
    return requested


def _data(answer: dict[str, str]) -> str:
    return answer["data"]


def _subset(
    use: str, requested: dict[str, tuple[Path, str]], tools: Tools, report: Report
) -> dict[str, str]:
    """The fonts in base64, by name."""

    def failed(name: str, reply: dict[str, Any]) -> None:
        report.add(
            Place(path=_SITE), f"{name} cannot be subset: {reply['error']}", "run `make setup`"
        )

    tool = Tool(name=f"fonts-{use}", script=_SCRIPT, decode=_data)
    questions = {
        name: Question(value={"font": str(file), "text": text}, content=(file.read_bytes(), text))
        for name, (file, text) in requested.items()
    }
    return tools.ask(tool, questions, failed)


def _embedded(style: str, fonts: dict[str, str]) -> str:
    return _SOURCE.sub(
        lambda match: (
            f'src: url("data:font/woff2;base64,{fonts.get(match[1], "")}") format("woff2")'
        ),
        style,
    )


@lru_cache(maxsize=2)
def _with_used_fonts(style: str, formulas: tuple[str, ...]) -> str:
    """KaTeX's styles without the fonts that no formula uses."""
    attributes = {classes for formula in formulas for classes in _CLASSES.findall(formula)}
    used = [*_looks(style, [frozenset(classes.split()) for classes in attributes])]

    def is_used(font: _Look) -> bool:
        own = [look for look in used if look.family in {font.family, None}]
        return (
            any(look.family == font.family for look in own)
            and (not font.bold or any(look.bold for look in own))
            and (not font.italic or any(look.italic for look in own))
        )

    return _FONT_FACE.sub(lambda match: match[0] if is_used(_look(match[0])) else "", style)


def _looks(style: str, elements: list[frozenset[str]]) -> Iterator[_Look]:
    """The font properties of rules that may apply to an element with one of these classes."""
    for selectors, declarations in _RULE.findall(_FONT_FACE.sub("", style)):
        if "font" in declarations and any(
            all(
                any(classes <= element for element in elements)
                for classes in map(_classes, re.split(r"[\s>+~]+", selector.strip()))
            )
            for selector in selectors.split(",")
        ):
            yield _look(declarations)


def _classes(compound: str) -> frozenset[str]:
    return frozenset(re.findall(r"\.([\w-]+)", compound))


def _look(declarations: str) -> _Look:
    family = re.search(r"KaTeX_\w+", declarations)
    return _Look(
        family=family and family[0],
        bold="font-weight:700" in declarations,
        italic="font-style:italic" in declarations,
    )
