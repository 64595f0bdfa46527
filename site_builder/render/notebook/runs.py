"""Code that runs an example, and holds what comes out against what the page shows."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from runner.protocol import ValueTable
from site_builder.read.anchors import CodePlace
from site_builder.read.example import Example
from site_builder.read.live import Row, Slot

_INDENT = "    "
Values = Mapping[str, ValueTable]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wanted:
    """A value to pick, by a label that no other has."""

    label: str
    place: CodePlace


def example_code(example: Example) -> str:
    """Code that computes what an example shows, from numbers to edit."""
    wanted = [*_wanted(example)]
    labels = {item.place.anchor: item.label for item in reversed(wanted)}
    starts = example.starts.items()
    lines = [
        f"# The numbers are those of {example.source.dotted}. Change them, and run this again.",
        "inputs = {",
        *(f"{_INDENT}{_text(name)}: np.array({_nested(start, 1)})," for name, start in starts),
        "}",
        f"values = watch_run({example.program.qualname}, inputs, {{",
        *(f"{_INDENT}{_text(item.label)}: {_pick(item.place)}," for item in wanted),
        "})",
        "show_values(values)",
        *(line for row in example.rows for line in _sentences(row, labels)),
    ]
    return "\n".join(lines)


def comparing_code(example: Example, values: Values) -> str:
    """Code that compares what came out with what the page shows.

    Args:
        example: the example.
        values: by anchor what the build recorded, as `run_example` returns it.
    """
    recorded = (
        f"{_INDENT}{_text(item.label)}: {_nested(_numbers(values[item.place.anchor]), 1)},"
        for item in _wanted(example)
    )
    lines = ["# What the page shows of the numbers as they were.", "compare_with_page(values, {"]
    return "\n".join([*lines, *recorded, "})"])


def _wanted(example: Example) -> Iterator[_Wanted]:
    taken: set[str] = set()
    picked: set[str] = set()
    for row in example.rows:
        for number, cell in enumerate(row.cells):
            if isinstance(cell, CodePlace):
                columns = example.columns[1:]
                label = f"{row.label}: {columns[number]}" if number < len(columns) else row.label
                found = [(label, cell)]
            else:
                slots = [part.place for part in cell if isinstance(part, Slot)]
                found = [(p.name, p) for p in slots if p.anchor not in picked]
            for name, place in found:
                label = name if name not in taken else f"{name}, {place.anchor}"
                if label not in taken and place.function:
                    taken.add(label)
                    picked.add(place.anchor)
                    yield _Wanted(label=label, place=place)


def _pick(place: CodePlace) -> str:
    assert place.function  # noqa: S101 - others are not picked
    head = f"({place.function.qualname}, {_text(place.name)}"
    if place.kind == "parameter":
        return f'{head}, "called")'
    if place.kind == "return":
        return f'{head}, "returned")'
    start = place.function.span.first
    when = "before" if place.kind == "expression" else "after"
    return f'{head}, "{when}", {place.span.first - start}, {place.span.last - start})'


def _sentences(row: Row, labels: dict[str, str]) -> Iterator[str]:
    """Print a line of text that has values in it."""
    for cell in row.cells:
        if isinstance(cell, CodePlace):
            continue
        text, arguments = "", []
        for part in cell:
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
    """A string as code."""
    return json.dumps(text, ensure_ascii=False)


def _numbers(value: ValueTable) -> Any:  # noqa: ANN401 - nested lists of any depth
    """A recorded array as nested lists of numbers."""
    numbers: list[Any] = [float(number) for number in value["numbers"]]
    for size in reversed(value["shape"][1:]):
        numbers = [numbers[i : i + size] for i in range(0, len(numbers), size)] if size else []
    return numbers if value["shape"] else numbers[0]


def _nested(value: Any, depth: int) -> str:  # noqa: ANN401 - likewise
    """Nested lists as code, a line for each innermost one."""
    if not isinstance(value, list):
        text = repr(float(value))
        return text if text.strip("-")[:1].isdigit() else text.replace("nan", "np.nan").replace(
            "inf", "np.inf")  # fmt: skip
    items = [_nested(item, depth + 1) for item in value]
    if not any(isinstance(item, list) for item in value) or len(value) == 1:
        return f"[{', '.join(items)}]"
    inside = ",\n".join(f"{_INDENT * (depth + 1)}{item}" for item in items)
    return f"[\n{inside},\n{_INDENT * depth}]"
