"""Read a page: Markdown prose, headings with explicit ids, and fences, all with their places."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path, PurePosixPath

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.colon_fence import colon_fence_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.front_matter import front_matter_plugin
from mdit_py_plugins.myst_blocks import myst_block_plugin
from mdit_py_plugins.myst_role import myst_role_plugin

from site_builder.cache import fingerprint
from site_builder.problem import Place, Report
from site_builder.read.text import read_text

PART_LEVEL = 2  # a heading of this level begins a part of a page
_OPENING = re.compile(r"\{([\w-]+)\}[ \t]*(.*)")
_OPTION = re.compile(r":([\w-]+):(?:[ \t]+(.*))?")
_FRONT_MATTER_KEYS = {"title", "summary", "order", "notebook"}
_MAX_INCLUDES = 20
_INSIDE = (
    "a heading or directive cannot be inside a list or block quote",
    "begin it at the start of a line",
)
_DISPLAY = (
    "display mathematics between $$ has no id and is not linked to code",
    "write it as an {equation} directive",
)
_MISPLACED = {
    "heading_open": _INSIDE,
    "colon_fence": _INSIDE,
    "myst_target": _INSIDE,
    "math_block": _DISPLAY,
    "math_block_label": _DISPLAY,
    "myst_block_break": ("'+++' means nothing here", "remove it, or write --- for a line"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Prose:
    """Consecutive ordinary Markdown, as tokens; `place` is the line before the first."""

    tokens: tuple[Token, ...]
    place: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """A heading with its explicit id."""

    level: int
    id: str
    title: Token
    place: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """`:name: value` at the start of a directive."""

    name: str
    value: str
    place: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of a directive's body."""

    text: str
    place: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class Fence:
    """A colon fence as written: `:::{name} argument`, options, body."""

    name: str
    argument: str
    options: tuple[Option, ...]
    body: tuple[Line, ...]
    place: Place

    def option(self, name: str) -> str:
        """The value of an option; empty if it is not given."""
        return next((option.value for option in self.options if option.name == name), "")

    def options_named(self, name: str) -> tuple[Option, ...]:
        """All options of that name."""
        return tuple(option for option in self.options if option.name == name)

    def rows(self, columns: tuple[str, ...], report: Report) -> Iterator[tuple[Line, list[str]]]:
        """The lines of the body, split at `|`; those with too few cells are reported."""
        for line in self.body:
            cells = [cell.strip() for cell in line.text.split("|", maxsplit=len(columns) - 1)]
            if len(cells) == len(columns):
                yield line, cells
            elif line.text.strip():
                remedy = f"write {' | '.join(columns)}"
                report.add(line.place, "this row is incomplete", remedy)


