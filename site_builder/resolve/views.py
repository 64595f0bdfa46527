"""The blocks of a page: one complete record for each template, with nothing left to decide."""

from dataclasses import dataclass
from typing import ClassVar

from site_builder.observe.sizes import ShapeView
from site_builder.resolve.cell_views import CellView, ExerciseView, ListingView
from site_builder.resolve.code_views import (
    ArgumentView,
    ConnectionsView,
    ImplementedView,
    ParametersView,
    PrintedView,
    ShapesView,
    UsageView,
)
from site_builder.resolve.example_views import ExampleView, FigureView, TraceView
from site_builder.resolve.graph_views import DataFlowView
from site_builder.resolve.links import CodeLink
from site_builder.resolve.text_views import ClaimView, Maths, Reference, Text


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadingView:
    """A heading, its id, and the number that it has in print."""

    template: ClassVar[str] = "heading.html"
    level: int
    id: str
    number: str
    title: Text
    plain: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ProseView:
    """Ordinary Markdown."""

    template: ClassVar[str] = "prose.html"
    text: Text


@dataclass(frozen=True, slots=True, kw_only=True)
class AboutView:
    """What something is, with a badge that says how far it is real."""

    template: ClassVar[str] = "about.html"
    status: str
    label: str
    functions: tuple[Reference, ...]
    body: tuple["BlockView", ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteView:
    """An aside."""

    template: ClassVar[str] = "note.html"
    body: tuple["BlockView", ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AliasView:
    """An id that the page had once, and where links to it lead now."""

    template: ClassVar[str] = "alias.html"
    id: str
    href: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EquationView:
    """An equation, its caption, the lines that compute it, and how it was checked.

    Attributes:
        number: the one that it has in print.
        step: its number in a derivation, if it has one.
        code: the lines that compute it, as they are but for the indentation that all have.
        unchecked: why it is not executed; None if it is.
    """

    template: ClassVar[str] = "equation.html"
    id: str
    number: str
    step: int | None
    caption: Text
    maths: Maths
    lines: tuple[CodeLink, ...]
    code: str
    unchecked: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckView:
    """On which program and inputs the equations of a page are checked."""

    template: ClassVar[str] = "check.html"
    program: Reference
    source: Reference
    main: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SymbolView:
    """A row of a symbol table; `id` is None where the symbol has one already."""

    id: str | None
    name: str
    spoken: str
    maths: Maths
    latex: str
    meaning: Text
    code: str | None
    link: CodeLink | None
    shape: ShapeView


@dataclass(frozen=True, slots=True, kw_only=True)
class SymbolsView:
    """A symbol table."""

    template: ClassVar[str] = "symbols.html"
    label: str
    rows: tuple[SymbolView, ...]


BlockView = (
    HeadingView
    | ProseView
    | AboutView
    | NoteView
    | AliasView
    | CheckView
    | ClaimView
    | EquationView
    | SymbolsView
    | ListingView
    | PrintedView
    | ConnectionsView
    | ImplementedView
    | UsageView
    | ShapesView
    | ParametersView
    | ArgumentView
    | ExampleView
    | FigureView
    | DataFlowView
    | TraceView
    | CellView
    | ExerciseView
)
