"""`{example}`: numbers to edit, and what a run of the program gave."""

import json
from typing import Any

from site_builder.observe.run import wanted
from site_builder.read.anchors import CodePlace
from site_builder.read.example import Cell, Example, Row
from site_builder.read.page import Directive
from site_builder.resolve.context import Context
from site_builder.resolve.example_views import (
    CellView,
    ExampleView,
    InputView,
    NumbersView,
    ResultRow,
    SlotView,
)
from site_builder.resolve.text_views import Reference

Values = dict[str, dict[str, Any]]


def example(directive: Directive, context: Context) -> ExampleView | None:
    """The example with the results recorded by the build."""
    found = context.facts.examples.get(directive.place)
    if not found:
        return None
    program = found.program.dotted
    first = program not in context.programs
    context.programs.add(program)
    values = context.facts.observation.examples.get(program)
    if values is None:
        return None
    link = context.facts.links.function(found.source)
    return ExampleView(
        id=context.claim_id(f"ex-{found.id}", directive.place),
        title=found.title,
        note=context.inline(found.note, directive.place),
        program=program,
        source=Reference(text=found.source.qualname, href=link.href, code=True),
        inputs=tuple(_input(name, found) for name in found.edit if name in found.starts),
        presets=tuple(
            (preset.name, json.dumps(_as_texts(preset.values))) for preset in found.presets
        ),
        columns=found.columns,
        rows=tuple(_row(row, values, context) for row in found.rows),
        data=_data(found, context) if first else None,
        environment=context.facts.observation.environment,
    )


def _input(name: str, found: Example) -> InputView:
    start = _as_texts(found.starts[name])
    is_matrix = isinstance(start[0], list)
    rows = start if is_matrix else [start]
    labels = [f"t{row}" if is_matrix else "" for row in range(len(rows))]
    return InputView(name=name, rows=tuple(map(tuple, rows)), row_labels=tuple(labels))


def _as_texts(value: Any) -> Any:  # noqa: ANN401 - nested lists of any depth
    """Numbers as a person would type them: 1.0 becomes 1."""
    if isinstance(value, list):
        return [_as_texts(item) for item in value]
    if isinstance(value, dict):
        return {name: _as_texts(item) for name, item in value.items()}
    return repr(float(value)).removesuffix(".0")


def _row(row: Row, values: Values, context: Context) -> ResultRow:
    single = row.cells[0] if len(row.cells) == 1 else None
    place = single if isinstance(single, CodePlace) else None
    shows_code = place is not None and place.kind != "parameter"
    return ResultRow(
        label=row.label,
        cells=tuple(_cell(cell, row, values, context) for cell in row.cells),
        link=context.facts.links.span(place.span) if place else None,
        code=place.code if place and shows_code else place.name if place else None,
    )


def _cell(cell: Cell, row: Row, values: Values, context: Context) -> CellView:
    if isinstance(cell, CodePlace):
        return _numbers(cell, row.label, values)
    parts: list[str | SlotView] = []
    for part in cell:
        if isinstance(part, str):
            parts.append(part)
            continue
        value = values[part.place.anchor]
        offset = _offset(part.index, value["shape"])
        if offset is None:
            what = f"{list(part.index)} is outside the shape {value['shape']}"
            context.add(row.place, what, "correct the index")
            continue
        parts.append(SlotView(key=part.place.anchor, offset=offset, text=value["texts"][offset]))
    return tuple(parts)


def _offset(index: tuple[int, ...], shape: list[int]) -> int | None:
    """The position of an entry in the flattened array."""
    if len(index) != len(shape) or any(i >= size for i, size in zip(index, shape, strict=True)):
        return None
    offset = 0
    for i, size in zip(index, shape, strict=True):
        offset = offset * size + i
    return offset


def _numbers(place: CodePlace, label: str, values: Values) -> NumbersView:
    value = values[place.anchor]
    shape = tuple(value["shape"])
    width = shape[-1] if shape else 1
    texts = value["texts"]
    return NumbersView(
        key=place.anchor,
        shape=shape,
        rows=tuple(tuple(texts[i : i + width]) for i in range(0, len(texts), width)),
        label=label,
    )


def _data(found: Example, context: Context) -> str:
    """What the browser needs to run the program for all examples of the page that share it."""
    together = [
        other
        for other in context.facts.examples.values()
        if (other.program, other.place.path) == (found.program, found.place.path)
    ]
    places = {place.anchor: place for other in together for place in other.observed()}
    return json.dumps(
        {
            "program": found.program.dotted,
            "inputs": _as_texts(found.starts),
            "wanted": [wanted(place) for place in places.values()],
            "recorded": {
                anchor: context.facts.observation.examples[found.program.dotted][anchor]
                for anchor in places
            },
            "environment": context.facts.observation.environment,
        }
    )
