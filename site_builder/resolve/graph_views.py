"""Graphs of code: what stands in their boxes, and how large these are."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from site_builder.read.code import Function, Span
from site_builder.read.dataflow import Edge, Loop, Node, nesting
from site_builder.resolve.links import CodeLink, Links
from site_builder.resolve.text_views import Maths

# Sizes in CSS pixels. The type is monospaced, so that the width of text is known.
_ROW = 44  # the height of a box with two lines
_JOINT = 24
_NAME = 7.2  # a character of a name, at 12px
_SMALL = 6.3  # a character of the rest, at 10.5px
_SERIF = 6  # a character of a page's title, about
_SYMBOL = 11  # a letter of a formula, about
_PADDING = 20
_GAP = 10
_LEAST = 64
_GROUP_LINE = 17
_COMMAND = re.compile(r"\\(?:hat|bar|tilde|text|mathrm|mathbf|operatorname)\b|[{}_^\s]")
_LETTER = re.compile(r"\\[a-zA-Z]+|.")


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxView:
    """What stands in a box.

    Attributes:
        kind: of the node; the style sheet knows it.
        name: as the code writes it.
        maths: the symbol that the page has for it.
        symbol: the id of that symbol.
        corner: at the right of the name: the number of the line.
        note: below the name, at the left, and `shape` at the right or alone.
        href: where it leads.
        group: the id of the innermost group that it stands in.
        is_round: what is given to the code.
        is_returned: what comes out of it.
        remark: the lines of a text beside the graph, where there is room.
        least: a width that it has at least.
    """

    id: str
    kind: str
    name: str
    corner: str
    shape: str
    href: str
    group: str | None = None
    maths: Maths | None = None
    symbol: str | None = None
    note: str = ""
    is_round: bool = False
    is_returned: bool = False
    remark: tuple[str, ...] = ()
    least: float = 0

    @property
    def width(self) -> float:
        """The width that its text needs, in steps of 8 px, so that boxes line up."""
        if self.kind == "joint":
            return max(_JOINT + 12, _NAME * len(self.name) + _PADDING)
        letters = _LETTER.findall(_COMMAND.sub("", self.maths.latex)) if self.maths else []
        name = _SYMBOL * len(letters) if self.maths else _NAME * len(self.name)
        first = name + (_GAP + _SMALL * len(self.corner) if self.corner else 0)
        second = _SMALL * len(self.shape) + (_GAP + _SERIF * len(self.note) if self.note else 0)
        return max(-(-max(_LEAST, _PADDING + max(first, second)) // 8) * 8, self.least)

    @property
    def height(self) -> float:
        """The height of its lines."""
        return _JOINT if self.kind == "joint" else _ROW if self.shape or self.note else _ROW * 0.7

    @property
    def radius(self) -> float:
        """That of its corners."""
        return self.height / 2 if self.is_round else 5

    @property
    def remark_top(self) -> float:
        """The first line of the remark, from the top of the box, which it stands beside."""
        return 26 - 8 * len(self.remark)


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupView:
    """A loop's frame: at its head the code of the loop, and the functions whose code is in it.

    Attributes:
        group: the id of the one around it.
    """

    id: str
    group: str | None
    code: str
    link: CodeLink
    inside: tuple[tuple[str, CodeLink], ...]

    @property
    def head(self) -> int:
        """The height of the head."""
        return 20 + _GROUP_LINE * len(self.inside)

    @property
    def lines(self) -> tuple[tuple[int, str, CodeLink], ...]:
        """The functions, each with where its text stands."""
        return tuple(
            (15 + _GROUP_LINE * number, name, link)
            for number, (name, link) in enumerate(self.inside, start=1)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class RowView:
    """A box as a row of the table that says the same."""

    name: str
    symbol: str | None
    link: CodeLink
    shape: str
    sources: tuple[str, ...]
    remark: str
    is_returned: bool = False
    page: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphView:
    """A graph to be laid out, downwards or upwards, and its table."""

    title: str
    link: CodeLink
    label: str
    boxes: tuple[BoxView, ...]
    groups: tuple[GroupView, ...]
    arrows: tuple[Edge, ...]
    rows: tuple[RowView, ...]
    upward: bool = False

    @property
    def numbers(self) -> dict[str, int]:
        """The number of each box, counted from 1."""
        return {box.id: number for number, box in enumerate(self.boxes, start=1)}


def group_id(loop: Loop | None) -> str | None:
    """The id of a loop's frame."""
    return f"loop {loop.line}" if loop else None


def group_views(
    nodes: Iterable[Node], links: Links, opened: Iterable[tuple[Function, Loop | None]] = ()
) -> tuple[GroupView, ...]:
    """The frames of the loops around nodes, each after the one around it."""
    paths = {loop: node.span.path for node in nodes for loop in nesting(node.loop)}
    return tuple(
        GroupView(
            id=group_id(loop) or "",
            group=group_id(loop.outer),
            code=loop.code,
            link=links.span(Span(path=path, first=loop.line, last=loop.line)),
            inside=tuple((f.qualname, links.function(f)) for f, where in opened if where == loop),
        )
        for loop, path in paths.items()
    )


def shortened(text: str, longest: int) -> str:
    """Text that fits into a box; the table has all of it."""
    return text if len(text) <= longest else f"{text[: longest - 1]}…"
