"""Read a directive's options and rows."""

from collections.abc import Iterator

from site_builder.read.page import Directive, Line
from site_builder.resolve.context import Context


def option(directive: Directive, name: str) -> str:
    """The value of an option, or nothing."""
    return next((o.value for o in directive.options if o.name == name), "")


def rows(
    directive: Directive, context: Context, columns: tuple[str, ...]
) -> Iterator[tuple[Line, list[str]]]:
    """The body's rows, cut at `|`; those with too few or too many cells are reported."""
    for line in directive.body:
        cells = [cell.strip() for cell in line.text.split("|", maxsplit=len(columns) - 1)]
        if len(cells) == len(columns):
            yield line, cells
        elif line.text.strip():
            context.add(line.place, "this row is not complete", f"write {' | '.join(columns)}")