Block = Prose | Heading | Fence


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A page of the site; `slug` names its file in the site.

    Attributes:
        version: a fingerprint of its file and of the files that it includes.
        has_notebook: whether it is also published as a notebook.
    """

    path: str
    slug: str
    title: str
    summary: str
    order: int
    has_notebook: bool
    version: str
    blocks: tuple[Block, ...]


def read_page(root: Path, path: str, report: Report) -> Page | None:
    """Read `root / path`, a Markdown file in the content folder."""
    text = read_text(root, path, report)
    if text is None:
        return None
    place = Place(path=path, line=1)
    tokens = _parsed(text)
    front = _front_matter(tokens, place, report)
    order = front.get("order", "0")
    if not order.isdecimal():
        report.add(
            Place(path=path, line=1), f"'order: {order}' is not a number", "write a whole number"
        )
    notebook = front.get("notebook", "yes")
    if notebook not in ("yes", "no"):
        report.add(
            Place(path=path, line=1),
            f"'notebook: {notebook}' is neither yes nor no",
            "write yes or no",
        )
    blocks = tuple(_blocks(root, tokens, Place(path=path, line=0), report, ()))
    files = sorted({path, *(block.place.path for block in blocks)})
    return Page(
        path=path,
        slug=PurePosixPath(path).stem,
        title=front.get("title", ""),
        summary=front.get("summary", ""),
        order=int(order) if order.isdecimal() else 0,
        has_notebook=notebook != "no",
        blocks=blocks,
        version=fingerprint(*(f"{name}\n{(root / name).read_bytes()!r}" for name in files)),
    )


def read_blocks(text: str, before: Place, report: Report) -> tuple[Block, ...]:
    """Parse Markdown whose first line is the one after `before`."""
    return tuple(_blocks(Path(), _parsed(text), before, report, ()))


@lru_cache(maxsize=1024)
def _parsed(text: str) -> list[Token]:
    """The tokens of Markdown. They are cached and shared, so must not be modified."""
    return _parser().parse(text)


@cache
def _parser() -> MarkdownIt:
    return (
        MarkdownIt("commonmark", {"html": False})
        .enable("table")
        .use(colon_fence_plugin)
        .use(dollarmath_plugin, double_inline=False)
        .use(front_matter_plugin)
        .use(myst_block_plugin)
        .use(myst_role_plugin)
    )


def _front_matter(tokens: list[Token], place: Place, report: Report) -> dict[str, str]:
    front: dict[str, str] = {}
    content = tokens[0].content if tokens and tokens[0].type == "front_matter" else ""
    for offset, line in enumerate(filter(None, content.split("\n")), start=2):
        key, _, value = line.partition(":")
        if key.strip() in _FRONT_MATTER_KEYS:
            front[key.strip()] = value.strip()
        else:
            known = ", ".join(sorted(_FRONT_MATTER_KEYS))
            report.add(
                Place(path=place.path, line=offset),
                f"unknown front matter '{key}'",
                f"use one of {known}",
            )
    for key in ("title", "summary"):
        if not front.get(key):
            report.add(
                Place(path=place.path, line=1),
                f"the page has no {key}",
                f"add '{key}: …' between --- lines",
            )
    return front


def _blocks(
    root: Path, tokens: list[Token], before: Place, report: Report, including: tuple[str, ...]
) -> Iterator[Block]:
    """Split the tokens at headings and directives; `before` is the line before the first."""
    prose: list[Token] = []
    target, target_place = "", before
    index = 0
    while index < len(tokens):
        token = tokens[index]
        place = Place(path=before.path, line=before.line + (token.map or [0])[0] + 1)
        special = token.type in ("front_matter", "myst_target", "heading_open", "colon_fence")
        if target and token.type != "heading_open":
            _report_stray_id(target, target_place, report)
            target = ""
        if special and token.level == 0:
            yield from _taken(prose, before)
            if token.type == "myst_target":
                target, target_place = token.content, place
            elif token.type == "heading_open":
                yield _heading(tokens[index : index + 3], target, place, report)
                target = ""
                index += 2
            elif token.type == "colon_fence":
                yield from _directive(root, token, place, report, including)
        elif _is_prose(token, place, report):
            prose.append(token)
        index += 1
    yield from _taken(prose, before)
    if target:
        _report_stray_id(target, target_place, report)


def _taken(tokens: list[Token], before: Place) -> Iterator[Prose]:
    """The prose collected so far, if any. Empties the list."""
    if tokens:
        yield Prose(tokens=tuple(tokens), place=before)
        tokens.clear()


def _is_prose(token: Token, at: Place, report: Report) -> bool:
    """Whether a token may be in running text; others are reported, except for comments."""
    if token.type in _MISPLACED:
        report.add(at, *_MISPLACED[token.type])
    return token.type not in (*_MISPLACED, "myst_line_comment")


def _report_stray_id(target: str, at: Place, report: Report) -> None:
    report.add(at, f"the id '{target}' is not above a heading", "move or remove it")


def _heading(tokens: list[Token], target: str, place: Place, report: Report) -> Heading:
    if not target:
        what = f"the heading '{tokens[1].content}' has no id"
        report.add(place, what, "put a line such as (some-id)= above it")
    return Heading(level=int(tokens[0].tag[1]), id=target, title=tokens[1], place=place)


def _directive(
    root: Path, token: Token, place: Place, report: Report, including: tuple[str, ...]
) -> Iterator[Block]:
    opening = _OPENING.fullmatch(token.info.strip())
    if not opening:
        what = f"':::{token.info}' is not a directive"
        report.add(place, what, "write :::{name} and its argument")
        return
    lines = [
        Line(text=text, place=Place(path=place.path, line=place.line + offset))
        for offset, text in enumerate(token.content.split("\n")[:-1], start=1)
    ]
    options: list[Option] = []
    while lines and (match := _OPTION.fullmatch(lines[0].text.strip())):
        value = (match[2] or "").strip()
        options.append(Option(name=match[1], value=value, place=lines.pop(0).place))
    while lines and not lines[-1].text.strip():
        lines.pop()
    while lines and not lines[0].text.strip():
        lines.pop(0)
    if opening[1] == "include":
        yield from _include(root, opening[2].strip(), place, report, including)
        return
    yield Fence(
        name=opening[1],
        argument=opening[2].strip(),
        options=tuple(options),
        body=tuple(lines),
        place=place,
    )


def _include(
    root: Path, name: str, place: Place, report: Report, including: tuple[str, ...]
) -> Iterator[Block]:
    """The blocks of another Markdown file, which must be in the content folder."""
    content = PurePosixPath(place.path).parts[0]
    folder = root / PurePosixPath(place.path).parent
    try:
        path = (folder / name).resolve().relative_to(root.resolve()).as_posix()
    except (ValueError, OSError):
        path = ""
    if PurePosixPath(path).parts[:1] != (content,):
        what = f"'{name}' is outside the folder {content}"
        report.add(place, what, f"include a file from below {content}/")
    elif path in including or len(including) > _MAX_INCLUDES:
        report.add(place, f"'{name}' includes itself", "break the cycle")
    elif (root / path).is_file():
        text = read_text(root, path, report)
        if text is not None:
            before = Place(path=path, line=0)
            yield from _blocks(root, _parsed(text), before, report, (*including, path))
    else:
        report.add(place, f"'{name}' does not exist", "correct the name")
