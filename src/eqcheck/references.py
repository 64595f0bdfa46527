r"""Read references to symbols: the longest declared symbol, its scripts, its indices.

`\sigma_t^2` may be the symbol `\sigma^2` with an index or the symbol `\sigma` with an index,
squared. The page's declarations decide.
"""

from dataclasses import dataclass

from eqcheck.cursor import Cursor
from eqcheck.symbols import Symbol, Symbols
from eqcheck.tree import Reference

Range = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """A reference, and the tokens of a superscript that is not its own."""

    reference: Reference
    superscript: Range | None


def matching(cursor: Cursor, symbols: Symbols) -> tuple[Symbol, ...]:
    """The declared symbols that share the longest base found here."""
    found: list[Symbol] = []
    for symbol in symbols.declared:
        if _stands_here(cursor, symbol.base):
            longest = len(found[0].base) if found else 0
            if len(symbol.base) > longest:
                found = [symbol]
            elif len(symbol.base) == longest:
                found.append(symbol)
    return tuple(found)


def _stands_here(cursor: Cursor, base: tuple[str, ...]) -> bool:
    tokens = cursor.tokens[cursor.at : min(cursor.at + len(base), cursor.stop)]
    return tuple(token.text for token in tokens) == base and not any(
        token.apart for token in tokens[1:]
    )


def read_reference(cursor: Cursor, symbols: Symbols, found: tuple[Symbol, ...]) -> Read:
    """Read one of the symbols `found`, with its scripts in either order."""
    start = cursor.start
    cursor.at += len(found[0].base)
    subscript, superscript = read_scripts(cursor)
    symbol = fitting(cursor, found, subscript, superscript)
    if not symbol:
        names = ", ".join(symbol.latex for symbol in found)
        raise cursor.error(f"the symbol declared is {names}", start)
    indices: tuple[str, ...] = ()
    if subscript:
        first = subscript[0] + len(symbol.subscript)
        indices = cursor.within((first, subscript[1]), lambda: read_indices(cursor, symbols))
    implicit = _implicit(cursor, symbols, symbol, indices, start)
    reference = Reference(
        symbol=symbol.latex,
        axes=symbol.axes,
        implicit=implicit,
        indices=indices,
        span=(start, cursor.end),
    )
    return Read(reference=reference, superscript=None if symbol.superscript else superscript)


def fitting(
    cursor: Cursor, found: tuple[Symbol, ...], subscript: Range | None, superscript: Range | None
) -> Symbol | None:
    """That of the symbols `found` which has most of these scripts for its own."""
    sub, sup = _texts(cursor, subscript), _texts(cursor, superscript)
    return max(
        (
            symbol
            for symbol in found
            if (not symbol.superscript or symbol.superscript == sup)
            and symbol.subscript == sub[: len(symbol.subscript)]
        ),
        key=lambda item: (len(item.superscript), len(item.subscript)),
        default=None,
    )


def read_scripts(cursor: Cursor) -> tuple[Range | None, Range | None]:
    """Skip a subscript and a superscript, in either order: the ranges of their tokens."""
    scripts: dict[str, Range] = {}
    while cursor.text in {"_", "^"}:
        kind = cursor.take()
        if kind.text in scripts:
            raise cursor.error(f"a second {kind.text}", kind.start)
        script = cursor.token
        if script.text != "{" and len(script.text) > 1 and script.text[0].isdigit():
            raise cursor.error("put braces around this number", script.start)
        scripts[kind.text] = cursor.skip_group()
    if cursor.text == "'":
        raise cursor.error("a prime stands before the scripts")
    return scripts.get("_"), scripts.get("^")


def _texts(cursor: Cursor, tokens: Range | None) -> tuple[str, ...]:
    return tuple(token.text for token in cursor.tokens[slice(*tokens)]) if tokens else ()


def read_indices(cursor: Cursor, symbols: Symbols) -> tuple[str, ...]:
    """Read index letters up to the end, with or without commas between them."""
    indices: list[str] = []
    while cursor.text:
        if indices or cursor.text == ",":
            cursor.accept(",")
        indices.append(read_index(cursor, symbols))
    return tuple(indices)


def read_index(cursor: Cursor, symbols: Symbols) -> str:
    """Read one index letter, which may have primes."""
    if not is_index(cursor, symbols):
        token = cursor.token
        if len(token.text) == 1 and token.text.isalpha():
            raise cursor.error(f"{token.text} has a meaning and cannot be an index")
        raise cursor.error(f"an index is a lower-case letter, not {token.text}")
    name = cursor.take().text
    while cursor.accept("'"):
        name += "'"
    return name


def is_index(cursor: Cursor, symbols: Symbols) -> bool:
    """Whether a letter stands here that can be an index: lower case, no symbol, and not e."""
    text = cursor.text
    letter = len(text) == 1 and text.isascii() and text.islower() and text != "e"
    return letter and all(symbol.base != (text,) for symbol in symbols.declared)


def _implicit(
    cursor: Cursor, symbols: Symbols, symbol: Symbol, indices: tuple[str, ...], start: int
) -> int:
    """How many batch axes are left out."""
    batch = sum(name in symbols.batch for name in symbol.axes)
    count = len(symbol.axes)
    if indices and len(indices) not in {count, count - batch}:
        axes = f"axes ({', '.join(symbol.axes)})" if count else "no axes"
        found = ", ".join(indices)
        raise cursor.error(f"{symbol.latex} has {axes}, and here the indices {found}", start)
    return batch if len(indices) < count else 0
