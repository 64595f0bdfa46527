"""Syntax highlighting of Python, with the names of symbols marked."""

import html
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from markupsafe import Markup
from pygments.lexers import PythonLexer
from pygments.token import (
    STANDARD_TYPES,
    Comment,
    Keyword,
    Name,
    Number,
    Operator,
    String,
    _TokenType,
    is_token_subtype,
)

from site_builder.resolve.symbol_links import SymbolName

_COLOURED = (  # token types that code.css colours
    Comment,
    Keyword,
    Number,
    String,
    Name.Class,
    Name.Decorator,
    Name.Function,
    Operator.Word,
)
_LEXER = PythonLexer(stripnl=False, ensurenl=False)

_Piece = tuple[str, str]  # a CSS class, empty if uncoloured, and a text on one line


def highlight_python(code: str) -> Markup:
    """Highlighted Python, without a wrapper element."""
    return Markup("\n").join(highlight_lines(code.split("\n")))


def highlight_lines(
    lines: Iterable[str], names: Iterable[Sequence[SymbolName]] | None = None
) -> list[Markup]:
    """Highlighted Python, line by line; strings that span lines are coloured on each.

    Args:
        lines: the code.
        names: for each line, the names of symbols in it; each is wrapped in an element.
    """
    coloured = _coloured("\n".join(lines))
    if names is None:
        return [_html(pieces, ()) for pieces in coloured]
    return [_html(pieces, marked) for pieces, marked in zip(coloured, names, strict=True)]


@lru_cache(maxsize=4096)
def _coloured(code: str) -> tuple[tuple[_Piece, ...], ...]:
    """The pieces of each line; adjacent ones of one class are merged."""
    lines: list[list[_Piece]] = [[]]
    for kind, value in _LEXER.get_tokens(code):
        css = _class_of(kind)
        first, *others = value.split("\n")
        _extend(lines[-1], css, first)
        for text in others:
            lines.append([])
            _extend(lines[-1], css, text)
    return tuple(tuple(line) for line in lines)


@lru_cache
def _class_of(kind: _TokenType) -> str:
    """The CSS class of a token type. Most tokens have no colour and need no element."""
    has_colour = any(is_token_subtype(kind, coloured) for coloured in _COLOURED)
    return STANDARD_TYPES[kind] if has_colour else ""


def _extend(line: list[_Piece], css: str, text: str) -> None:
    if text and line and line[-1][0] == css:
        line[-1] = (css, line[-1][1] + text)
    elif text:
        line.append((css, text))


def _html(pieces: Iterable[_Piece], names: Sequence[SymbolName]) -> Markup:
    return Markup("").join(_elements(pieces, names))


def _elements(pieces: Iterable[_Piece], names: Sequence[SymbolName]) -> Iterator[Markup]:
    at = 0
    for css, text in pieces:
        inside = [n for n in names if at <= n.start and n.stop <= at + len(text)]
        if css:  # a name is coloured as a whole or not at all
            element = Markup('<span class="{}">{}</span>').format(css, _escaped(text))
            whole = next((n for n in inside if n.stop - n.start == len(text)), None)
            yield _marked(whole, element) if whole else element
        else:
            end = 0
            for name in inside:
                yield _escaped(text[end : name.start - at])
                end = name.stop - at
                yield _marked(name, _escaped(text[name.start - at : end]))
            yield _escaped(text[end:])
        at += len(text)


def _escaped(text: str) -> Markup:
    """Escape text between tags, where quotes need no escaping."""
    return Markup(html.escape(text, quote=False))  # noqa: S704 - escaped here


def _marked(name: SymbolName, text: Markup) -> Markup:
    return Markup('<span data-symbol="{}">{}</span>').format(name.symbol, text)
