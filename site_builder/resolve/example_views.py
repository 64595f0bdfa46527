"""What pages show of examples: inputs, and what a run gave."""

from dataclasses import dataclass
from typing import ClassVar

from site_builder.resolve.links import CodeLink
from site_builder.resolve.text_views import Reference, Text


@dataclass(frozen=True, slots=True, kw_only=True)
class NumbersView:
    """An observed array: its key in the run, its shape, each number as text."""

    key: str
    shape: tuple[int, ...]
    rows: tuple[tuple[str, ...], ...]
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotView:
    """One entry of an observed array, in running text."""

    key: str
    offset: int
    text: str


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
    """An input of an example."""

    name: str
    rows: tuple[tuple[str, ...], ...]
    row_labels: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExampleView:
    """An example: inputs to edit, and what a run of the program gave.

    Attributes:
        program: dotted name of the program; examples with one program share their inputs.
        data: what the browser needs to run the program, as JSON; None where it is on the page.
    """

    template: ClassVar[str] = "example.html"
    id: str
    title: str
    note: Text
    program: str
    source: Reference
    inputs: tuple[InputView, ...]
    presets: tuple[tuple[str, str], ...]
    columns: tuple[str, ...]
    rows: tuple[ResultRow, ...]
    data: str | None
    environment: str
