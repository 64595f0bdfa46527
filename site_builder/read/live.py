"""What is common to all that shows values of a run: a program, its inputs, and rows of anchors."""

import re
from dataclasses import dataclass

from site_builder.problem import Report
from site_builder.read.anchors import AnchorError, Anchors, CodePlace
from site_builder.read.code import Function
from site_builder.read.page import Directive, Line, Place
from site_builder.read.starts import Numbers

_SLOT = re.compile(r"\{([^{}@]+)@([\d, ]+)\}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """One entry of an observed array, inside a line of text."""

    place: CodePlace
    index: tuple[int, ...]


Cell = CodePlace | tuple[str | Slot, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A label, then observed values or lines of text with values in them."""

    label: str
    cells: tuple[Cell, ...]
    place: Place

    def observed(self) -> list[CodePlace]:
        """Everything that the row shows."""
        found: list[CodePlace] = []
        for cell in self.cells:
            if isinstance(cell, CodePlace):
                found.append(cell)
            else:
                found.extend(part.place for part in cell if isinstance(part, Slot))
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Live:
    """A block that shows values of a run.

    Attributes:
        program: what runs.
        source: the test function from which the starting numbers were read.
        starts: the starting numbers of all the program's inputs.
    """

    id: str
    program: Function
    source: Function
    starts: dict[str, Numbers]
    rows: tuple[Row, ...]
    place: Place

    @property
    def run(self) -> str:
        """Program and starting numbers: blocks of one page that agree in both share one run."""
        return f"{self.program.dotted} {self.source.dotted}"

    def observed(self) -> list[CodePlace]:
        """Everything that the rows show."""
        return [place for row in self.rows for place in row.observed()]


def read_option(directive: Directive, name: str, default: str | None = None) -> str:
    """The value of an option.

    Raises:
        AnchorError: it is not there and has no default.
    """
    for option in directive.options:
        if option.name == name:
            return option.value
    if default is None:
        raise AnchorError(f"{{{directive.name}}} lacks :{name}:", f"add a line ':{name}: …'")
    return default


def read_rows(lines: tuple[Line, ...], anchors: Anchors, report: Report) -> tuple[Row, ...]:
    """Rows of a label and cells; those whose anchors name nothing are reported."""
    rows = []
    for line in lines:
        label, *cells = map(str.strip, line.text.split("|"))
        try:
            found = tuple(_cell(cell, anchors) for cell in cells)
            rows.append(Row(label=label, cells=found, place=line.place))
        except AnchorError as error:
            at = line.place
            report.add_dependent(at.path, at.line, error.what, error.remedy)
    return tuple(rows)


def _cell(text: str, anchors: Anchors) -> Cell:
    if not _SLOT.search(text):
        return anchors.find(text)
    parts: list[str | Slot] = []
    end = 0
    for match in _SLOT.finditer(text):
        parts.append(text[end : match.start()])
        index = tuple(int(number) for number in match[2].split(","))
        parts.append(Slot(place=anchors.find(match[1].strip()), index=index))
        end = match.end()
    return (*parts, text[end:])
