"""Read `{example}` directives: a program, its inputs, and what to show of a run."""

import ast
import re
from dataclasses import dataclass

from site_builder.problem import Report
from site_builder.read.anchors import AnchorError, Anchors, CodePlace
from site_builder.read.code import Function
from site_builder.read.page import Directive, Option, Page, Place
from site_builder.read.starts import Numbers, read_starts

_SLOT = re.compile(r"\{([^{}@]+)@([\d, ]+)\}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """One entry of an observed array, inside a line of text."""

    place: CodePlace
    index: tuple[int, ...]


Cell = CodePlace | tuple[str | Slot, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A row of results: a label, then observed values or lines of text with values in them."""

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
class Preset:
    """Named numbers for some of the inputs."""

    name: str
    values: dict[str, Numbers]


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """An example on a page.

    Attributes:
        program: what runs. Examples of one page that have the same program share their inputs.
        source: the test function from which the starting numbers were read.
        starts: the starting numbers of all the program's inputs.
        edit: the inputs that can be edited here.
        columns: headings of the results, or empty for the plain form.
    """

    id: str
    title: str
    note: str
    program: Function
    source: Function
    starts: dict[str, Numbers]
    edit: tuple[str, ...]
    presets: tuple[Preset, ...]
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    place: Place

    def observed(self) -> list[CodePlace]:
        """Everything that the rows show."""
        return [place for row in self.rows for place in row.observed()]


def read_examples(pages: list[Page], anchors: Anchors, report: Report) -> dict[Place, Example]:
    """The examples of all pages, by the place of their directive."""
    examples = {}
    directives = [b for page in pages for b in page.blocks if isinstance(b, Directive)]
    for directive in directives:
        if directive.name == "example":
            try:
                examples[directive.place] = _Reader(directive, anchors, report).read()
            except AnchorError as error:
                place = directive.place
                report.add_dependent(place.path, place.line, error.what, error.remedy)
    return examples


class _Reader:
    def __init__(self, directive: Directive, anchors: Anchors, report: Report) -> None:
        self._directive = directive
        self._anchors = anchors
        self._report = report

    def read(self) -> Example:
        program = self._anchors.function(self._option("program"))
        source = self._anchors.function(self._option("values"))
        names = [parameter.name for parameter in program.parameters]
        starts = read_starts(self._anchors, source, names)
        edit = tuple(self._option("edit", "").split())
        for name in edit:
            if name not in starts:
                self._add(self._directive.place, f"{program.dotted} has no input '{name}'",
                          f"use some of {', '.join(names)}")  # fmt: skip
        columns = tuple(map(str.strip, self._option("columns", "").split("|")))
        return Example(
            id=self._directive.argument,
            title=self._option("title"),
            note=self._option("note", ""),
            program=program,
            source=source,
            starts=starts,
            edit=edit,
            presets=tuple(
                preset
                for option in self._directive.options
                if option.name == "preset" and (preset := self._preset(option, starts))
            ),
            columns=columns if columns != ("",) else (),
            rows=tuple(self._rows()),
            place=self._directive.place,
        )

    def _option(self, name: str, default: str | None = None) -> str:
        for option in self._directive.options:
            if option.name == name:
                return option.value
        if default is None:
            raise AnchorError(f"the example has no :{name}:", f"add a line ':{name}: …'")
        return default

    def _add(self, place: Place, what: str, remedy: str) -> None:
        self._report.add(place.path, place.line, what, remedy)

    def _preset(self, option: Option, starts: dict[str, Numbers]) -> Preset | None:
        """`All equal | X = [[2, 2, 2, 2]] | gamma = [1, 1, 1, 1]`."""
        name, *settings = map(str.strip, option.value.split("|"))
        values: dict[str, Numbers] = {}
        for setting in settings:
            target, _, text = map(str.strip, setting.partition("="))
            try:
                value = ast.literal_eval(text)
            except (ValueError, SyntaxError):
                value = None
            if target not in starts or _shape(value) != _shape(starts[target]):
                what = f"the preset's '{setting}' does not fit the inputs"
                self._add(option.place, what, f"write numbers in the form of {starts}")
                return None
            values[target] = value
        return Preset(name=name, values=values)

    def _rows(self) -> list[Row]:
        rows = []
        for line in self._directive.body:
            label, *cells = map(str.strip, line.text.split("|"))
            try:
                rows.append(Row(label=label, cells=tuple(map(self._cell, cells)), place=line.place))
            except AnchorError as error:
                at = line.place
                self._report.add_dependent(at.path, at.line, error.what, error.remedy)
        return rows

    def _cell(self, text: str) -> Cell:
        if not _SLOT.search(text):
            return self._anchors.find(text)
        parts: list[str | Slot] = []
        end = 0
        for match in _SLOT.finditer(text):
            parts.append(text[end : match.start()])
            index = tuple(int(number) for number in match[2].split(","))
            parts.append(Slot(place=self._anchors.find(match[1].strip()), index=index))
            end = match.end()
        return (*parts, text[end:])


def _shape(value: object) -> list[int]:
    return [len(value), *_shape(value[0])] if isinstance(value, list) and value else []
