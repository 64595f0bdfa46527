"""The faces of the site, each cut down to the characters that the site has.

KaTeX's are part of its style sheet, so that no formula is ever drawn without them. Those of the
text are files: one that comes late is used from the next page on, so that nothing moves.
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
_SITE = "static/site.css"  # names the faces
SUBSET = Path(__file__).with_suffix(".mjs")
_KATEX = PACKAGES / "katex" / "dist"
_TEXT_FONTS = (  # the packages of fonts that site.css may name
    PACKAGES / "@fontsource" / "source-serif-4" / "files",
    PACKAGES / "@fontsource" / "ibm-plex-mono" / "files",
)
_REMEDY = "add its package in site_builder/render/fonts.py, or correct the name"
_TYPED = string.digits + string.ascii_letters + string.punctuation + " "  # readers type these
_FACE = re.compile(r"@font-face\s*\{[^}]*\}\s*")
_SOURCE = re.compile(r'src:\s*url\("?fonts/([^")]+\.woff2)"?\) format\("woff2"\)[^;}]*')
_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_VISUAL = '<span class="katex-html"'  # begins the part for the eye, after the MathML
_CLASSES = re.compile(r'class="([^"]*)"')
_TAG = re.compile(r"<[^>]*>")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Look:
    """What a rule or a face says of the font; None where it does not say."""

    family: str | None
    bold: bool
    italic: bool


@dataclass(frozen=True, slots=True)
class Faces:
    """The faces of a project's styles.

    Attributes:
        root: the project's folder.
        sheet: the styles of the site, made small.
        formulas: those of the site as KaTeX typeset them.
        tools: subset the fonts.
        report: gets what cannot be found or subset.
    """

    root: Path
    sheet: str
    formulas: tuple[str, ...]
    tools: Tools
    report: Report

    @property
    def of_text(self) -> tuple[str, ...]:
        """The files of the faces of the text, by their paths in the site."""
        return tuple(_path(name) for name in _SOURCE.findall(self._site))

    def styles(self, use: str, texts: Iterable[str]) -> dict[str, str | bytes]:
        """The style sheets that name faces, and the files of those, by their path in the site.

        Args:
            use: what they are for. The cache keeps the faces of each use.
            texts: all that holds characters which are shown in the faces of the text.
        """
        text = "".join(sorted({*_TYPED}.union(*map(_characters, texts))))
        signs = "".join(sorted(set().union(*map(_signs, self.formulas))))
        katex = _with_used_faces((_KATEX / "katex-swap.min.css").read_text("utf-8"), self.formulas)
        of_text = _requested(self._site, text, self.report)
        requested = {**of_text, **_requested(katex, signs, self.report)}
        fonts = _subset(use, requested, self.tools, self.report)
        files = {_path(name): base64.b64decode(fonts.get(name, "")) for name in of_text}
        return {STYLES: self.sheet, KATEX: _embedded(katex, fonts), **files}

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
    """What a typeset formula shows."""
    return html.unescape(_TAG.sub("", formula[formula.find(_VISUAL) :]))


def _requested(style: str, text: str, report: Report) -> dict[str, tuple[Path, str]]:
    """The file of each face that a style names, and the characters that it needs."""
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

    tool = Tool(name=f"fonts-{use}", script=SUBSET, decode=_data)
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
def _with_used_faces(style: str, formulas: tuple[str, ...]) -> str:
    """KaTeX's styles without the faces in which no formula has anything."""
    attributes = {classes for formula in formulas for classes in _CLASSES.findall(formula)}
    used = [*_looks(style, [frozenset(classes.split()) for classes in attributes])]

    def is_used(face: _Look) -> bool:
        own = [look for look in used if look.family in {face.family, None}]
        return (
            any(look.family == face.family for look in own)
            and (not face.bold or any(look.bold for look in own))
            and (not face.italic or any(look.italic for look in own))
        )

    return _FACE.sub(lambda match: match[0] if is_used(_look(match[0])) else "", style)


def _looks(style: str, elements: list[frozenset[str]]) -> Iterator[_Look]:
    """What those rules say of the font that may hold for an element with one of these classes."""
    for selectors, declarations in _RULE.findall(_FACE.sub("", style)):
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
