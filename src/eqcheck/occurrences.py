"""Where a page's symbols stand in a formula, without reading what the formula says."""

from dataclasses import dataclass
from functools import lru_cache

from eqcheck.errors import LatexError
from eqcheck.latex import STYLES, Cursor, tokenize
from eqcheck.symbols import Symbols, fitting

_NAMED = STYLES | {r"\begin", r"\end"}  # what stands in their braces are letters of a word


@dataclass(frozen=True, slots=True, kw_only=True)
class Occurrence:
    """A symbol with its scripts: the LaTeX that declares it, and the offsets where it stands."""

    symbol: str
    start: int
    stop: int


@lru_cache(maxsize=4096)
def occurrences(latex: str, symbols: Symbols) -> tuple[Occurrence, ...]:
    """Find the symbols in a formula from left to right; the longest that is declared counts.

    What stands in a symbol's scripts belongs to that symbol. A formula that `parse` could not read
    is searched as well; one that cannot be cut into tokens has no occurrences.
    """
    try:
        cursor = Cursor(tokenize(latex), len(latex))
        found = []
        while cursor.text:
            if occurrence := _next(cursor, symbols):
                found.append(occurrence)
    except LatexError:
        return ()
    return tuple(found)


def _next(cursor: Cursor, symbols: Symbols) -> Occurrence | None:
    """Take a symbol with its scripts, or one token."""
    start = cursor.start
    found = symbols.matching(cursor)
    if not found:
        if cursor.take().text in _NAMED and cursor.text == "{":
            cursor.skip_group()
        return None
    cursor.at += len(found[0].base)
    subscript, superscript = cursor.scripts()
    fits = fitting(cursor, found, subscript, superscript)
    if not fits:
        return None
    return Occurrence(symbol=fits.latex, start=start, stop=cursor.end)
