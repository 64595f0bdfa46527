"""`{symbols}`: a table of symbols with their names in the code and their observed shapes."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from site_builder.observe.sizes import ShapeView
from site_builder.problem import Place
from site_builder.read.page import Fence
from site_builder.resolve.context import Context
from site_builder.resolve.directive import Accepts, Directive, Reader
from site_builder.resolve.notebook import Notebook, inline, shape_text, table
from site_builder.resolve.search import PageSearch, SearchRecord
from site_builder.resolve.spoken import spoken
from site_builder.resolve.symbol_links import SymbolRow
from site_builder.resolve.view import SymbolView, View

NOT_IN_CODE = "none"  # in place of an anchor: the code has no such symbol
_ID = re.compile(r"[\w-]+", re.ASCII)
_SCALAR = ShapeView(symbolic="scalar", concrete="")


@dataclass(frozen=True, slots=True, kw_only=True)
class Symbols(Directive):
    """A table of symbols, without rows whose anchors were not found."""

    accepts: ClassVar[Accepts] = Accepts(
        options={"label": True}, body="rows: id | LaTeX | anchor | meaning"
    )
    rows: tuple[SymbolRow, ...]

    @classmethod
    def read(cls, fence: Fence, reader: Reader) -> Self:
        """Find the places in the code that the rows name."""
        rows = fence.rows(("id", "LaTeX", "anchor", "meaning"), reader.report)
        found = (_row(cells, line.place, reader) for line, cells in rows)
        return cls(fence=fence, rows=tuple(row for row in found if row))

    @property
    def symbols(self) -> tuple[SymbolRow, ...]:
        """The rows."""
        return self.rows

    def view(self, context: Context) -> "SymbolsView":
        """The table."""
        return SymbolsView(
            label=self.fence.option("label"),
            rows=tuple(_view(row, context) for row in self.rows),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SymbolsView(View):
    """A symbol table."""

    template: ClassVar[str] = "symbols.html"
    label: str
    rows: tuple[SymbolView, ...]

    @property
    def symbols(self) -> tuple[SymbolView, ...]:
        """Its rows."""
        return self.rows

    def markdown(self, notebook: Notebook) -> str:
        """The table."""
        rows = (
            [
                inline(row.maths),
                notebook.text(row.meaning),
                " ".join([f"`{row.code}`" if row.code else "", notebook.lines(row.link)]),
                shape_text(row.shape),
            ]
            for row in self.rows
        )
        return table(["Symbol", "Meaning", "In code", "Shape"], rows)

    def records(self, search: PageSearch) -> Iterable[SearchRecord]:
        """One record for each symbol whose id is in this table."""
        for row in self.rows:
            if row.id:
                characters = search.characters(row.maths)
                yield search.record(
                    "Symbol",
                    row.id,
                    row.name,
                    text=search.plain(row.meaning),
                    words=f"{row.code or ''} {row.latex} {characters} {row.shape.symbolic}",
                    maths=search.mathml(row.maths),
                )

    def entries(self) -> Mapping[str, list[dict[str, Any]]]:
        """The symbols with their shapes."""
        return {
            "symbols": [
                {
                    "id": row.id,
                    "latex": row.latex,
                    "code": row.code,
                    "shape": row.shape.symbolic,
                    "concrete": row.shape.concrete,
                    "url": row.link.href if row.link else None,
                }
                for row in self.rows
            ]
        }


def _row(cells: list[str], at: Place, reader: Reader) -> SymbolRow | None:
    name, latex, anchor, meaning = cells
    if not _ID.fullmatch(name):
        what = f"'{name}' is not a valid id for a symbol"
        reader.add(at, what, "use letters, digits, hyphens and underscores")
    place = None if anchor == NOT_IN_CODE else reader.find(anchor, at)
    if anchor != NOT_IN_CODE and not place:
        return None
    return SymbolRow(id=name, latex=latex, code=place, meaning=meaning, place=at)


def _view(row: SymbolRow, context: Context) -> SymbolView:
    code = row.code
    return SymbolView(
        id=_id(row, context),
        name=row.id,
        spoken=spoken(row.latex, row.id),
        maths=context.maths(row.latex, row.place, display=False, linked=False),  # the row links
        latex=row.latex,
        meaning=context.inline(row.meaning, row.place),
        code=None if code is None or code.kind == "return" else code.name,
        link=context.facts.links.span(code.span) if code else None,
        shape=context.shape(code, row.place) if code else _SCALAR,
    )


def _id(row: SymbolRow, context: Context) -> str | None:
    """The id, for the first row of a symbol only; later tables may list it again."""
    if context.symbols.get(row.id) == row.latex:
        return None
    context.symbols[row.id] = row.latex
    return context.claim_id(f"sym-{row.id}", row.place)
