"""Read the rows of a page's symbol tables: ids, LaTeX, and the code that they belong to."""

from collections.abc import Iterator
from dataclasses import dataclass

from site_builder.read.anchors import AnchorError, Anchors, CodePlace
from site_builder.read.page import Directive, Page

NOT_IN_CODE = "none"  # in place of an anchor: a symbol that the code does not have


@dataclass(frozen=True, slots=True, kw_only=True)
class SymbolRow:
    """A row of a symbol table; `place` is None for what the code does not have."""

    id: str
    latex: str
    place: CodePlace | None


def read_symbols(pages: list[Page], anchors: Anchors) -> dict[str, tuple[SymbolRow, ...]]:
    """The rows of each page in their order, by its slug."""
    return {page.slug: symbol_rows(page, anchors) for page in pages}


def symbol_rows(page: Page, anchors: Anchors) -> tuple[SymbolRow, ...]:
    """The rows of all tables of a page, without those that the tables themselves report."""
    return tuple(_rows(page, anchors))


def _rows(page: Page, anchors: Anchors) -> Iterator[SymbolRow]:
    tables = [b for b in page.blocks if isinstance(b, Directive) and b.name == "symbols"]
    for line in (line for table in tables for line in table.body):
        id_, latex, anchor, *_ = [*map(str.strip, line.text.split("|")), "", "", ""]
        if latex and anchor:
            try:
                place = None if anchor == NOT_IN_CODE else anchors.find(anchor)
            except AnchorError:
                continue
            yield SymbolRow(id=id_, latex=latex, place=place)
