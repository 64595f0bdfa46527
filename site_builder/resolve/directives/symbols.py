"""`{symbols}`: a table of symbols with their names in the code and their observed shapes."""

import re

from site_builder.observe.sizes import ShapeView
from site_builder.read.page import Directive, Place
from site_builder.read.symbols import NOT_IN_CODE
from site_builder.resolve.context import Context
from site_builder.resolve.options import option, rows
from site_builder.resolve.spoken import spoken
from site_builder.resolve.views import SymbolsView, SymbolView

_ID = re.compile(r"[\w-]+", re.ASCII)
_SCALAR = ShapeView(symbolic="scalar", concrete="")


def symbols(directive: Directive, context: Context) -> SymbolsView:
    """The table."""
    found = []
    for line, (name, latex, anchor, meaning) in rows(
        directive, context, ("id", "LaTeX", "anchor", "meaning")
    ):
        symbol = _symbol(name, latex, anchor, meaning, context, line.place)
        if symbol:
            found.append(symbol)
    return SymbolsView(label=option(directive, "label"), rows=tuple(found))


def _symbol(  # noqa: PLR0913 - a row has four cells
    name: str, latex: str, anchor: str, meaning: str, context: Context, at: Place
) -> SymbolView | None:
    if not _ID.fullmatch(name):
        what = f"'{name}' cannot be the id of a symbol"
        context.add(at, what, "use letters, digits, hyphens and underscores")
    code, link, shape = None, None, _SCALAR
    if anchor != NOT_IN_CODE:
        place = context.place(anchor, at)
        if not place:
            return None
        link = context.facts.links.span(place.span)
        code = None if place.kind == "return" else place.name
        shape = context.shape(place, at)
    return SymbolView(
        id=_id(name, latex, context, at),
        name=name,
        spoken=spoken(latex, name),
        maths=context.maths(latex, at, display=False, linked=False),  # the row is the link
        latex=latex,
        meaning=context.inline(meaning, at),
        code=code,
        link=link,
        shape=shape,
    )


def _id(name: str, latex: str, context: Context, at: Place) -> str | None:
    """The id, for the first row of a symbol; later tables of the page may list it again."""
    if context.symbols.get(name) == latex:
        return None
    context.symbols[name] = latex
    return context.claim_id(f"sym-{name}", at)
