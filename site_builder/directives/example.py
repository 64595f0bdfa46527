"""`{example}`: numbers to edit, and the results of running a program on them."""

import ast
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from runner.protocol import ValueTable
from site_builder.directives.run_directive import (
    Item,
    NumbersView,
    Row,
    RunDirective,
    Slot,
    Values,
    as_texts,
    numbers_view,
    read_rows,
)
from site_builder.observe.sizes import Sizes, UnknownSizeError
from site_builder.read.anchors import CodePlace
from site_builder.read.literals import Numbers, read_literals
from site_builder.read.page import Fence, Option
from site_builder.resolve.context import Context
from site_builder.resolve.directive import Accepts, Reader
from site_builder.resolve.links import CodeLink
from site_builder.resolve.notebook import Cell, Notebook, anchor, markdown
from site_builder.resolve.search import PageSearch, SearchRecord
from site_builder.resolve.text_views import Reference, Text
from site_builder.resolve.view import View

# By axis, last first: what its entries are, and how many fit on a page.
_ALONG = (("feature", 16), ("row", 8), ("example", 4))
_INDENT = "    "


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """Named numbers for some of the inputs."""

    name: str
    values: dict[str, Numbers]


@dataclass(frozen=True, slots=True, kw_only=True)
class Example(RunDirective):
    """An example.

    Attributes:
        edit: the inputs that a reader can edit.
        resize: the dimensions that a reader can resize.
        columns: headings of the results; empty for one result per row.
    """

    accepts: ClassVar[Accepts] = Accepts(
        argument="an id",
        options={
            "title": True,
            "note": False,
            "program": True,
            "values": True,
            "edit": False,
            "resize": False,
            "preset": False,
            "columns": False,
        },
        body="rows: label | anchor, …",
        on_pages_only=True,
    )
    edit: tuple[str, ...]
    resize: tuple[str, ...]
    presets: tuple[Preset, ...]
    columns: tuple[str, ...]

    @classmethod
    def read(cls, fence: Fence, reader: Reader) -> Self:
        """Find the program, its starting values, and what to show of its run."""
        program = reader.anchors.function(fence.option("program"))
        source = reader.anchors.function(fence.option("values"))
        names = [parameter.name for parameter in program.parameters]
        starts = read_literals(reader.anchors, source, names)
        edit = tuple(fence.option("edit").split())
        for name in edit:
            if name not in starts:
                what = f"{program.dotted} has no input '{name}'"
                reader.add(fence.place, what, f"use some of {', '.join(names)}")
        columns = tuple(map(str.strip, fence.option("columns").split("|")))
        presets = fence.options_named("preset")
        return cls(
            fence=fence,
            program=program,
            source=source,
            starts=starts,
            edit=edit,
            resize=tuple(fence.option("resize").split()),
            presets=tuple(p for option in presets if (p := _preset(option, starts, reader))),
            columns=columns if columns != ("",) else (),
            rows=read_rows(fence.body, reader),
        )

    def view(self, context: Context) -> "ExampleView | None":
        """The example with the results that the build recorded."""
        values = self.recorded(context)
        if values is None:
            return None
        link = context.facts.links.function(self.source)
        axes = _axes(self, context) if self.resize else {}
        return ExampleView(
            example=self,
            recorded=values,
            id=context.claim_id(f"ex-{self.fence.argument}", self.place),
            title=self.fence.option("title"),
            note=context.inline(self.fence.option("note"), self.place),
            program=self.program.dotted,
            run=self.run,
            source=Reference(text=self.source.qualname, href=link.href, code=True),
            inputs=tuple(_input(name, self, context) for name in self.edit if name in self.starts),
            axes=json.dumps(axes) if axes else None,
            resize=tuple(_resize(self, axes, context)),
            presets=tuple((p.name, json.dumps(as_texts(p.values))) for p in self.presets),
            columns=self.columns,
            rows=tuple(_row(row, values, context) for row in self.rows),
            data=self.run_data(context),
            environment=context.facts.observation.environment,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotView:
    """One entry of an observed array, in running text."""

    key: str
    index: str
    text: str
    symbol: str | None


ItemView = NumbersView | tuple[str | SlotView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultRow:
    """A row of results; `link` and `code` are set if it has just one value."""

    label: str
    cells: tuple[ItemView, ...]
    link: CodeLink | None
    code: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class InputView:
    """An input of an example, and the symbol whose value it is."""

    name: str
    symbol: str | None
    rows: tuple[tuple[str, ...], ...]
    row_labels: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ResizeView:
    """A dimension that can be resized, and what its entries are."""

    symbol: str
    noun: str
    most: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ExampleView(View):
    """An example: inputs to edit, and the results of running the program.

    Attributes:
        recorded: the values that the run computed, by anchor.
        program: dotted name of the program.
        run: program and source of starting values; blocks of the same run share inputs.
        axes: the dimensions of each input as JSON; None if none can be resized.
        data: what the browser needs to run the program, as JSON; None if already on the page.
    """

    template: ClassVar[str] = "example.html"
    example: Example
    recorded: Values
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

    def cells(self, notebook: Notebook) -> Iterator[Cell]:
        """Code that runs the example and compares the results with the page."""
        yield from notebook.helpers()
        places = (
            self.example.program,
            *(p.function for r in self.example.rows for p in r.observed()),
        )
        functions = [function for function in places if function]
        for module, name in dict.fromkeys(
            (f.module, f.qualname.partition(".")[0]) for f in functions
        ):
            yield from notebook.needed(module, name)
        yield markdown(self.markdown(notebook))
        yield notebook.run(_example_code(self.example), reserved=True)
        yield notebook.run(_comparing_code(self.example, self.recorded), reserved=True)

    def markdown(self, notebook: Notebook) -> str:
        """The title and the note."""
        return f"{anchor(self.id)}\n\n**{self.title}.** {notebook.text(self.note)}"

    def records(self, search: PageSearch) -> Iterable[SearchRecord]:
        """One record, also found by the labels of the results."""
        labels = " ".join(row.label for row in self.rows)
        yield search.record(
            "Example", self.id, self.title, text=search.plain(self.note), words=labels
        )

    def entries(self) -> Mapping[str, list[dict[str, Any]]]:
        """The example and its program."""
        return {"examples": [{"id": self.id, "title": self.title, "program": self.program}]}


def _preset(option: Option, starts: dict[str, Numbers], reader: Reader) -> Preset | None:
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
            reader.add(option.place, what, f"write numbers in the form of {starts}")
            return None
        values[target] = value
    return Preset(name=name, values=values)


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
    """`t2` in a matrix, `b1 t2` in a stack of matrices."""
    if len(shape) == 1:
        return ""
    *examples, tokens, _ = shape
    return f"b{row // tokens} t{row % tokens}" if examples else f"t{row}"


def _axes(found: Example, context: Context) -> dict[str, tuple[str, ...]]:
    """The dimensions of each input, as observed."""
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
            context.report.add_if_complete(found.place, what, f"use some of {known}")
            continue
        noun, most = _ALONG[max(places)]
        yield ResizeView(symbol=symbol, noun=noun, most=most)


def _row(row: Row, values: Values, context: Context) -> ResultRow:
    single = row.items[0] if len(row.items) == 1 else None
    place = single if isinstance(single, CodePlace) else None
    shows_code = place is not None and place.kind != "parameter"
    return ResultRow(
        label=row.label,
        cells=tuple(_item(item, row, values, context) for item in row.items),
        link=context.facts.links.span(place.span) if place else None,
        code=place.code if place and shows_code else place.name if place else None,
    )


def _item(item: Item, row: Row, values: Values, context: Context) -> ItemView:
    if isinstance(item, CodePlace):
        return numbers_view(item, row.label, values, context)
    parts: list[str | SlotView] = []
    for part in item:
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
    """The index of an entry in the flattened array; None if it is out of range."""
    if len(index) != len(shape) or any(i >= size for i, size in zip(index, shape, strict=True)):
        return None
    offset = 0
    for i, size in zip(index, shape, strict=True):
        offset = offset * size + i
    return offset


# The example in a notebook.


@dataclass(frozen=True, slots=True, kw_only=True)
class _Picked:
    """A value to pick, with a unique label."""

    label: str
    place: CodePlace


def _example_code(example: Example) -> str:
    """Code that computes what an example shows, from numbers to edit."""
    picked = [*_picked(example)]
    labels = {item.place.anchor: item.label for item in reversed(picked)}
    starts = example.starts.items()
    lines = [
        f"# The numbers are those of {example.source.dotted}. Change them, and run this again.",
        "inputs = {",
        *(f"{_INDENT}{_text(name)}: np.array({_nested(start, 1)})," for name, start in starts),
        "}",
        f"values = watch_run({example.program.qualname}, inputs, {{",
        *(f"{_INDENT}{_text(item.label)}: {_pick(item.place)}," for item in picked),
        "})",
        "show_values(values)",
        *(line for row in example.rows for line in _sentences(row, labels)),
    ]
    return "\n".join(lines)


def _comparing_code(example: Example, values: Values) -> str:
    """Code that compares the results with those on the page.

    Args:
        example: the example.
        values: what the build recorded by anchor, as `run_example` returns it.
    """
    recorded = (
        f"{_INDENT}{_text(item.label)}: {_nested(_numbers(values[item.place.anchor]), 1)},"
        for item in _picked(example)
    )
    lines = ["# What the page shows of the numbers as they were.", "compare_with_page(values, {"]
    return "\n".join([*lines, *recorded, "})"])


def _picked(example: Example) -> Iterator[_Picked]:
    taken: set[str] = set()
    picked: set[str] = set()
    for row in example.rows:
        for number, item in enumerate(row.items):
            if isinstance(item, CodePlace):
                columns = example.columns[1:]
                label = f"{row.label}: {columns[number]}" if number < len(columns) else row.label
                found = [(label, item)]
            else:
                slots = [part.place for part in item if isinstance(part, Slot)]
                found = [(p.name, p) for p in slots if p.anchor not in picked]
            for name, place in found:
                label = name if name not in taken else f"{name}, {place.anchor}"
                if label not in taken and place.function:
                    taken.add(label)
                    picked.add(place.anchor)
                    yield _Picked(label=label, place=place)


def _pick(place: CodePlace) -> str:
    assert place.function  # noqa: S101 - only values in functions are picked
    head = f"({place.function.qualname}, {_text(place.name)}"
    if place.kind == "parameter":
        return f'{head}, "called")'
    if place.kind == "return":
        return f'{head}, "returned")'
    start = place.function.span.first
    when = "before" if place.kind == "expression" else "after"
    return f'{head}, "{when}", {place.span.first - start}, {place.span.last - start})'


def _sentences(row: Row, labels: dict[str, str]) -> Iterator[str]:
    """Statements that print a line of text with values in it."""
    for item in row.items:
        if isinstance(item, CodePlace):
            continue
        text, arguments = "", []
        for part in item:
            if isinstance(part, Slot):
                index = ", ".join(map(str, part.index))
                value = f"values[{_text(labels[part.place.anchor])}]"
                arguments.append(f"{value}[{index}]" if index else value)
                text += "{:.4g}"
            else:
                text += part.replace("{", "{{").replace("}", "}}")
        label = f"{row.label}: {text}"
        yield f"print({_text(label)}.format({', '.join(arguments)}))"


def _text(text: str) -> str:
    """A string literal."""
    return json.dumps(text, ensure_ascii=False)


def _numbers(value: ValueTable) -> Any:  # noqa: ANN401 - nested lists of any depth
    """A recorded array as nested lists of numbers."""
    numbers: list[Any] = [float(number) for number in value["numbers"]]
    for size in reversed(value["shape"][1:]):
        numbers = [numbers[i : i + size] for i in range(0, len(numbers), size)] if size else []
    return numbers if value["shape"] else numbers[0]


def _nested(value: Any, depth: int) -> str:  # noqa: ANN401 - as above
    """Nested lists as code, one line for each innermost list."""
    if not isinstance(value, list):
        text = repr(float(value))
        return text if text.strip("-")[:1].isdigit() else text.replace("nan", "np.nan").replace(
            "inf", "np.inf")  # fmt: skip
    items = [_nested(item, depth + 1) for item in value]
    if not any(isinstance(item, list) for item in value) or len(value) == 1:
        return f"[{', '.join(items)}]"
    inside = ",\n".join(f"{_INDENT * (depth + 1)}{item}" for item in items)
    return f"[\n{inside},\n{_INDENT * depth}]"
