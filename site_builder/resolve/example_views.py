"""What pages show of examples: inputs, and what a run gave."""

from dataclasses import dataclass
from typing import ClassVar

from site_builder.resolve.links import CodeLink
from site_builder.resolve.text_views import Reference, Text


@dataclass(frozen=True, slots=True, kw_only=True)
class NumbersView:
    """An observed array: its key in the run, its shape, each number as text, whose value it is."""

    key: str
    shape: tuple[int, ...]
    rows: tuple[tuple[str, ...], ...]
    label: str
    symbol: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotView:
    """One entry of an observed array, in running text."""

    key: str
    index: str
    text: str
    symbol: str | None


CellView = NumbersView | tuple[str | SlotView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultRow:
    """A row of results; `link` and `code` where there is one value and so one place."""

    label: str
    cells: tuple[CellView, ...]
    link: CodeLink | None
    code: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class InputView:
    """An input of an example, and the symbol that it is the value of."""

    name: str
    symbol: str | None
    rows: tuple[tuple[str, ...], ...]
    row_labels: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ResizeView:
    """A dimension that can be made longer and shorter, and what stands along it."""

    symbol: str
    noun: str
    most: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ExampleView:
    """An example: inputs to edit, and what a run of the program gave.

    Attributes:
        program: dotted name of the program.
        run: program and starting numbers; blocks with one run share their inputs.
        axes: the dimensions of each input as JSON; None where no size can be changed.
        data: what the browser needs to run the program, as JSON; None where it is on the page.
    """

    template: ClassVar[str] = "example.html"
    id: str
    title: str
    note: Text
    program: str
    run: str
    source: Reference
    inputs: tuple[InputView, ...]
    axes: str | None
    resize: tuple[ResizeView, ...]
    presets: tuple[tuple[str, str], ...]
    columns: tuple[str, ...]
    rows: tuple[ResultRow, ...]
    data: str | None
    environment: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """What a drawing is made from: its kind, and values by the names that the drawing uses."""

    kind: str
    values: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureView:
    """A drawing of a run's values; `keys` says as JSON which value the drawing has by each name."""

    template: ClassVar[str] = "figure.html"
    id: str
    kind: str
    run: str
    keys: str
    drawing: Drawing
    caption: Text
    data: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceStep:
    """A statement, or the call itself, with the values that it gave."""

    line: int
    href: str
    code: str
    values: tuple[NumbersView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TracePart:
    """The steps of one function."""

    name: str
    link: CodeLink
    steps: tuple[TraceStep, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceView:
    """The statements of functions with the values that they gave, in order."""

    template: ClassVar[str] = "trace.html"
    id: str
    title: str
    run: str
    parts: tuple[TracePart, ...]
    data: str | None
