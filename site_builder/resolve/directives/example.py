"""`{example}`: numbers to edit, and what a run of the program gave."""

import json
from collections.abc import Iterator
from typing import Any

from site_builder.observe.sizes import Sizes, UnknownSizeError
from site_builder.read.anchors import CodePlace
from site_builder.read.example import Example
from site_builder.read.live import Cell, Row
from site_builder.read.page import Directive
from site_builder.resolve.context import Context
from site_builder.resolve.example_views import (
    CellView,
    ExampleView,
    InputView,
    ResizeView,
    ResultRow,
    SlotView,
)
from site_builder.resolve.live_data import Values, as_texts, numbers_view, recorded, run_data
from site_builder.resolve.text_views import Reference

# Counted from the last axis: what stands along it, and how many of them fit a page.
_ALONG = (("feature", 16), ("row", 8), ("example", 4))


def example(directive: Directive, context: Context) -> ExampleView | None:
    """The example with the results recorded by the build."""
    found = context.facts.live.get(directive.place)
    if not isinstance(found, Example):
        return None
    values = recorded(found, context)
    if values is None:
        return None
    link = context.facts.links.function(found.source)
    axes = _axes(found, context) if found.resize else {}
    return ExampleView(
        id=context.claim_id(f"ex-{found.id}", directive.place),
        title=found.title,
        note=context.inline(found.note, directive.place),
        program=found.program.dotted,
        run=found.run,
        source=Reference(text=found.source.qualname, href=link.href, code=True),
        inputs=tuple(_input(name, found, context) for name in found.edit if name in found.starts),
        axes=json.dumps(axes) if axes else None,
        resize=tuple(_resize(found, axes, context)),
        presets=tuple(
            (preset.name, json.dumps(as_texts(preset.values))) for preset in found.presets
        ),
        columns=found.columns,
        rows=tuple(_row(row, values, context) for row in found.rows),
        data=run_data(found, context),
        environment=context.facts.observation.environment,
    )


def _input(name: str, found: Example, context: Context) -> InputView:
    start = as_texts(found.starts[name])
    shape = _shape(start)
    rows = tuple(map(tuple, _rows(start)))
    return InputView(
        name=name,
        symbol=context.links.of_input(name),
        rows=rows,
        row_labels=tuple(_row_label(row, shape) for row in range(len(rows))),
    )


def _shape(value: object) -> list[int]:
    return [len(value), *_shape(value[0])] if isinstance(value, list) else []


def _rows(value: list[Any]) -> Iterator[list[str]]:
    """The rows along the last axis."""
    for item in value:
        if not isinstance(item, list):
            yield value
            return
        yield from _rows(item)


def _row_label(row: int, shape: list[int]) -> str:
    """`t2` in a matrix, `b1 t2` in a block of matrices."""
    if len(shape) == 1:
        return ""
    *examples, tokens, _ = shape
    return f"b{row // tokens} t{row % tokens}" if examples else f"t{row}"


def _axes(found: Example, context: Context) -> dict[str, tuple[str, ...]]:
    """The dimensions of each input, as they were observed."""
    observation = context.facts.observation
    sizes = Sizes([run.dimensions for run in observation.runs_of(found.program)])
    axes = {}
    for name in found.starts:
        shapes = observation.parameter_shapes(found.program, name)
        arrays = [shape for shape in shapes if isinstance(shape, list)]
        if not arrays:
            what = f"the shape of '{name}' of {found.program.dotted} is not known"
            context.add_unobserved(found.place, what)
            continue
        columns = list(zip(*arrays, strict=True))
        try:
            axes[name] = tuple(sizes.symbol(column) for column in columns)
        except UnknownSizeError as error:
            remedy = "add it to [dimensions] in site.toml"
            context.add(found.place, f"the shape of '{name}': {error}", remedy)
    return axes


def _resize(
    found: Example, axes: dict[str, tuple[str, ...]], context: Context
) -> Iterator[ResizeView]:
    for symbol in found.resize if axes else ():
        places = [names[::-1].index(symbol) for names in axes.values() if symbol in names]
        if not places:
            known = ", ".join(sorted({name for names in axes.values() for name in names}))
            what = f"no input of {found.program.dotted} has the dimension '{symbol}'"
            context.report.add_dependent(
                found.place.path, found.place.line, what, f"use some of {known}"
            )
            continue
        noun, most = _ALONG[max(places)]
        yield ResizeView(symbol=symbol, noun=noun, most=most)


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
        return numbers_view(cell, row.label, values, context)
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
        index = ",".join(map(str, part.index))
        parts.append(
            SlotView(
                key=part.place.anchor,
                index=index,
                text=value["texts"][offset],
                symbol=context.links.of_value(part.place),
            )
        )
    return tuple(parts)


def _offset(index: tuple[int, ...], shape: list[int]) -> int | None:
    """The position of an entry in the flattened array."""
    if len(index) != len(shape) or any(i >= size for i, size in zip(index, shape, strict=True)):
        return None
    offset = 0
    for i, size in zip(index, shape, strict=True):
        offset = offset * size + i
    return offset
