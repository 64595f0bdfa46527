"""The common part of examples, figures and traces: a program, its inputs, and its values."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from runner.protocol import ValueTable
from site_builder.observe.requests import ExampleRun, Request
from site_builder.observe.run import requested_value
from site_builder.problem import Place
from site_builder.read.anchors import AnchorError, Anchors, CodePlace
from site_builder.read.code import Function
from site_builder.read.literals import Numbers
from site_builder.read.page import Line
from site_builder.resolve.context import Context
from site_builder.resolve.directive import Directive, Reader

_SLOT = re.compile(r"\{([^{}@]+)@([\d, ]+)\}")
Values = Mapping[str, ValueTable]


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """One entry of an observed array, inside a line of text."""

    place: CodePlace
    index: tuple[int, ...]


Item = CodePlace | tuple[str | Slot, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A label, then observed values or lines of text that contain values."""

    label: str
    items: tuple[Item, ...]
    place: Place

    def observed(self) -> list[CodePlace]:
        """The places of all values in the row."""
        found: list[CodePlace] = []
        for item in self.items:
            if isinstance(item, CodePlace):
                found.append(item)
            else:
                found.extend(part.place for part in item if isinstance(part, Slot))
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class RunDirective(Directive):
    """A directive that shows values of a program's run.

    Attributes:
        program: the function that is run.
        source: the test function that the starting values were read from.
        starts: the starting values of all the program's inputs.
    """

    program: Function
    source: Function
    starts: dict[str, Numbers]
    rows: tuple[Row, ...]

    @property
    def run(self) -> str:
        """Identifies the run: directives with equal program and starting values share it."""
        return f"{self.program.dotted} {self.source.dotted}"

    def requests(self) -> Iterator[Request]:
        """The values of all rows."""
        yield ExampleRun(
            run=self.run,
            program=self.program,
            starts=self.starts,
            places=tuple((place, row.place) for row in self.rows for place in row.observed()),
        )

    def recorded(self, context: Context) -> Values | None:
        """The recorded values by anchor; None if the code could not be run."""
        return context.facts.observation.examples.get(self.run)

    def run_data(self, context: Context) -> str | None:
        """What the browser needs to rerun the program; None if the page already has it."""
        if self.run in context.programs:
            return None
        context.programs.add(self.run)
        places = {
            place.anchor: place
            for request in context.requests
            if isinstance(request, ExampleRun) and request.run == self.run
            for place, _ in request.places
        }
        values = context.facts.observation.examples[self.run]
        return json.dumps(
            {
                "program": self.program.dotted,
                "inputs": as_texts(self.starts),
                "wanted": [requested_value(place) for place in places.values()],
                "recorded": {anchor: values[anchor] for anchor in places},
                "environment": context.facts.observation.environment,
            }
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class NumbersView:
    """An observed array: its key in the run, its shape, its numbers as text, and its symbol."""

    key: str
    shape: tuple[int, ...]
    rows: tuple[tuple[str, ...], ...]
    label: str
    symbol: str | None


def numbers_view(place: CodePlace, label: str, values: Values, context: Context) -> NumbersView:
    """An observed array as rows of numbers."""
    value = values[place.anchor]
    shape = tuple(value["shape"])
    width = shape[-1] if shape else 1
    texts = value["texts"]
    return NumbersView(
        key=place.anchor,
        shape=shape,
        rows=tuple(tuple(texts[i : i + width]) for i in range(0, len(texts), width)),
        label=label,
        symbol=context.links.of_value(place),
    )


def as_texts(value: Any) -> Any:  # noqa: ANN401 - nested lists of any depth
    """Numbers as a reader would type them: 1.0 becomes 1."""
    if isinstance(value, list):
        return [as_texts(item) for item in value]
    if isinstance(value, dict):
        return {name: as_texts(item) for name, item in value.items()}
    return repr(float(value)).removesuffix(".0")


def read_rows(lines: tuple[Line, ...], reader: Reader) -> tuple[Row, ...]:
    """Rows of a label and items; anchors that are not found are reported."""
    rows = []
    for line in lines:
        label, *items = map(str.strip, line.text.split("|"))
        try:
            found = tuple(_item(item, reader.anchors) for item in items)
            rows.append(Row(label=label, items=found, place=line.place))
        except AnchorError as error:
            reader.add_missing(line.place, error)
    return tuple(rows)


def _item(text: str, anchors: Anchors) -> Item:
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
