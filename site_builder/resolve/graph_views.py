"""Graphs of code: boxes and arrows to be laid out, and what stands in the boxes."""

from dataclasses import dataclass
from typing import ClassVar

from site_builder.resolve.links import CodeLink
from site_builder.resolve.notebook import Notebook
from site_builder.resolve.text_views import Maths, Text
from site_builder.resolve.view import View


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """A box to be placed; sizes are CSS pixels.

    Attributes:
        group: the innermost group that it stands in.
        twin: the box of the graph before beside which it should stand.
    """

    id: str
    width: float
    height: float
    group: str | None
    twin: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """A frame around boxes; `group` is the one around it."""

    id: str
    group: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrow:
    """An arrow between boxes; `carried` to the next turn of the loop that the group is."""

    source: str
    target: str
    carried: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Graph:
    """A graph to be laid out, downwards or upwards."""

    boxes: tuple[Box, ...]
    arrows: tuple[Arrow, ...]
    groups: tuple[Group, ...]
    upward: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Graphs that are laid out together, the later ones to fit the first."""

    graphs: tuple[Graph, ...]


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
        is_round: what is given to the code.
        is_given_back: what comes out of it.
        remark: the lines of a text beside the graph, where there is room.
    """

    id: str
    kind: str
    name: str
    maths: Maths | None
    symbol: str | None
    corner: str
    note: str
    shape: str
    href: str
    is_round: bool = False
    is_given_back: bool = False
    remark: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupView:
    """What stands at the head of a group: the code of the loop, and the functions in it."""

    id: str
    code: str
    link: CodeLink
    inside: tuple[tuple[str, CodeLink], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RowView:
    """A box as a row of the table that says the same."""

    name: str
    symbol: str | None
    link: CodeLink
    shape: str
    sources: tuple[str, ...]
    remark: str
    is_given_back: bool = False
    page: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphView:
    """A graph with its boxes, and its table."""

    title: str
    link: CodeLink
    label: str
    boxes: tuple[BoxView, ...]
    groups: tuple[GroupView, ...]
    rows: tuple[RowView, ...]
    upward: bool

    @property
    def numbers(self) -> dict[str, int]:
        """The number of each box, counted from 1."""
        return {box.id: number for number, box in enumerate(self.boxes, start=1)}


@dataclass(frozen=True, slots=True, kw_only=True)
class DataFlowView(View):
    """The data flow of a function, or of two that mirror each other."""

    template: ClassVar[str] = "dataflow.html"
    id: str
    caption: Text
    layout: Layout
    graphs: tuple[GraphView, ...]
    left_out: tuple[str, ...]
    has_loops: bool

    def markdown(self, notebook: Notebook) -> str:
        """Nothing, as yet."""
        del notebook
        return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelMapView:
    """The map of the model."""

    layout: Layout
    graph: GraphView
    left_out: tuple[str, ...]
